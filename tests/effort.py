"""How hard the tests that draw examples try: ``LAWSPEAKER_EFFORT=10`` draws ten times as many (``make test-long``)."""

from __future__ import annotations

import os


def examples(number: int) -> int:
    """Return how many examples to draw where `number` is enough for every day."""
    return number * int(os.environ.get("LAWSPEAKER_EFFORT", "1"))
