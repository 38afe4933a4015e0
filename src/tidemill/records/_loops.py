# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Reading the records of a batch: the loops that run once a record. Compiled; `_writing` is the other direction.

    record: length varint, attributes int8, timestamp delta varlong, offset delta varint,
            key length varint, key, value length varint, value, header count varint, headers
    header: name length varint, name in UTF-8, value length varint, value

Rules kept here:

- Nothing is allocated for a count or a length before it was compared with the bytes that are left: a record has at least 7, a header 2.
- A length is compared as `size > end - at`, never as `at + size > end`, which a length near 2^63 overflows.
- `Section` finds every field once, in a loop without Python objects that gives up the GIL. What then makes objects or columns of
  them copies only ranges that were checked, even if somebody writes into the buffer meanwhile.
- What Kafka reads, this reads: any negative length of a key or value is null, the excess bits of a varint fall off, offsets may
  repeat or go backwards, a header's name that is not UTF-8 gets replacement characters.
- `Record` takes no part in garbage collection, which makes it several times cheaper to keep: its fields can form no cycle.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from tidemill import _cython as cython

from tidemill.errors import InvalidRecord
from tidemill.records.arithmetic import increment_sequence, wrap_int64
from tidemill.records.values import control_type, header_name, plain_headers

if cython.compiled:
    from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING, PyByteArray_Resize

COMPILED = cython.compiled

SMALLEST_RECORD = 7  # one byte each: length, attributes, timestamp and offset delta, key and value length, header count
LARGEST_SECTION = 2**31 - 2
PLANES = ("offset_deltas", "key_at", "key_size", "value_at", "value_size", "headers_at", "header_count")


@cython.final
@cython.no_gc
@cython.freelist(4096)
@cython.cclass
class Record:
    """One record, as it lies in a batch.

    `sequence` is -1 where the batch has none; `control_type` is None but in a control batch.
    """

    offset = cython.declare(cython.longlong, visibility="readonly")
    timestamp = cython.declare(cython.longlong, visibility="readonly")
    key = cython.declare(bytes, visibility="readonly")
    value = cython.declare(bytes, visibility="readonly")
    headers = cython.declare(tuple, visibility="readonly")
    sequence = cython.declare(cython.int, visibility="readonly")
    control_type = cython.declare(str, visibility="readonly")

    def __init__(
        self,
        offset: cython.longlong = 0,
        timestamp: cython.longlong = -1,
        key: bytes | None = None,
        value: bytes | None = None,
        headers: object = (),
        sequence: cython.int = -1,
        control_type: str | None = None,
    ):
        self.offset = offset
        self.timestamp = timestamp
        self.key = key
        self.value = value
        self.headers = plain_headers(headers)
        self.sequence = sequence
        self.control_type = control_type

    def _values(self):
        return (self.offset, self.timestamp, self.key, self.value, self.headers, self.sequence, self.control_type)

    def __eq__(self, other):
        if not isinstance(other, Record):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self):
        return hash(self._values())

    def __reduce__(self):
        return Record, self._values()

    def __repr__(self):
        optional = (("headers", self.headers, ()), ("sequence", self.sequence, -1), ("control_type", self.control_type, None))
        more = "".join(f", {name}={value!r}" for name, value, default in optional if value != default)
        return f"Record(offset={self.offset}, timestamp={self.timestamp}, key={self.key!r}, value={self.value!r}{more})"


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def read_varint(data: cython.p_const_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> tuple[cython.longlong, cython.Py_ssize_t]:
    """A zigzag varint of 32 bits and where it ends. Where there is none it ends at `end + 1`, from where every further read fails too."""
    byte: cython.longlong
    if at < end:
        byte = data[at]
        if byte < 0x80:
            return (byte >> 1) ^ -(byte & 1), at + 1
    return read_long_varint(data, at, end)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def read_long_varint(
    data: cython.p_const_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> tuple[cython.longlong, cython.Py_ssize_t]:
    raw: cython.longlong = 0
    byte: cython.longlong
    shift: cython.int = 0
    while at < end and shift < 35:
        byte = data[at]
        at += 1
        raw |= (byte & (0x7F if shift < 28 else 0x0F)) << shift  # the fifth byte has four bits to give
        if byte < 0x80:
            return (raw >> 1) ^ -(raw & 1), at
        shift += 7
    return 0, end + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def read_varlong(data: cython.p_const_uchar, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> tuple[cython.longlong, cython.Py_ssize_t]:
    """A zigzag varint of 64 bits, as `read_varint`."""
    raw: cython.ulonglong = 0
    byte: cython.ulonglong
    shift: cython.int = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        raw |= (byte & (0x7F if shift < 63 else 0x01)) << shift  # the tenth has one
        if byte < 0x80:
            return cython.cast(cython.longlong, raw >> 1) ^ -cython.cast(cython.longlong, raw & 1), at
        shift += 7
    return 0, end + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_int64(left: cython.longlong, right: cython.longlong) -> cython.longlong:
    if cython.compiled:
        return cython.cast(cython.longlong, cython.cast(cython.ulonglong, left) + cython.cast(cython.ulonglong, right))
    else:  # noqa: RET505 - compiled, only one of the two is there
        return wrap_int64(left + right)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def skip(size: cython.longlong, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Behind `size` bytes (none if it is negative), or `end + 1` where there are fewer."""
    if size <= 0:
        return at
    return at + cython.cast(cython.Py_ssize_t, size) if size <= end - at else end + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def skip_headers(data: cython.p_const_uchar, count: cython.longlong, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    size: cython.longlong
    if count < 0 or count > (end - at) >> 1:
        return end + 1
    while count > 0 and at <= end:
        count -= 1
        size, at = read_varint(data, at, end)
        if size < 0:
            return end + 1
        at = skip(size, at, end)
        size, at = read_varint(data, at, end)
        at = skip(size, at, end)
    return at


@cython.cfunc
def allocate(size: cython.Py_ssize_t) -> bytearray:
    """`size` bytes; compiled, they are not set to anything, as all are written before they are read."""
    block = bytearray(0 if cython.compiled else size)
    if cython.compiled:
        PyByteArray_Resize(block, size)
    return block


@cython.final
@cython.cclass
class Section:
    """The records of one batch, decompressed, and where every field of them lies.

    `layout` holds arrays of `count` numbers, one behind the other: the timestamp deltas (int64), then in int32 what `PLANES` names.
    Positions are relative to `start`.
    """

    view: cython.const[cython.uchar][::1]
    data: cython.p_const_uchar
    timestamps: cython.p_longlong
    planes: cython.p_int
    start = cython.declare(cython.Py_ssize_t, visibility="readonly")
    size = cython.declare(cython.Py_ssize_t, visibility="readonly")
    count = cython.declare(cython.Py_ssize_t, visibility="readonly")
    header_total = cython.declare(cython.Py_ssize_t, visibility="readonly")
    layout = cython.declare(bytearray, visibility="readonly")
    source = cython.declare(object, visibility="readonly")

    def __init__(
        self,
        view: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        count: cython.Py_ssize_t,
        sized: cython.bint = True,
    ):
        """Finds the records in `view[start:end]`. `InvalidRecord` unless there are `count` of them, and nothing else.

        Unless `sized`, the lengths that records state of themselves are stepped over and count for nothing.
        """
        if not 0 <= start <= end <= len(view):
            raise ValueError(f"bytes {start} to {end} of {len(view)} are no section")
        if count < 0 or count > (end - start) // SMALLEST_RECORD or end - start > LARGEST_SECTION:
            raise InvalidRecord(f"a batch says it has {count} records, in {end - start} bytes")
        self.start, self.size, self.count, self.header_total = start, end - start, count, 0
        self.source = view
        self.layout = allocate(count * (8 + 4 * len(PLANES)))
        if cython.compiled:
            self.view = view  # keeps the memory where it is
            self.data = cython.address(view[start])
            self.timestamps = cython.cast(cython.p_longlong, cython.cast(cython.p_char, PyByteArray_AS_STRING(self.layout)))
            self.planes = cython.cast(cython.p_int, self.timestamps + count)
        else:
            self.data = bytes(view[start:end])
            self.timestamps = memoryview(self.layout)[: 8 * count].cast("q")
            self.planes = memoryview(self.layout)[8 * count :].cast("i")
        if count > 0:
            self.parse(sized)

    @cython.cfunc
    def parse(self, sized: cython.bint):
        data: cython.p_const_uchar = self.data
        timestamps: cython.p_longlong = self.timestamps
        planes: cython.p_int = self.planes
        count: cython.Py_ssize_t = self.count
        end: cython.Py_ssize_t = self.size
        smallest: cython.longlong = SMALLEST_RECORD - 1  # behind its length
        at: cython.Py_ssize_t = 0
        stop: cython.Py_ssize_t = 0
        index: cython.Py_ssize_t = 0
        header_total: cython.Py_ssize_t = 0
        size: cython.longlong
        delta: cython.longlong
        with cython.nogil:
            while index < count:
                size, at = read_varint(data, at, end)
                if not sized:
                    stop = end
                elif size < smallest or size > end - at:
                    break
                else:
                    stop = at + cython.cast(cython.Py_ssize_t, size)
                timestamps[index], at = read_varlong(data, at + 1, stop)  # one byte of attributes, none of which has a meaning
                delta, at = read_varint(data, at, stop)
                planes[index] = cython.cast(cython.int, delta)
                size, at = read_varint(data, at, stop)
                planes[count + index] = cython.cast(cython.int, at)
                planes[2 * count + index] = cython.cast(cython.int, size)
                at = skip(size, at, stop)
                size, at = read_varint(data, at, stop)
                planes[3 * count + index] = cython.cast(cython.int, at)
                planes[4 * count + index] = cython.cast(cython.int, size)
                at = skip(size, at, stop)
                size, at = read_varint(data, at, stop)
                planes[5 * count + index] = cython.cast(cython.int, at)
                planes[6 * count + index] = cython.cast(cython.int, size)
                if size != 0 or at > stop:
                    at = skip_headers(data, size, at, stop)
                if at > stop or (sized and at < stop):
                    break
                header_total += cython.cast(cython.Py_ssize_t, size)
                index += 1
        if index < count:
            raise InvalidRecord(f"record {index + 1} of {count} in a batch is damaged: its fields do not fill the length it states")
        if at != end:
            raise InvalidRecord(f"{end - at} bytes are left in a batch behind the {count} records it says it has")
        self.header_total = header_total

    def headers(self) -> bytearray:
        """Where the headers lie: arrays of `header_total` int32, the position and the size of each name, then of each value."""
        data: cython.p_const_uchar = self.data
        planes: cython.p_int = self.planes
        total: cython.Py_ssize_t = self.header_total
        count: cython.Py_ssize_t = self.count
        end: cython.Py_ssize_t = self.size
        at: cython.Py_ssize_t = 0
        found: cython.Py_ssize_t = 0
        index: cython.Py_ssize_t
        last: cython.Py_ssize_t
        size: cython.longlong
        layout = allocate(16 * total)
        if cython.compiled:
            out: cython.p_int = cython.cast(cython.p_int, cython.cast(cython.p_char, PyByteArray_AS_STRING(layout)))
        else:
            out = memoryview(layout).cast("i")
        with cython.nogil:
            for index in range(count):
                last = found + planes[6 * count + index]
                at = planes[5 * count + index]
                while found < last and at <= end:
                    size, at = read_varint(data, at, end)
                    if size < 0:  # was refused before: somebody has written into the buffer
                        at = end + 1
                        break
                    out[found] = cython.cast(cython.int, at)
                    out[total + found] = cython.cast(cython.int, size)
                    at = skip(size, at, end)
                    size, at = read_varint(data, at, end)
                    out[2 * total + found] = cython.cast(cython.int, at)
                    out[3 * total + found] = cython.cast(cython.int, size)
                    at = skip(size, at, end)
                    found += 1
                if at > end:
                    break
        if at > end or found != total:
            raise InvalidRecord("the headers of a batch changed while they were read")
        return layout

    @cython.cfunc
    def header_pairs(self) -> list:
        """All headers, of one record after the other."""
        data: cython.p_const_uchar = self.data
        total: cython.Py_ssize_t = self.header_total
        index: cython.Py_ssize_t
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t
        layout: bytearray = self.headers()
        if cython.compiled:
            planes: cython.p_int = cython.cast(cython.p_int, cython.cast(cython.p_char, PyByteArray_AS_STRING(layout)))
        else:
            planes = memoryview(layout).cast("i")
        pairs: list = []
        for index in range(total):
            at, size = planes[index], planes[total + index]
            name = header_name(data[at : at + size])
            at, size = planes[2 * total + index], planes[3 * total + index]
            pairs.append((name, data[at : at + size] if size >= 0 else None))
        return pairs

    def records(
        self,
        base_offset: cython.longlong,
        base_timestamp: cython.longlong,
        base_sequence: cython.int = -1,
        append_time: int | None = None,
        control: cython.bint = False,
    ) -> list[Record]:
        """The records as objects. `append_time` is the timestamp of all where a batch has one."""
        planes: cython.p_int = self.planes
        data: cython.p_const_uchar = self.data
        count: cython.Py_ssize_t = self.count
        index: cython.Py_ssize_t
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t
        stamped: cython.bint = append_time is not None
        same: cython.longlong = append_time if stamped else 0
        sequence: cython.longlong
        header_count: cython.Py_ssize_t
        found: cython.Py_ssize_t = 0
        headers: list = self.header_pairs() if self.header_total > 0 else []
        record: Record
        records: list = [None] * count
        for index in range(count):
            record = Record.__new__(Record)
            record.offset = add_int64(base_offset, planes[index])
            record.timestamp = same if stamped else add_int64(base_timestamp, self.timestamps[index])
            at, size = planes[count + index], planes[2 * count + index]
            record.key = data[at : at + size] if size >= 0 else None
            at, size = planes[3 * count + index], planes[4 * count + index]
            record.value = data[at : at + size] if size >= 0 else None
            header_count = planes[6 * count + index]
            record.headers = () if header_count == 0 else tuple(headers[found : found + header_count])
            found += header_count
            sequence = -1
            if base_sequence >= 0:
                sequence = base_sequence + cython.cast(cython.longlong, planes[index])
                if sequence > 0x7FFFFFFF or planes[index] < 0:
                    sequence = increment_sequence(base_sequence, planes[index])
            record.sequence = cython.cast(cython.int, sequence)
            record.control_type = control_type(record.key) if control else None
            records[index] = record
        return records
