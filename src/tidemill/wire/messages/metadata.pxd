cimport cython
from libc.stdint cimport int64_t

from tidemill.wire.message cimport Message, Struct
from tidemill.wire.reader cimport Reader
from tidemill.wire.writer cimport Writer


cdef class MetadataRequestTopic(Struct):
    cdef public object topic_id
    cdef public object name
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class MetadataRequest(Message):
    cdef public object topics
    cdef public object allow_auto_topic_creation
    cdef public object include_cluster_authorized_operations
    cdef public object include_topic_authorized_operations
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class MetadataResponseBroker(Struct):
    cdef public object node_id
    cdef public object host
    cdef public object port
    cdef public object rack
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class MetadataResponsePartition(Struct):
    cdef public object error_code
    cdef public object partition_index
    cdef public object leader_id
    cdef public object leader_epoch
    cdef public object replica_nodes
    cdef public object isr_nodes
    cdef public object offline_replicas
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class MetadataResponseTopic(Struct):
    cdef public object error_code
    cdef public object name
    cdef public object topic_id
    cdef public object is_internal
    cdef public object partitions
    cdef public object topic_authorized_operations
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class MetadataResponse(Message):
    cdef public object throttle_time_ms
    cdef public object brokers
    cdef public object cluster_id
    cdef public object controller_id
    cdef public object topics
    cdef public object cluster_authorized_operations
    cdef public object error_code
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)
