from pathlib import Path

import pytest

from fuzz.findings import Origin, keep, origin_of, place_of, replay_command, shrink


def test_a_finding_says_by_its_name_how_to_replay_it(tmp_path: Path) -> None:
    path = keep(Origin("records", "asan"), b"\x01\x02", "what was seen", tmp_path)
    assert path.read_bytes() == b"\x01\x02"
    assert origin_of(path) == Origin("records", "asan")
    notes = path.with_name(path.name + ".txt").read_text()
    assert replay_command(path) in notes
    assert "2 bytes: 0102" in notes
    assert "what was seen" in notes


def test_a_file_of_another_name_cannot_be_replayed() -> None:
    with pytest.raises(ValueError, match=r"TARGET\.FORM\.ANYTHING"):
        origin_of(Path("crash-123"))


def test_the_place_of_an_error_is_the_innermost_of_tidemill() -> None:
    from tidemill import wire

    with pytest.raises(ValueError, match="cannot decode") as raised:
        wire.decode("HeartbeatRequest", 4, b"")
    assert place_of(raised.value).startswith("ProtocolError at ")
    with pytest.raises(KeyError) as other:
        raise KeyError
    assert place_of(other.value).startswith("KeyError at test_findings.py:")


def test_a_finding_shrinks_to_what_matters() -> None:
    assert shrink(b"x" * 500 + b"bug" + b"y" * 300, lambda data: b"bug" in data) == b"bug"


def test_shrinking_gives_up_in_time() -> None:
    asked: list[bytes] = []

    def fails(data: bytes) -> bool:
        asked.append(data)
        return False

    shrink(bytes(10_000), fails, attempts=50)
    assert len(asked) == 50
