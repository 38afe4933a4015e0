cimport cython
from libc.stdint cimport int64_t

from tidemill.wire.message cimport Message, Struct
from tidemill.wire.reader cimport Reader
from tidemill.wire.writer cimport Writer


cdef class PartitionProduceData(Struct):
    cdef public object index
    cdef public object records
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class TopicProduceData(Struct):
    cdef public object name
    cdef public object topic_id
    cdef public object partition_data
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class ProduceRequest(Message):
    cdef public object transactional_id
    cdef public object acks
    cdef public object timeout_ms
    cdef public object topic_data
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class BatchIndexAndErrorMessage(Struct):
    cdef public object batch_index
    cdef public object batch_index_error_message
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class LeaderIdAndEpoch(Struct):
    cdef public object leader_id
    cdef public object leader_epoch
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class PartitionProduceResponse(Struct):
    cdef public object index
    cdef public object error_code
    cdef public object base_offset
    cdef public object log_append_time_ms
    cdef public object log_start_offset
    cdef public object record_errors
    cdef public object error_message
    cdef public object current_leader
    cdef public object unknown_tagged_fields
    @cython.locals(tag=int64_t)
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class TopicProduceResponse(Struct):
    cdef public object name
    cdef public object topic_id
    cdef public object partition_responses
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class NodeEndpoint(Struct):
    cdef public object node_id
    cdef public object host
    cdef public object port
    cdef public object rack
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class ProduceResponse(Message):
    cdef public object responses
    cdef public object throttle_time_ms
    cdef public object node_endpoints
    cdef public object unknown_tagged_fields
    @cython.locals(tag=int64_t)
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)
