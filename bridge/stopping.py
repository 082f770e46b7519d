"""When work has to end early: a bound of time is met, or somebody presses Ctrl-C.

Long work asks a `Stop` now and then. So an answer is always whole as far as it goes: nothing breaks off in the middle
of a step, and what was found can still be told.
"""

from __future__ import annotations

import contextlib
import math
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType

__all__ = ["BOUNDS", "Stop", "asked_to_stop", "on_request"]

BOUNDS = frozenset({"states", "seconds", "memory", "interrupted"})
"""Limits that the user's own bounds or Ctrl-C set, unlike those in the rules' own vocabulary."""

_EVERY = 256

_asked = False


class Stop:
    """A moment at which work has to end, and Ctrl-C before it.

    Parameters
    ----------
    seconds
        How much time there is from now on.
    heeds
        Whether Ctrl-C counts; not where it has already ended what came before.
    """

    def __init__(self, seconds: float = math.inf, *, heeds: bool = True) -> None:
        self.heeds = heeds
        self.until = time.monotonic() + seconds
        self._count = 0

    @property
    def left(self) -> float:
        """How many seconds are left, 0 where none are."""
        return max(0.0, self.until - time.monotonic())

    def reason(self) -> str:
        """Return why work has to end now, as a limit of a graph; empty where it may go on."""
        if _asked and self.heeds:
            return "interrupted"
        return "seconds" if time.monotonic() > self.until else ""

    def now_and_then(self) -> str:
        """Do what `reason` does, but look only every few hundred calls; for the inside of loops."""
        self._count += 1
        return "" if self._count % _EVERY else self.reason()


def asked_to_stop() -> bool:
    """Whether Ctrl-C was pressed while `on_request` was in force."""
    return _asked


@contextlib.contextmanager
def on_request() -> Iterator[None]:
    """Let the first Ctrl-C only ask for an end, so that a partial answer can be given; the second ends at once."""
    global _asked  # noqa: PLW0603
    _asked = False
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(number: int, frame: FrameType | None) -> None:
        global _asked  # noqa: PLW0603
        _asked = True
        signal.signal(number, signal.default_int_handler)

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        _asked = False
