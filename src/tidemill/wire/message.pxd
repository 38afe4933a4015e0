from tidemill.wire.reader cimport Reader
from tidemill.wire.writer cimport Writer


cdef class Struct:
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class Message(Struct):
    pass
