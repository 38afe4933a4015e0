cimport cython
from libc.stdint cimport int64_t

from tidemill.wire.message cimport Message, Struct
from tidemill.wire.reader cimport Reader
from tidemill.wire.writer cimport Writer


cdef class JoinGroupRequestProtocol(Struct):
    cdef public object name
    cdef public object metadata
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class JoinGroupRequest(Message):
    cdef public object group_id
    cdef public object session_timeout_ms
    cdef public object rebalance_timeout_ms
    cdef public object member_id
    cdef public object group_instance_id
    cdef public object protocol_type
    cdef public object protocols
    cdef public object reason
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class JoinGroupResponseMember(Struct):
    cdef public object member_id
    cdef public object group_instance_id
    cdef public object metadata
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class JoinGroupResponse(Message):
    cdef public object throttle_time_ms
    cdef public object error_code
    cdef public object generation_id
    cdef public object protocol_type
    cdef public object protocol_name
    cdef public object leader
    cdef public object skip_assignment
    cdef public object member_id
    cdef public object members
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)
