"""Kafka's wire protocol."""
