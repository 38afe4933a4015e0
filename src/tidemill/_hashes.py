"""The hashes by which Kafka spreads keys and groups over partitions, bit for bit those of its Java code.

Compiled where that is possible, since a producer hashes every key; every sum is cut to 32 bits by hand, so that the plain
Python form gives the same results.
"""

try:
    import cython
except ImportError:
    from tidemill import _cython as cython


def murmur2(data) -> int:
    """The 32-bit murmur2 hash of bytes, signed as Java's int is, with the seed that Kafka's producers use."""
    return _signed(_murmur2(data if type(data) is bytes else bytes(memoryview(data))))


def partition_for_key(key, partitions) -> int:
    """The partition to which a producer sends a record with this key: the hash without its sign bit, modulo their number."""
    if partitions < 1:
        raise ValueError(f"a topic has at least one partition, not {partitions}")
    return (_murmur2(key if type(key) is bytes else bytes(memoryview(key))) & 0x7FFFFFFF) % partitions


def java_hash(text) -> int:
    """`String.hashCode()` of Java: over UTF-16 units, signed 32 bits. A lone surrogate is a unit like any other."""
    if not isinstance(text, str):
        raise TypeError(f"a string is hashed here, not {type(text).__name__}")
    return _signed(_unit_hash(text.encode("utf-16-le", "surrogatepass")))


@cython.cfunc
@cython.exceptval(check=False)
def _signed(value: cython.uint) -> cython.longlong:
    sign: cython.longlong = 0x80000000
    wide: cython.longlong = value
    return (wide ^ sign) - sign


# Constants are typed: Cython makes Python objects of literals beyond 31 bits. Products are 64 bits wide, so that the plain form,
# whose numbers have no end, and the compiled one cut the same number.


@cython.cfunc
@cython.exceptval(check=False)
def _murmur2(key: bytes) -> cython.uint:
    data: cython.p_const_uchar = key
    size: cython.ulonglong = len(key)
    whole: cython.ulonglong = size & ~3
    factor: cython.ulonglong = 0x5BD1E995
    mask: cython.ulonglong = 0xFFFFFFFF
    seed: cython.ulonglong = 0x9747B28C
    at: cython.ulonglong = 0
    mixed: cython.ulonglong
    result: cython.ulonglong = (seed ^ size) & mask
    while at < whole:
        mixed = data[at] | data[at + 1] << 8 | data[at + 2] << 16 | cython.cast(cython.ulonglong, data[at + 3]) << 24
        mixed = mixed * factor & mask
        mixed = (mixed ^ mixed >> 24) * factor & mask
        result = result * factor & mask ^ mixed
        at += 4
    if size > whole:
        if size - whole > 2:
            result ^= data[whole + 2] << 16
        if size - whole > 1:
            result ^= data[whole + 1] << 8
        result = (result ^ data[whole]) * factor & mask
    result = (result ^ result >> 13) * factor & mask
    return result ^ result >> 15


@cython.cfunc
@cython.exceptval(check=False)
def _unit_hash(units: bytes) -> cython.uint:
    """Over UTF-16 units of two bytes, the lower one first."""
    data: cython.p_const_uchar = units
    size: cython.Py_ssize_t = len(units)
    mask: cython.ulonglong = 0xFFFFFFFF
    at: cython.Py_ssize_t = 0
    result: cython.ulonglong = 0
    while at < size:
        result = (31 * result + (data[at] | data[at + 1] << 8)) & mask
        at += 2
    return result
