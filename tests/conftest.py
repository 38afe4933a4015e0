"""What holds for every test: stacks on a hang, a summary of what was skipped and why."""

import os

from hypothesis import HealthCheck, settings

from support.oracle import apache_kafka

__all__ = ["apache_kafka"]

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("thorough", parent=settings.get_profile("default"), max_examples=2_000)
settings.load_profile(os.environ.get("TIDEMILL_HYPOTHESIS", "default"))
