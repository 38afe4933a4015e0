# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Between the layout of records and Arrow's buffers: the loops that run once a value. Compiled.

A layout names ranges of bytes: an array of int32 positions, then one of their sizes, where -1 is null. `_loops.Section` finds them in a
batch, `lay_out` in Arrow's offsets. Arrow has binary as int32 offsets into one run of data, and a bitmap of what is not null.

Rules kept here:

- Buffers are allocated by the caller, to the byte: first the sizes of all batches are summed up, then their values are copied.
- The ranges that a layout names were checked by whoever made it; that layout and buffers are large enough is checked here.
- The loops give up the GIL.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from tidemill import _cython as cython

from tidemill.records.arithmetic import wrap_int64

if cython.compiled:
    from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING
    from cython.cimports.libc.string import memcpy

LARGEST_COLUMN = 2**31 - 1


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
def integers(buffer: bytearray, position: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.p_int:
    """The `count` int32 numbers that begin `position` bytes into a buffer."""
    if position < 0 or count < 0 or count > (len(buffer) - position) // 4:
        raise ValueError(f"a layout of {len(buffer)} bytes does not hold {count} numbers from byte {position}")
    if cython.compiled:
        return cython.cast(cython.p_int, address(buffer) + position)
    else:  # noqa: RET505
        return memoryview(buffer)[position : position + (len(buffer) - position) // 4 * 4].cast("i")


def total_size(layout: bytearray, position: cython.Py_ssize_t, count: cython.Py_ssize_t) -> int:
    """Bytes of the `count` values whose layout begins at `position`."""
    index: cython.Py_ssize_t
    total: cython.longlong = 0
    sizes: cython.p_int = integers(layout, position + 4 * count, count)
    with cython.nogil:
        for index in range(count):
            total += max(sizes[index], 0)
    return total


@cython.final
@cython.cclass
class Binary:
    """A column of binary, filled with the values of one batch after the other."""

    offsets: cython.int[::1]
    data: cython.uchar[::1]
    validity: cython.uchar[::1]
    size: cython.Py_ssize_t
    count = cython.declare(cython.Py_ssize_t, visibility="readonly")
    null_count = cython.declare(cython.Py_ssize_t, visibility="readonly")

    def __init__(self, offsets: cython.int[::1], data: cython.uchar[::1], validity: cython.uchar[::1]):
        self.offsets, self.data, self.validity = offsets, data, validity
        self.count = self.null_count = self.size = 0
        offsets[0] = 0

    def append(
        self,
        source: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        layout: bytearray,
        position: cython.Py_ssize_t,
        count: cython.Py_ssize_t,
    ):
        """Adds `count` values. Their layout begins at `position` of `layout`; it counts from `start` in `source`."""
        row: cython.Py_ssize_t = self.count
        at: cython.Py_ssize_t = self.size
        more: cython.Py_ssize_t = total_size(layout, position, count)
        if more > len(self.data) - at or count > len(self.offsets) - 1 - row or count > 8 * len(self.validity) - row:
            raise ValueError(f"a column has no room for {count} values of {more} bytes")
        if count == 0:
            return
        index: cython.Py_ssize_t
        size: cython.Py_ssize_t
        nulls: cython.Py_ssize_t = 0
        starts: cython.p_int = integers(layout, position, count)
        sizes: cython.p_int = integers(layout, position + 4 * count, count)
        if cython.compiled:
            offsets: cython.p_int = cython.address(self.offsets[0])
            bits: cython.p_uchar = cython.address(self.validity[0])
            data: cython.p_uchar = cython.address(self.data[0])
            records: cython.p_const_uchar = cython.address(source[start])
        else:
            offsets, bits, data, records = self.offsets, self.validity, self.data, memoryview(source)[start:]
        with cython.nogil:
            for index in range(count):
                size = sizes[index]
                if row & 7 == 0:
                    bits[row >> 3] = 0
                if size < 0:
                    nulls += 1
                else:
                    bits[row >> 3] |= 1 << (row & 7)
                    if cython.compiled:
                        memcpy(data + at, records + starts[index], size)
                    else:
                        data[at : at + size] = records[starts[index] : starts[index] + size]
                    at += size
                row += 1
                offsets[row] = cython.cast(cython.int, at)
        self.count, self.size, self.null_count = row, at, self.null_count + nulls


def fill_sums(
    column: cython.longlong[::1],
    row: cython.Py_ssize_t,
    base: cython.longlong,
    layout: bytearray,
    position: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
):
    """Writes `base` plus each of the int32 deltas at `position` into a column from `row` on, as Java adds."""
    index: cython.Py_ssize_t
    deltas: cython.p_int = integers(layout, position, count)
    check_room(row, count, len(column))
    with cython.nogil:
        for index in range(count):
            column[row + index] = add_int64(base, deltas[index])


def fill_wide_sums(
    column: cython.longlong[::1], row: cython.Py_ssize_t, base: cython.longlong, layout: bytearray, count: cython.Py_ssize_t
):
    """The same with the deltas of 64 bits that a layout begins with."""
    index: cython.Py_ssize_t
    integers(layout, 0, 2 * count)  # as many bytes as there have to be
    if cython.compiled:
        deltas: cython.p_longlong = cython.cast(cython.p_longlong, address(layout))
    else:
        deltas = memoryview(layout)[: 8 * count].cast("q")
    check_room(row, count, len(column))
    with cython.nogil:
        for index in range(count):
            column[row + index] = add_int64(base, deltas[index])


def fill_ends(ends: cython.int[::1], row: cython.Py_ssize_t, layout: bytearray, position: cython.Py_ssize_t, count: cython.Py_ssize_t):
    """Writes where lists end, of the sizes at `position`, into the offsets of a list column; that of `row` is there."""
    index: cython.Py_ssize_t
    sizes: cython.p_int = integers(layout, position, count)
    check_room(row, count + 1, len(ends))
    with cython.nogil:
        for index in range(count):
            ends[row + index + 1] = ends[row + index] + sizes[index]


@cython.cfunc
def check_room(row: cython.Py_ssize_t, count: cython.Py_ssize_t, room: cython.Py_ssize_t) -> cython.bint:
    if row < 0 or count > room - row:
        raise ValueError(f"a column of {room} rows has no room for {count} from row {row}")
    return True


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def add_int64(left: cython.longlong, right: cython.longlong) -> cython.longlong:
    if cython.compiled:
        return cython.cast(cython.longlong, cython.cast(cython.ulonglong, left) + cython.cast(cython.ulonglong, right))
    else:  # noqa: RET505 - compiled, only one of the two is there
        return wrap_int64(left + right)


def lay_out(
    validity: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.uchar][::1],
    first: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    limit: cython.longlong,
    nullable: cython.bint,
    wide: cython.bint,
) -> bytearray:
    """The layout of `count` values of a column of Arrow from the one numbered `first`; positions count from where that one begins.

    `offsets` are int64 if `wide`, else int32, and reach to `limit` at most; `validity` is a bitmap, looked at if `nullable`. `ValueError`
    where the buffers do not belong together.
    """
    index: cython.Py_ssize_t
    start: cython.longlong
    stop: cython.longlong
    base: cython.longlong = 0
    found: cython.Py_ssize_t = 0
    largest: cython.longlong = LARGEST_COLUMN
    known: cython.Py_ssize_t = len(offsets) // (8 if wide else 4)
    if first < 0 or count < 0 or (count > 0 and count > known - first - 1) or (nullable and count > 8 * len(validity) - first):
        raise ValueError(f"the buffers of an Arrow column do not hold {count} values from value {first}")
    if cython.compiled:
        narrow: cython.p_const_int = cython.cast(cython.p_const_int, cython.address(offsets[0]))
        long: cython.p_const_longlong = cython.cast(cython.p_const_longlong, cython.address(offsets[0]))
    else:
        narrow = memoryview(offsets)[: 4 * (len(offsets) // 4)].cast("i")
        long = memoryview(offsets)[: 8 * (len(offsets) // 8)].cast("q")
    layout = bytearray(8 * count)
    starts: cython.p_int = integers(layout, 0, count)
    sizes: cython.p_int = integers(layout, 4 * count, count)
    with cython.nogil:
        if count > 0:
            base = long[first] if wide else narrow[first]
        for index in range(first, first + count):
            starts[found] = 0
            sizes[found] = -1
            if not nullable or (validity[index >> 3] >> (index & 7)) & 1 != 0:
                start = long[index] if wide else narrow[index]
                stop = long[index + 1] if wide else narrow[index + 1]
                if base < 0 or start < base or stop < start or stop > limit or stop - base > largest:
                    break
                starts[found] = cython.cast(cython.int, start - base)
                sizes[found] = cython.cast(cython.int, stop - start)
            found += 1
    if found < count:
        raise ValueError(f"the offsets of value {first + found} of an Arrow column lie outside of its data, or 2 GiB apart")
    return layout
