"""Growing pauses between attempts."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import dataclass

#: Attempts in a row that bring nothing: with the pauses about a minute, as long as a host takes to start again.
ATTEMPTS_MAX = 10
#: Seconds of the first pause; each one doubles the one before, up to the longest.
PAUSE_SECONDS_FIRST = 0.25
PAUSE_SECONDS_MAX = 15.0


@dataclass(frozen=True)
class Pauses:
    """What pauses are made with: ``sleep`` gets seconds; None = waiting, which ends early when the work is stopped."""

    sleep: Callable[[float], object] | None = None
    dice: Callable[[], float] = random.random

    def wait(self, failures: int, stopped: threading.Event) -> None:
        """Waits after so many failures in a row, spread over half of the time, so that clients do not come at once."""
        # The exponent is bounded too: a worker may fail for days.
        whole = min(PAUSE_SECONDS_MAX, PAUSE_SECONDS_FIRST * 2 ** min(failures - 1, 10))
        seconds = whole * (0.5 + self.dice() / 2)
        if self.sleep is None:
            stopped.wait(seconds)
        else:
            self.sleep(seconds)
