import time
from collections.abc import Iterator

import pytest

from fuzz import bounds
from fuzz.bounds import MEGABYTE, Bounds, OutOfBounds, memory_allowed, seconds_allowed


@pytest.fixture(autouse=True)
def _every_input_is_traced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounds, "TRACE_EVERY", 1)


def test_time_is_allowed_in_proportion() -> None:
    assert seconds_allowed(2_000_000, 0) - seconds_allowed(1_000_000, 0) == pytest.approx(20)
    assert seconds_allowed(0, 1_000_000) == seconds_allowed(1_000_000, 0)


def test_a_slow_input_is_out_of_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Iterator[float] = iter([10.0, 12.5])
    monkeypatch.setattr(time, "process_time", lambda: next(clock))
    with pytest.raises(OutOfBounds, match=r"3 bytes took 2\.5 s: 1\.0 s are allowed"):
        Bounds(0).run(lambda data: None, b"abc")


def test_a_large_allocation_is_out_of_bounds_though_it_was_let_go_of() -> None:
    with pytest.raises(OutOfBounds, match=r"3 bytes took [\d,]+ bytes of memory"):
        Bounds(0).run(lambda data: bytes(64 * MEGABYTE), b"abc")


def test_what_may_be_unpacked_may_take_memory() -> None:
    assert memory_allowed(0, MEGABYTE) > 64 * MEGABYTE
    Bounds(MEGABYTE).run(lambda data: bytes(64 * MEGABYTE), b"abc")


def test_what_is_raised_within_bounds_goes_on() -> None:
    def refuse(data: bytes) -> None:
        raise KeyError(data)

    with pytest.raises(KeyError):
        Bounds(0).run(refuse, b"abc")
