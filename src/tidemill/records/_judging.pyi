"""What type checkers see of `_judging`, whose own annotations are C's."""

def judge(
    layout: bytearray,
    count: int,
    base_offset: int,
    base_timestamp: int,
    append_time: int | None,
    needs_keys: bool,
    timestamps_matter: bool,
    now: int,
    before_max: int,
    after_max: int,
) -> tuple[int, bool, list[tuple[int, int | None]]]: ...
