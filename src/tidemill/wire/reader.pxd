cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t, uint16_t, uint32_t, uint64_t

cdef extern from "Python.h":
    void PyObject_GC_UnTrack(object)


cdef int64_t _MAX_STRING, _MAX_INT32, _MAX_UINT32


cdef _untracked(container)


@cython.final
cdef class Reader:
    cdef readonly Py_ssize_t at, end
    cdef public bint flexible
    cdef object _source
    cdef const unsigned char[::1] _view
    cdef const unsigned char *_pointer
    cdef int64_t _tag_size

    cdef _missing(self, int64_t size)
    cdef _not_null(self, what)
    @cython.locals(at=Py_ssize_t)
    cdef inline Py_ssize_t _take(self, int64_t size) except -1

    cdef bytes _bytes(self, Py_ssize_t at, Py_ssize_t size)
    @cython.locals(at=Py_ssize_t)
    cpdef bint boolean(self) except? -1
    @cython.locals(at=Py_ssize_t, number=cython.int)
    cpdef int int8(self) except? -1
    @cython.locals(at=Py_ssize_t, number=uint16_t)
    cpdef int16_t int16(self) except? -1
    cpdef int uint16(self) except? -1
    @cython.locals(at=Py_ssize_t, number=uint32_t)
    cpdef int32_t int32(self) except? -1
    cpdef int64_t uint32(self) except? -1
    @cython.locals(at=Py_ssize_t, number=uint64_t, index=cython.int)
    cpdef int64_t int64(self) except? -1
    @cython.locals(at=Py_ssize_t)
    cpdef float64(self)
    @cython.locals(at=Py_ssize_t)
    cpdef uuid(self)
    @cython.locals(at=Py_ssize_t, byte=cython.int)
    cpdef int64_t uvarint(self) except -1
    @cython.locals(at=Py_ssize_t, byte=int64_t, number=int64_t, index=cython.int)
    cdef int64_t _long_uvarint(self) except -1
    @cython.locals(length=int64_t)
    cdef inline int64_t _compact_length(self) except? -1

    @cython.locals(at=Py_ssize_t)
    cdef str _string(self, int64_t length)
    @cython.locals(length=int64_t)
    cpdef str string(self)
    @cython.locals(length=int64_t)
    cpdef str nullable_string(self)
    @cython.locals(length=int64_t)
    cpdef str nullable_int16_string(self)
    cpdef binary(self)
    @cython.locals(length=int64_t)
    cpdef nullable_binary(self)
    cpdef view(self)
    @cython.locals(at=Py_ssize_t, length=int64_t)
    cpdef nullable_view(self)

    @cython.locals(count=int64_t)
    cpdef int64_t nullable_count(self) except? -1
    @cython.locals(count=int64_t)
    cpdef int64_t count(self) except -1
    cpdef list int8_array(self)
    cpdef list int16_array(self)
    cpdef list int32_array(self)
    @cython.locals(count=int64_t)
    cpdef list nullable_int32_array(self)
    cpdef list int64_array(self)
    cpdef list uuid_array(self)
    @cython.locals(count=int64_t)
    cpdef list nullable_uuid_array(self)
    cpdef list string_array(self)
    @cython.locals(count=int64_t)
    cpdef list nullable_string_array(self)

    cpdef nested(self, type kind, version)
    cpdef nullable_nested(self, type kind, version)
    @cython.locals(present=int64_t)
    cpdef nullable_tagged(self, type kind, version)
    cpdef list array(self, type kind, version)
    @cython.locals(count=int64_t)
    cpdef list nullable_array(self, type kind, version)

    @cython.locals(count=int64_t)
    cpdef int64_t tag_count(self) except -1
    @cython.locals(tag=int64_t)
    cpdef int64_t tag(self) except -1
    cpdef unknown_tagged_field(self, int64_t tag, fields)
    cpdef unknown_tagged_fields(self)
