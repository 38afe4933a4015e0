"""Record batches: what Kafka stores and sends."""
