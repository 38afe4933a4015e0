# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Writing the records of a batch: one at a time for a producer, or rows of Arrow columns in a loop. Compiled; `_loops` reads.

Rules kept here:

- A batch takes its first record however large it is, and then as many as its limit allows: sizes are computed exactly before anything
  is written, as Kafka's own builder does it, with the same guess at what compression will save.
- The 61 bytes of the header are left free at the front, so that an uncompressed batch is finished in place, without a copy.
- Timestamps of `Rows` are not negative but for -1, so that no difference of two overflows.
- Wrong types and ranges name the argument.
- What can run other code (an iterator of headers, say) or let other threads run comes before the batch is looked at, never between a
  look and a write: they might close it.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from tidemill import _cython as cython

from tidemill.errors import MessageTooLarge
from tidemill.records.arithmetic import wrap_int64
from tidemill.records.values import as_bytes, as_int64, encoded_name, plain_headers

if cython.compiled:
    from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING, PyByteArray_Resize
    from cython.cimports.libc.string import memcpy

LARGEST_BATCH = cython.declare(cython.Py_ssize_t, 2**31 - 1)
HEADER_BYTES = cython.declare(cython.Py_ssize_t, 61)
FIRST_CAPACITY = cython.declare(cython.Py_ssize_t, 16 * 1024)


@cython.cfunc
@cython.inline
def address(buffer: bytearray) -> cython.p_uchar:
    """Where a buffer lies, until it is resized; uncompiled, the buffer itself."""
    if cython.compiled:
        return cython.cast(cython.p_uchar, cython.cast(cython.p_char, PyByteArray_AS_STRING(buffer)))
    else:  # noqa: RET505 - compiled, only one of the two is there
        return buffer


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def zigzag(value: cython.longlong) -> cython.ulonglong:
    if not cython.compiled:
        value = wrap_int64(value)
    return (cython.cast(cython.ulonglong, value) << 1) ^ cython.cast(cython.ulonglong, value >> 63)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def varint_size(value: cython.longlong) -> cython.Py_ssize_t:
    raw: cython.ulonglong = zigzag(value)
    size: cython.Py_ssize_t = 2
    if raw < 0x80:
        return 1
    while raw >= 0x4000:
        raw >>= 7
        size += 1
    return size


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def write_varint(data: cython.p_uchar, at: cython.Py_ssize_t, value: cython.longlong) -> cython.Py_ssize_t:
    """Writes a zigzag varint and says where it ends."""
    raw: cython.ulonglong = zigzag(value)
    if raw < 0x80:
        data[at] = cython.cast(cython.uchar, raw)
        return at + 1
    while raw >= 0x80:
        data[at] = cython.cast(cython.uchar, raw & 0x7F | 0x80)
        raw >>= 7
        at += 1
    data[at] = cython.cast(cython.uchar, raw)
    return at + 1


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def write_raw(
    data: cython.p_uchar, at: cython.Py_ssize_t, source: cython.p_const_uchar, start: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    if cython.compiled:
        memcpy(data + at, source + start, size)
    else:
        data[at : at + size] = source[start : start + size]
    return at + size


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def write_bytes(
    data: cython.p_uchar, at: cython.Py_ssize_t, source: cython.p_const_uchar, start: cython.Py_ssize_t, size: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Writes a length and `size` bytes of `source`; a size of -1 is null."""
    at = write_varint(data, at, size)
    return at if size <= 0 else write_raw(data, at, source, start, size)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def field_size(size: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Bytes of a field with its length before it; -1 is null."""
    return varint_size(size) + max(size, 0)


def header_block(headers: object) -> bytes:
    """The headers of a record as they stand in it, behind their count."""
    pairs = [(encoded_name(name), value) for name, value in plain_headers(headers)]
    room: cython.Py_ssize_t = 5
    for name, value in pairs:
        room += 10 + len(name) + (0 if value is None else len(value))
    block = bytearray(room)
    data: cython.p_uchar = address(block)
    at: cython.Py_ssize_t = write_varint(data, 0, len(pairs))
    for name, value in pairs:
        at = write_bytes(data, at, name, 0, len(name))
        at = write_bytes(data, at, value or b"", 0, -1 if value is None else len(value))
    return bytes(block[:at])


NO_HEADERS = header_block(())


@cython.final
@cython.cclass
class Field:
    """Where the values of a column lie in `data`: arrays of `count` int32, first the positions, then the sizes; -1 is null."""

    view: cython.const[cython.uchar][::1]
    layout: bytearray
    data: cython.p_const_uchar
    starts: cython.p_int
    sizes: cython.p_int
    count = cython.declare(cython.Py_ssize_t, visibility="readonly")

    def __init__(self, data: cython.const[cython.uchar][::1], layout: bytearray):
        """The ranges that `layout` names have been compared with the size of the data: see `_columns.lay_out`."""
        self.view, self.layout, self.count = data, layout, len(layout) // 8
        if cython.compiled:
            self.data = cython.address(data[0])
            self.starts = cython.cast(cython.p_int, address(layout))
            self.sizes = self.starts + self.count
        else:
            planes = memoryview(layout).cast("i")
            self.data, self.starts, self.sizes = data, planes[: self.count], planes[self.count :]


@cython.final
@cython.cclass
class Rows:
    """Columns, to be written row by row. `lists` says which of `names` and `header_values` are the headers of a row."""

    time_view: cython.const[cython.longlong][::1]
    times: cython.p_const_longlong
    key: Field
    value: Field
    lists: Field
    names: Field
    header_values: Field
    count = cython.declare(cython.Py_ssize_t, visibility="readonly")

    def __init__(
        self, timestamps: cython.const[cython.longlong][::1], key: Field, value: Field, lists: Field, names: Field, header_values: Field
    ):
        if not len(timestamps) == key.count == value.count == lists.count or names.count != header_values.count:
            raise ValueError("columns differ in length")
        self.key, self.value, self.lists, self.names, self.header_values = key, value, lists, names, header_values
        self.time_view, self.count = timestamps, len(timestamps)
        self.times = cython.address(timestamps[0]) if cython.compiled else timestamps

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def headers_size(self, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        header: cython.Py_ssize_t
        count: cython.Py_ssize_t = max(self.lists.sizes[row], 0)
        size: cython.Py_ssize_t = varint_size(count)
        for header in range(self.lists.starts[row], self.lists.starts[row] + count):
            size += field_size(self.names.sizes[header]) + field_size(self.header_values.sizes[header])
        return size

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def write_headers(self, data: cython.p_uchar, at: cython.Py_ssize_t, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
        header: cython.Py_ssize_t
        count: cython.Py_ssize_t = max(self.lists.sizes[row], 0)
        at = write_varint(data, at, count)
        for header in range(self.lists.starts[row], self.lists.starts[row] + count):
            at = write_bytes(data, at, self.names.data, self.names.starts[header], self.names.sizes[header])
            at = write_bytes(data, at, self.header_values.data, self.header_values.starts[header], self.header_values.sizes[header])
        return at


@cython.cclass
class Writer:
    """The records of a batch, in a buffer that grows, with room for the header before them. `BatchBuilder` is its public face."""

    data: cython.p_uchar
    buffer: bytearray
    capacity: cython.Py_ssize_t
    busy: cython.bint
    limit = cython.declare(cython.Py_ssize_t, visibility="readonly")
    size = cython.declare(cython.Py_ssize_t, visibility="readonly")
    count = cython.declare(cython.int, visibility="readonly")
    base_timestamp = cython.declare(cython.longlong, visibility="readonly")
    max_timestamp = cython.declare(cython.longlong, visibility="readonly")
    scale: cython.double

    def __init__(self, limit: cython.Py_ssize_t, scale: cython.double):
        """`limit`: bytes of the batch; `scale`: what a byte of records is expected to take up in it."""
        if not 0 <= limit <= LARGEST_BATCH:
            raise ValueError(f"the limit of a batch is 0 to {LARGEST_BATCH} bytes, not {limit}")
        self.limit, self.scale = limit, scale
        self.size, self.count = HEADER_BYTES, 0
        self.base_timestamp = self.max_timestamp = -1
        self.buffer = bytearray()
        self.capacity, self.busy = 0, False

    @cython.final
    @cython.cfunc
    def check_open(self) -> None:
        if self.buffer is None:
            raise ValueError("the batch is closed: records go into the next one")
        if self.busy:
            raise RuntimeError("another thread is adding rows to this batch: guard it with a lock")

    @cython.final
    @cython.cfunc
    def reserve(self, more: cython.Py_ssize_t) -> None:
        """Makes room for `more` bytes behind those there are."""
        if more <= self.capacity - self.size:
            return
        if more > LARGEST_BATCH - self.size:
            raise MessageTooLarge(f"a record of {more} bytes does not fit into a batch, which has at most {LARGEST_BATCH}")
        doubled: cython.Py_ssize_t = min(2 * self.capacity, LARGEST_BATCH)
        capacity: cython.Py_ssize_t = max(self.size + more, doubled, min(self.limit, FIRST_CAPACITY))
        if cython.compiled:
            PyByteArray_Resize(self.buffer, capacity)
        else:
            self.buffer.extend(bytes(capacity - len(self.buffer)))
        self.data, self.capacity = address(self.buffer), capacity  # not before there is the memory

    def append(self, timestamp: object, key: object = None, value: object = None, headers: object = None) -> int:
        """Adds a record and says how many were there before it; -1, and nothing added, where the batch has no room for it."""
        stamp: cython.longlong
        if cython.compiled and type(timestamp) is int:
            try:
                stamp = timestamp
            except OverflowError:
                stamp = as_int64(timestamp, "timestamp")
        else:
            stamp = as_int64(timestamp, "timestamp")
        if stamp < -1:
            raise ValueError(f"timestamp must be milliseconds since 1970, or -1 for none, not {stamp}")
        key_bytes: bytes = key if key is None or type(key) is bytes else as_bytes(key, "key")
        value_bytes: bytes = value if value is None or type(value) is bytes else as_bytes(value, "value")
        block: bytes = NO_HEADERS if headers is None else header_block(headers)
        base: cython.longlong = stamp if self.count == 0 else self.base_timestamp
        if not self.write(self.count, stamp - base, key_bytes, value_bytes, block, False):
            return -1
        if self.count == 1:
            self.base_timestamp = self.max_timestamp = stamp
        elif stamp > self.max_timestamp:
            self.max_timestamp = stamp
        return self.count - 1

    def put(self, offset_delta: cython.int, timestamp_delta: cython.longlong, key: bytes | None, value: bytes | None, headers: object):
        """Adds a record whatever the limit, with the deltas given: what is behind `encode`."""
        self.write(offset_delta, timestamp_delta, key, value, NO_HEADERS if headers is None else header_block(headers), True)

    @cython.final
    @cython.cfunc
    def write(
        self,
        offset_delta: cython.longlong,
        timestamp_delta: cython.longlong,
        key_bytes: bytes | None,
        value_bytes: bytes | None,
        block: bytes,
        always: cython.bint,
    ) -> cython.bint:
        self.check_open()
        key_size: cython.Py_ssize_t = -1 if key_bytes is None else len(key_bytes)
        value_size: cython.Py_ssize_t = -1 if value_bytes is None else len(value_bytes)
        block_size: cython.Py_ssize_t = len(block)
        deltas: cython.Py_ssize_t = varint_size(timestamp_delta) + varint_size(offset_delta)
        body: cython.Py_ssize_t = 1 + deltas + field_size(key_size) + field_size(value_size) + block_size
        size: cython.Py_ssize_t = varint_size(body) + body
        taken: cython.Py_ssize_t = HEADER_BYTES + cython.cast(cython.Py_ssize_t, (self.size - HEADER_BYTES) * self.scale)
        if self.count > 0 and size > self.limit - taken and not always:
            return False
        self.reserve(size)
        data: cython.p_uchar = self.data
        at: cython.Py_ssize_t = write_varint(data, self.size, body)
        data[at] = 0
        at = write_varint(data, at + 1, timestamp_delta)
        at = write_varint(data, at, offset_delta)
        at = write_bytes(data, at, b"" if key_bytes is None else key_bytes, 0, key_size)
        at = write_bytes(data, at, b"" if value_bytes is None else value_bytes, 0, value_size)
        at = write_raw(data, at, block, 0, block_size)
        self.size = at
        self.count += 1
        return True

    def extend(self, rows: Rows, row: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> int:
        """Adds rows from `row` on, and says which is the first that found no room, or `stop`."""
        self.check_open()
        if not 0 <= row <= stop <= rows.count:
            raise ValueError(f"rows {row} to {stop} of {rows.count}")
        key: Field = rows.key
        value: Field = rows.value
        # What the loop looks at lies in locals: a write into the batch could change anything else, for all that the C compiler knows.
        key_sizes: cython.p_int = key.sizes
        value_sizes: cython.p_int = value.sizes
        header_counts: cython.p_int = rows.lists.sizes
        limit: cython.Py_ssize_t = self.limit - HEADER_BYTES
        written: cython.Py_ssize_t = self.size - HEADER_BYTES
        count: cython.longlong = self.count
        base: cython.longlong = self.base_timestamp
        latest: cython.longlong = self.max_timestamp
        stamp: cython.longlong
        body: cython.Py_ssize_t
        size: cython.Py_ssize_t
        at: cython.Py_ssize_t
        self.reserve(max(self.limit - self.size, 0))
        data: cython.p_uchar = self.data
        room: cython.Py_ssize_t = self.capacity - HEADER_BYTES
        lacking: cython.Py_ssize_t = 0
        self.busy = True
        with cython.nogil:
            while row < stop:
                stamp = rows.times[row]
                if count == 0:
                    base = latest = stamp
                body = 1 + varint_size(stamp - base) + varint_size(count) + field_size(key_sizes[row]) + field_size(value_sizes[row])
                body += 1 if header_counts[row] <= 0 else rows.headers_size(row)
                size = varint_size(body) + body
                if count > 0 and size > limit - cython.cast(cython.Py_ssize_t, written * self.scale):
                    break
                if size > room - written:
                    lacking = size
                    break
                at = write_varint(data, HEADER_BYTES + written, body)
                data[at] = 0
                at = write_varint(data, at + 1, stamp - base)
                at = write_varint(data, at, count)
                at = write_bytes(data, at, key.data, key.starts[row], key_sizes[row])
                at = write_bytes(data, at, value.data, value.starts[row], value_sizes[row])
                if header_counts[row] <= 0:
                    data[at] = 0
                    at += 1
                else:
                    at = rows.write_headers(data, at, row)
                written += size
                count += 1
                latest = max(latest, stamp)
                row += 1
        self.busy = False
        self.size, self.count, self.base_timestamp, self.max_timestamp = HEADER_BYTES + written, count, base, latest
        if lacking == 0:
            return row
        self.reserve(lacking)
        return self.extend(rows, row, stop)

    def take(self) -> bytearray:
        """The buffer, cut to what was written. Nothing more can be added."""
        self.check_open()
        buffer: bytearray = self.buffer
        self.buffer = None
        if cython.compiled:
            PyByteArray_Resize(buffer, self.size)
        else:
            del buffer[self.size :]
        return buffer
