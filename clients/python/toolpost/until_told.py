"""Sending again what can be sent again."""

from __future__ import annotations

import threading
from collections.abc import Callable

from .error import HostError
from .pause import ATTEMPTS_MAX, Pauses
from .wire import Json


def until_told(send: Callable[[], Json], pauses: Pauses, stopped: threading.Event) -> Json:
    """Sends until there is a receipt: 10 times with growing pauses while it is lost or the host asks to come later.

    Raises the last failure, or CANCELLED when it was stopped during a pause.
    """
    failures = 0
    while True:
        try:
            return send()
        except HostError as fault:
            failures += 1
            may_be_lost = fault.retryable or fault.code == "INVALID_RESPONSE"
            if stopped.is_set() or failures >= ATTEMPTS_MAX or not may_be_lost:
                raise
        pauses.wait(failures, stopped)
        if stopped.is_set():
            raise HostError("CANCELLED", "Nobody waits for it any more; it was not sent again.", False, "uncertain")
