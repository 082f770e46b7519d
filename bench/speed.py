"""How fast this machine is just now, beside the one on which times were promised."""

from __future__ import annotations

import time

__all__ = ["REFERENCE_SPEED", "TOLERANCE", "slowness", "speed"]

REFERENCE_SPEED = 0.082
"""What `speed` gives on the machine on which times were promised."""

TOLERANCE = 1.15
"""So many times slower a machine may be and still be held to what was promised."""


def speed() -> float:
    """Return the seconds of a fixed piece of work: how fast this machine is just now."""
    taken = []
    for _ in range(3):
        began = time.process_time()
        sum(i * i for i in range(2_000_000))
        taken.append(time.process_time() - began)
    return min(taken)


def slowness() -> float:
    """Return how many times slower this machine is than the one on which times were promised; at least 1."""
    return max(1.0, speed() / REFERENCE_SPEED)
