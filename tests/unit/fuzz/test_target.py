import sys
from array import array
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from fuzz.target import Target, after_settings, exactly, whole


@given(st.binary(max_size=100))
def test_exact_memory_holds_the_bytes_and_no_more(data: bytes) -> None:
    """A read one byte too far was not seen while the memory had room behind the bytes."""
    view = exactly(data)
    assert view == data
    assert view.format == "B"
    assert sys.getsizeof(view.obj) == sys.getsizeof(array("B")) + len(data)


def test_settings_mostly_stay() -> None:
    shape = after_settings(3)
    results = [shape(b"abcdef", Random(seed), lambda data: b"<" + data + b">") for seed in range(500)]
    assert results.count(b"abc<def>") > 400
    others = [result for result in results if result != b"abc<def>"]
    assert others
    assert all(result[3:] == b"def" and sum(one != other for one, other in zip(result, b"abc", strict=False)) <= 1 for result in others)


def test_an_input_shorter_than_its_settings_is_filled_up() -> None:
    assert after_settings(3, whole)(b"a", Random(1), lambda data: data + b"!") == b"a\0\0!"


def test_only_documented_errors_are_refusals() -> None:
    target = Target(name="t", run=bytes.decode, refusals=(UnicodeError,), seeds=lambda: iter(()))
    target.refuses_or_returns(b"\xff")
    target.refuses_or_returns(b"fine")
