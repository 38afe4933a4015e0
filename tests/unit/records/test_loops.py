"""Records as objects, and the loop that finds them."""

import pickle
import weakref
from typing import Any

import pytest

from support.handmade import record
from tidemill.errors import InvalidRecord
from tidemill.records import BatchBuilder, Record
from tidemill.records._loops import COMPILED, PLANES, Section


def test_records_compare_hash_and_print_by_their_fields() -> None:
    one = Record(offset=1, key=b"k", headers={"h": b"1"})
    assert one == Record(1, -1, b"k", None, (("h", b"1"),))
    assert one != Record(offset=2, key=b"k", headers={"h": b"1"})
    other: object = (1, -1)
    assert one != other
    assert len({one, Record(1, -1, b"k", None, [("h", b"1")])}) == 1
    assert repr(one) == "Record(offset=1, timestamp=-1, key=b'k', value=None, headers=(('h', b'1'),))"


def test_records_can_be_sent_to_another_process() -> None:
    one = Record(offset=2**62, timestamp=5, key=b"k", value=b"v", headers={"h": None}, sequence=7, control_type="COMMIT")
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.skipif(not COMPILED, reason="uncompiled, a record is an ordinary object")
def test_a_compiled_record_can_hold_nothing_that_refers_back() -> None:
    """It takes no part in garbage collection: a cycle through one would never be freed."""
    import gc

    one: Any = Record(key=b"k")
    assert not gc.is_tracked(one)
    for refused in ("key", "headers", "anything"):
        with pytest.raises(AttributeError):
            setattr(one, refused, one)
    with pytest.raises(TypeError):
        weakref.ref(one)
    with pytest.raises(TypeError):
        type("Subclass", (Record,), {})


@pytest.mark.parametrize(("start", "end"), [(-1, 5), (0, 999), (5, 4), (999, 1000)])
def test_a_section_lies_within_its_buffer(start: int, end: int) -> None:
    with pytest.raises(ValueError, match="are no section"):
        Section(record(), start, end, 1)


def test_a_layout_says_where_every_field_lies() -> None:
    data = record(b"key", None, [(b"n", b"x"), (b"m", None)], offset_delta=3, timestamp_delta=70)
    section = Section(b"--" + data, 2, 2 + len(data), 1)
    timestamps, planes = memoryview(section.layout)[:8].cast("q"), memoryview(section.layout)[8:].cast("i")
    found = dict(zip(PLANES, planes, strict=True))
    assert timestamps[0] == 70
    assert (found["offset_deltas"], found["key_size"], found["value_size"], found["header_count"]) == (3, 3, -1, 2)
    assert data[found["key_at"] :][:3] == b"key"
    names, name_sizes, values, value_sizes = (memoryview(section.headers()).cast("i")[at : at + 2] for at in (0, 2, 4, 6))
    assert [data[at : at + size] for at, size in zip(names, name_sizes, strict=True)] == [b"n", b"m"]
    assert (data[values[0]], list(value_sizes)) == (ord("x"), [1, -1])


def test_records_are_copied_out_of_the_buffer() -> None:
    buffer = bytearray(record(b"key", b"value"))
    section = Section(buffer, 0, len(buffer), 1)
    records = section.records(0, 0)
    buffer[:] = bytes(len(buffer))
    assert records == [Record(timestamp=0, key=b"key", value=b"value")]


@pytest.mark.skipif(not COMPILED, reason="uncompiled, a section works on a copy")
def test_headers_that_change_while_they_are_read_are_refused() -> None:
    """A section that was checked may lie in a buffer that somebody writes to: nothing outside of it is read."""
    buffer = bytearray(record(b"key", b"value", [(b"name", b"content")]))
    section = Section(buffer, 0, len(buffer), 1)
    buffer[buffer.index(b"name") - 1] = 0xFE
    with pytest.raises(InvalidRecord, match="changed while they were read"):
        section.records(0, 0)


@pytest.mark.parametrize(("written", "changed"), [(b"\x0avalue", b"\xfe\x7f"), (b"\x08name", b"\x07")])
def test_headers_that_somebody_changed_meanwhile_are_not_read_beyond_the_batch(written: bytes, changed: bytes) -> None:
    """Only those of the last record were looked at; a value of 8 KiB came out of memory that belonged to others."""
    builder = BatchBuilder()
    for _ in range(2):
        builder.append(1, None, b"", [("name", b"value")])
    data = builder.section()
    section = Section(data, 0, len(data), 2)
    at = data.index(written)
    data[at : at + len(changed)] = changed
    if COMPILED:
        with pytest.raises(InvalidRecord, match="changed while they were read"):
            section.records(0, 0)
    else:  # the source reads a copy
        assert section.records(0, 0)[0].headers == (("name", b"value"),)
