"""One hypothesis profile for all tests: no deadline, the same examples every time."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

from verifier.cli import waiting

settings.register_profile(
    "pkdp",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
settings.load_profile("pkdp")

# A slow machine says that it is still working; tests read the answer alone. Those about waiting set their own patience.
waiting.PATIENCE = 10**9
