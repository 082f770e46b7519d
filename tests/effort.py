"""How hard the tests that draw examples try: ``LAWSPEAKER_EFFORT=10`` draws ten times as many (``make test-long``)."""

from __future__ import annotations

import os
import time


def examples(number: int) -> int:
    """Return how many examples to draw where `number` is enough for every day."""
    return number * int(os.environ.get("LAWSPEAKER_EFFORT", "1"))


REFERENCE_SPEED = 0.082
"""What `speed` gives on the machine on which times were promised."""


def speed() -> float:
    """Return the seconds of a fixed piece of work: how fast this machine is just now."""
    taken = []
    for _ in range(3):
        began = time.perf_counter()
        sum(i * i for i in range(2_000_000))
        taken.append(time.perf_counter() - began)
    return min(taken)
