cimport cython
from cpython.bytes cimport PyBytes_GET_SIZE
from libc.stdint cimport int64_t
from libc.string cimport memcpy

cdef int64_t _MAX_STRING, _MAX_INT32, _MIN_INT32, _MAX_UINT32, _OWN_PART


@cython.locals(number=int64_t)
cdef int64_t _number(value, int64_t low, int64_t high) except? -1
@cython.locals(number=int64_t)
cdef int64_t _int64(value) except? -1


@cython.final
cdef class Writer:
    cdef public bint flexible
    cdef list _parts
    cdef bytearray _buffer
    cdef unsigned char *_pointer
    cdef Py_ssize_t _at, _capacity

    cpdef list parts(self)
    cpdef bytes join(self)
    cdef bytes _last(self)
    @cython.locals(at=Py_ssize_t, capacity=Py_ssize_t)
    cdef inline Py_ssize_t _room(self, Py_ssize_t size) except -1

    @cython.locals(at=Py_ssize_t)
    cpdef boolean(self, value)
    @cython.locals(at=Py_ssize_t, number=int64_t)
    cpdef int8(self, value)
    @cython.locals(at=Py_ssize_t)
    cdef inline int _put16(self, int64_t number) except -1
    @cython.locals(at=Py_ssize_t)
    cdef inline int _put32(self, int64_t number) except -1
    cpdef int16(self, value)
    cpdef uint16(self, value)
    cpdef int32(self, value)
    cpdef uint32(self, value)
    @cython.locals(at=Py_ssize_t, number=int64_t, index=cython.int)
    cpdef int64(self, value)
    cpdef float64(self, value)
    cpdef uuid(self, value)
    cpdef uvarint(self, value)
    @cython.locals(at=Py_ssize_t)
    cdef inline int _put_uvarint(self, int64_t number) except -1
    @cython.locals(at=Py_ssize_t, held=Py_ssize_t, source="const unsigned char *")
    cdef inline int _copy(self, data, Py_ssize_t size) except -1

    @cython.locals(encoded=bytes, size=Py_ssize_t)
    cpdef string(self, value)
    cpdef nullable_string(self, value)
    @cython.locals(flexible=cython.bint)
    cpdef nullable_int16_string(self, value)
    @cython.locals(size=Py_ssize_t)
    cpdef binary(self, value)
    cpdef nullable_binary(self, value)
    cdef inline int _put_null(self) except -1
    @cython.locals(size=Py_ssize_t)
    cdef inline int _put_count(self, values) except -1

    cpdef nested(self, value, kind, version)
    cpdef nullable_nested(self, value, kind, version)
    cpdef nullable_tagged(self, value, kind, version)
    cpdef array(self, structs, kind, version)
    cpdef nullable_array(self, structs, kind, version)
    cpdef int8_array(self, values)
    cpdef int16_array(self, values)
    cpdef int32_array(self, values)
    cpdef nullable_int32_array(self, values)
    cpdef int64_array(self, values)
    cpdef uuid_array(self, values)
    cpdef nullable_uuid_array(self, values)
    cpdef string_array(self, values)
    cpdef nullable_string_array(self, values)
    cpdef tagged_fields(self, known, unknown)
    cpdef unknown_tagged_fields(self, unknown)
