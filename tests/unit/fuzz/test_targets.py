"""R12: each decoder takes any bytes. The seeds of the fuzzers, and every input that ever was a finding, in the form that is installed."""

from pathlib import Path

import pytest

from fuzz.seeds import PAST_FINDINGS, past_findings
from fuzz.target import Target
from fuzz.targets import HOMES, records, target_named
from tidemill.errors import MessageTooLarge
from tidemill.records import Batch, Record, compression, encode


@pytest.fixture(params=HOMES)
def target(request: pytest.FixtureRequest) -> Target:
    return target_named(request.param)


def test_seeds_are_sound(target: Target) -> None:
    tried = 0
    for seed in target.seeds():
        target.refuses_or_returns(seed)
        tried += 1
    assert tried > 10


def test_nothing_and_little_is_refused(target: Target) -> None:
    target.refuses_or_returns(b"")
    for byte in range(256):
        target.refuses_or_returns(bytes((byte,)))


def test_seeds_cut_short_are_sound(target: Target) -> None:
    for number, seed in enumerate(target.seeds()):
        target.refuses_or_returns(seed[: number * 7919 % len(seed)])


def test_past_findings_are_none_now(target: Target) -> None:
    for data in past_findings(target.name):
        target.refuses_or_returns(data)


def test_past_findings_are_kept_by_target() -> None:
    assert {path.name for path in Path(PAST_FINDINGS).iterdir()} <= set(HOMES)


def test_targets_are_where_the_table_says() -> None:
    assert [target_named(name).name for name in HOMES] == list(HOMES)


def test_bombs_are_refused_early_while_a_target_runs_and_only_then() -> None:
    usual = compression.DEFAULT_LIMIT
    seen: list[int] = []
    records.with_small_limit(lambda data: seen.append(compression.DEFAULT_LIMIT))(b"")
    assert seen == [records.LIMIT]
    assert compression.DEFAULT_LIMIT == usual > records.LIMIT
    bomb = encode(Batch.of([Record(value=bytes(2 * records.LIMIT))], compression="zstd"))
    with pytest.raises(MessageTooLarge):
        records.decode_batches(b"\0" + bomb)
