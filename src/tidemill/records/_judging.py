# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a leader asks of every record that is produced: the loop over a batch. Compiled.

It runs over what `Section` found, and makes objects of nothing but what is refused.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from tidemill import _cython as cython

from tidemill.records.arithmetic import wrap_int64

if cython.compiled:
    from cython.cimports.cpython.bytearray import PyByteArray_AS_STRING

NO_TIMESTAMP = -1
OFFSET_DELTAS, KEY_SIZES = 0, 2  # where they stand among the `PLANES` of a section
JUDGED_BYTES = 8 + 4 * (KEY_SIZES + 1)  # of a layout, for each record


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def add(left: cython.longlong, right: cython.longlong) -> cython.longlong:
    """As Java adds: wrapping at 64 bits."""
    if cython.compiled:
        return cython.cast(cython.longlong, cython.cast(cython.ulonglong, left) + cython.cast(cython.ulonglong, right))
    else:  # noqa: RET505 - compiled, only one of the two is there
        return wrap_int64(left + right)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def negative(value: cython.longlong) -> cython.longlong:
    if cython.compiled:
        return cython.cast(cython.longlong, 0 - cython.cast(cython.ulonglong, value))
    else:  # noqa: RET505
        return wrap_int64(-value)


def judge(
    layout: bytearray,
    count: cython.Py_ssize_t,
    base_offset: cython.longlong,
    base_timestamp: cython.longlong,
    append_time: int | None,
    needs_keys: cython.bint,
    timestamps_matter: cython.bint,
    now: cython.longlong,
    before_max: cython.longlong,
    after_max: cython.longlong,
) -> tuple:
    """The largest timestamp, whether the records' offsets count from 0, and what is refused: pairs of index and timestamp, or None for a
    missing key.

    `append_time` is that of a batch which says LogAppendTime: no producer may.
    """
    index: cython.Py_ssize_t
    timestamp: cython.longlong
    age: cython.longlong
    stamped: cython.bint = append_time is not None
    largest: cython.longlong = NO_TIMESTAMP
    in_order: cython.bint = True
    refused: list = []
    if count < 0 or count > len(layout) // JUDGED_BYTES:
        raise ValueError(f"{len(layout)} bytes are no layout of {count} records")
    if cython.compiled:
        timestamps: cython.pointer[cython.longlong] = cython.cast(
            cython.pointer[cython.longlong], cython.cast(cython.p_char, PyByteArray_AS_STRING(layout))
        )
        planes: cython.p_int = cython.cast(cython.p_int, timestamps + count)
    else:
        timestamps = memoryview(layout)[: 8 * count].cast("q")
        planes = memoryview(layout)[8 * count :].cast("i")
    timestamp = append_time if stamped else 0
    for index in range(count):
        if not stamped:
            timestamp = add(base_timestamp, timestamps[index])
        if timestamp > largest:
            largest = timestamp
        if add(base_offset, planes[OFFSET_DELTAS * count + index]) != index:
            in_order = False
        if needs_keys and planes[KEY_SIZES * count + index] < 0:
            refused.append((index, None))
        elif timestamps_matter and timestamp != NO_TIMESTAMP:
            age = add(now, negative(timestamp))
            if age > before_max or negative(age) > after_max:
                refused.append((index, timestamp))
        elif stamped:
            refused.append((index, timestamp))
    return largest, in_order, refused
