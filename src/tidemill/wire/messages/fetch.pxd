cimport cython
from libc.stdint cimport int64_t

from tidemill.wire.message cimport Message, Struct
from tidemill.wire.reader cimport Reader
from tidemill.wire.writer cimport Writer


cdef class ReplicaState(Struct):
    cdef public object replica_id
    cdef public object replica_epoch
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class FetchPartition(Struct):
    cdef public object partition
    cdef public object current_leader_epoch
    cdef public object fetch_offset
    cdef public object last_fetched_epoch
    cdef public object log_start_offset
    cdef public object partition_max_bytes
    cdef public object replica_directory_id
    cdef public object high_watermark
    cdef public object unknown_tagged_fields
    @cython.locals(tag=int64_t)
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class FetchTopic(Struct):
    cdef public object topic
    cdef public object topic_id
    cdef public object partitions
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class ForgottenTopic(Struct):
    cdef public object topic
    cdef public object topic_id
    cdef public object partitions
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class FetchRequest(Message):
    cdef public object cluster_id
    cdef public object replica_id
    cdef public object replica_state
    cdef public object max_wait_ms
    cdef public object min_bytes
    cdef public object max_bytes
    cdef public object isolation_level
    cdef public object session_id
    cdef public object session_epoch
    cdef public object topics
    cdef public object forgotten_topics_data
    cdef public object rack_id
    cdef public object unknown_tagged_fields
    @cython.locals(tag=int64_t)
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class EpochEndOffset(Struct):
    cdef public object epoch
    cdef public object end_offset
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class LeaderIdAndEpoch(Struct):
    cdef public object leader_id
    cdef public object leader_epoch
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class SnapshotId(Struct):
    cdef public object end_offset
    cdef public object epoch
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class AbortedTransaction(Struct):
    cdef public object producer_id
    cdef public object first_offset
    cdef public object unknown_tagged_fields
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class PartitionData(Struct):
    cdef public object partition_index
    cdef public object error_code
    cdef public object high_watermark
    cdef public object last_stable_offset
    cdef public object log_start_offset
    cdef public object diverging_epoch
    cdef public object current_leader
    cdef public object snapshot_id
    cdef public object aborted_transactions
    cdef public object preferred_read_replica
    cdef public object records
    cdef public object unknown_tagged_fields
    @cython.locals(tag=int64_t)
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)


cdef class FetchableTopicResponse(Struct):
    cdef public object topic
    cdef public object topic_id
    cdef public object partitions
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


cdef class FetchResponse(Message):
    cdef public object throttle_time_ms
    cdef public object error_code
    cdef public object session_id
    cdef public object responses
    cdef public object node_endpoints
    cdef public object unknown_tagged_fields
    @cython.locals(tag=int64_t)
    cpdef read(self, Reader reader, int version)
    cpdef write(self, Writer writer, int version)
