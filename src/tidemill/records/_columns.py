# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Between the layout of records and Arrow's buffers: the loops that run once a value. Compiled.

A layout names ranges of bytes: an array of int32 positions, then one of their sizes, where -1 is null. `_loops.Section` finds them in a
batch, `lay_out` in Arrow's offsets. Arrow has binary as int32 offsets into one run of data, and a bitmap of what is not null.

Rules kept here:

- A layout was checked by whoever made it; `Binary` copies what it says. The buffers it makes fit what they hold to the byte, as far as
  `bytearray` lets them, and never hold more than Arrow's 32-bit offsets reach.
- The loops give up the GIL.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from tidemill import _cython as cython

from tidemill.records.arithmetic import wrap_int64

if cython.compiled:
    from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING, PyByteArray_Resize
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
def integers(buffer: bytearray, position: cython.Py_ssize_t) -> cython.p_int:
    """The int32 numbers that begin `position` bytes into a buffer."""
    if cython.compiled:
        return cython.cast(cython.p_int, address(buffer) + position)
    else:  # noqa: RET505
        return memoryview(buffer)[position : position + (len(buffer) - position) // 4 * 4].cast("i")


@cython.cfunc
@cython.inline
def longs(buffer: bytearray, position: cython.Py_ssize_t) -> cython.p_longlong:
    if cython.compiled:
        return cython.cast(cython.p_longlong, address(buffer) + position)
    else:  # noqa: RET505
        return memoryview(buffer)[position : position + (len(buffer) - position) // 8 * 8].cast("q")


@cython.cfunc
def grow(buffer: bytearray, more: cython.Py_ssize_t) -> cython.bint:
    """Makes a buffer longer; what is new in it has yet to be written."""
    if cython.compiled:
        PyByteArray_Resize(buffer, len(buffer) + more)
    else:
        buffer.extend(bytes(more))
    return True


@cython.final
@cython.cclass
class Binary:
    """A column of binary, which grows by the values of one batch at a time."""

    offsets = cython.declare(bytearray, visibility="readonly")
    data = cython.declare(bytearray, visibility="readonly")
    validity = cython.declare(bytearray, visibility="readonly")
    count = cython.declare(cython.Py_ssize_t, visibility="readonly")
    null_count = cython.declare(cython.Py_ssize_t, visibility="readonly")

    def __init__(self):
        self.offsets, self.data, self.validity = bytearray(4), bytearray(), bytearray()
        self.count = self.null_count = 0

    def append(
        self,
        source: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        layout: bytearray,
        position: cython.Py_ssize_t,
        count: cython.Py_ssize_t,
    ):
        """Adds `count` values. Their layout begins at `position` of `layout`; it counts from `start` in `source`."""
        index: cython.Py_ssize_t
        size: cython.Py_ssize_t
        at: cython.Py_ssize_t = len(self.data)
        row: cython.Py_ssize_t = self.count
        total: cython.Py_ssize_t = 0
        nulls: cython.Py_ssize_t = 0
        if count == 0:
            return
        starts: cython.p_int = integers(layout, position)
        sizes: cython.p_int = integers(layout, position + 4 * count)
        with cython.nogil:
            for index in range(count):
                total += max(sizes[index], 0)
        if total > LARGEST_COLUMN - at:
            raise OverflowError(f"a column of Arrow holds {LARGEST_COLUMN} bytes: the next chunk takes what comes")
        grow(self.data, total)
        grow(self.offsets, 4 * count)
        grow(self.validity, (row + count + 7) // 8 - len(self.validity))
        offsets: cython.p_int = integers(self.offsets, 4)
        bits: cython.p_uchar = address(self.validity)
        data: cython.p_uchar = address(self.data)
        if cython.compiled:
            records: cython.p_const_uchar = cython.address(source[start])
        else:
            records = memoryview(source)[start:]
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
                offsets[row] = cython.cast(cython.int, at)
                row += 1
        self.count, self.null_count = row, self.null_count + nulls


def append_sums(
    column: bytearray, base: cython.longlong, layout: bytearray, position: cython.Py_ssize_t, count: cython.Py_ssize_t, wide: cython.bint
):
    """Adds `base` plus each of `count` deltas to a column of int64; they begin at `position`, and are int64 if `wide`, else int32."""
    index: cython.Py_ssize_t
    deltas: cython.p_int = integers(layout, position)
    wide_deltas: cython.p_longlong = longs(layout, position)
    first: cython.Py_ssize_t = len(column)
    grow(column, 8 * count)
    out: cython.p_longlong = longs(column, first)
    if cython.compiled:
        with cython.nogil:
            for index in range(count):
                out[index] = cython.cast(
                    cython.longlong,
                    cython.cast(cython.ulonglong, base)
                    + cython.cast(cython.ulonglong, wide_deltas[index] if wide else cython.cast(cython.longlong, deltas[index])),
                )
    else:
        for index in range(count):
            out[index] = wrap_int64(base + (wide_deltas[index] if wide else deltas[index]))


def append_counts(offsets: bytearray, layout: bytearray, position: cython.Py_ssize_t, count: cython.Py_ssize_t):
    """Adds to the int32 offsets of a list column where the next `count` lists end, of which the layout has the lengths."""
    index: cython.Py_ssize_t
    first: cython.Py_ssize_t = len(offsets) // 4
    sizes: cython.p_int = integers(layout, position)
    grow(offsets, 4 * count)
    out: cython.p_int = integers(offsets, 0)
    with cython.nogil:
        for index in range(first, first + count):
            out[index] = out[index - 1] + sizes[index - first]


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
    layout = bytearray()
    grow(layout, 8 * count)
    starts: cython.p_int = integers(layout, 0)
    sizes: cython.p_int = integers(layout, 4 * count)
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
