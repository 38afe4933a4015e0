"""Partition assignment strategies, as pure functions."""
