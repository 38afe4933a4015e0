import subprocess
import sys
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.golden import lines
from support.handmade import batch, record
from tidemill.errors import CorruptMessage, InvalidRecord
from tidemill.records import arrow, decode, to_arrow

DATA = batch(
    record(b"k", b"v", [(b"h", b"1"), (b"n", None)]) + record(None, None, offset_delta=2, timestamp_delta=7), 2, base_timestamp=1_000
)
LINES = {line["name"]: bytes.fromhex(line["hex"]) for line in lines("records.jsonl")}


def rows_of_objects(data: bytes) -> list[dict[str, Any]]:
    """What the table has to hold, by way of the records as objects."""
    return [
        {
            "key": record.key,
            "value": record.value,
            "offset": record.offset,
            "timestamp": record.timestamp,
            "headers": [{"key": name, "value": value} for name, value in record.headers],
        }
        for batch in decode(data)
        if not batch.control
        for record in batch.records
    ]


def rows_of(table: pa.Table) -> list[dict[str, Any]]:
    table.validate(full=True)
    at = table.schema.get_field_index("timestamp")
    rows: list[dict[str, Any]] = table.set_column(at, "timestamp", table["timestamp"].cast(pa.int64())).to_pylist()
    return rows


@pytest.mark.parametrize("data", LINES.values(), ids=LINES.keys())
def test_columns_hold_what_the_records_hold(data: bytes) -> None:
    assert rows_of(to_arrow(data)) == rows_of_objects(data)


def test_columns_go_on_over_batches_and_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"".join(LINES.values())
    expected = rows_of_objects(data)
    assert rows_of(to_arrow(data)) == expected
    monkeypatch.setattr(arrow, "CHUNK_BYTES", 1000)
    table = to_arrow(data)
    assert table["value"].num_chunks > 10
    assert rows_of(table) == expected


def test_the_schema_is_the_documented_one() -> None:
    header = pa.struct([("key", pa.string()), ("value", pa.binary())])
    assert to_arrow(DATA, partition=3).schema == pa.schema(
        [
            ("key", pa.binary()),
            ("value", pa.binary()),
            ("partition", pa.int32()),
            ("offset", pa.int64()),
            ("timestamp", pa.timestamp("ms", tz="UTC")),
            ("headers", pa.list_(header)),
        ]
    )


def test_only_the_columns_asked_for_are_there_in_their_order() -> None:
    table = to_arrow(DATA, partition=3, columns=["partition", "value"])
    assert table.to_pydict() == {"partition": [3, 3], "value": [b"v", None]}
    assert to_arrow(DATA, columns=[]).num_columns == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"columns": ["vlaue"]}, "records have no column 'vlaue': choose of key, value"),
        ({"columns": ["partition"]}, "say which partition the data are of"),
    ],
)
def test_a_column_that_cannot_be_given_is_named(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        to_arrow(DATA, **arguments)


def test_control_batches_are_no_data() -> None:
    assert to_arrow(batch(record(b"\0\0\0\1", b"\0" * 6), 1, attributes=0x30)).num_rows == 0


def test_header_names_that_are_not_utf8_become_so() -> None:
    """Arrow's strings must be: engines trust them to."""
    data = batch(record(headers=[(b"\xff\xed\xa0\x80", b"1"), ("é".encode(), None), (b"", b"")]) + record(), 2)
    table = to_arrow(data)
    table.validate(full=True)
    assert table["headers"].to_pylist() == [
        [{"key": "\ufffd\ufffd", "value": b"1"}, {"key": "é", "value": None}, {"key": "", "value": b""}],
        [],
    ]


@pytest.mark.parametrize(("data", "error"), [(DATA[:-1] + b"x", CorruptMessage), (batch(record(), 2), InvalidRecord)])
def test_damage_raises_what_it_raises_in_decode(data: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        to_arrow(data)


def test_no_data_is_an_empty_table() -> None:
    assert to_arrow(b"").to_pylist() == []


@given(st.data())
def test_changed_batches_give_what_the_objects_give(data: st.DataObject) -> None:
    from tidemill.errors import TidemillError

    changed = bytearray(DATA)
    for _ in range(data.draw(st.integers(1, 3))):
        changed[data.draw(st.integers(61, len(changed) - 1))] = data.draw(st.integers(0, 255))
    try:
        expected = decode(changed, check_crc=False)
    except TidemillError as error:
        with pytest.raises(type(error)):
            to_arrow(changed, check_crc=False)
        return
    table = to_arrow(changed, check_crc=False)
    table.validate(full=True)
    assert table["value"].to_pylist() == [record.value for record in expected[0].records]


def test_without_pyarrow_the_error_says_what_to_install() -> None:
    program = "import sys; sys.modules['pyarrow'] = None; import tidemill.records as r; r.to_arrow(b'')"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "ImportError: Arrow columns need pyarrow, which is not installed: pip install 'tidemill[arrow]'" in result.stderr


def test_pyarrow_is_not_imported_before_a_column_is_asked_for() -> None:
    program = "import sys, tidemill.records as r; r.decode(b''); r.to_arrow; r.from_arrow; sys.exit('pyarrow' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
