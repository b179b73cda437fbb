"""What a function is told beside its arguments."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from .arguments import refused
from .error import HostError
from .wire import REMARK_CHARACTERS_MAX, Json

_NOTHING: Any = object()


class ToolContext:
    """The call that a function carries out."""

    def __init__(self, report: Callable[[Json], object], execution: Json, stopped: threading.Event) -> None:
        self._report = report
        self.execution_id: str = execution["executionId"]
        self.run_id: str = execution["runId"]
        self.call: Json = execution["call"]
        self.call_id: str = self.call["id"]
        self.name: str = self.call["name"]
        #: Set when nobody waits for the output any more: look at it before every effect.
        self.stopped = stopped
        #: The same for every execution of the same call: a key for services that must not do a thing twice.
        self.idempotency_key = f"{self.run_id}:{self.call_id}"

    @property
    def identity(self) -> Json:
        """The three ids that results and progress name."""
        return {"executionId": self.execution_id, "runId": self.run_id, "callId": self.call_id}

    def report_progress(
        self, message: str | None = None, fraction: float | None = None, *, output: Any = _NOTHING
    ) -> None:
        """Says that work was done: in up to 2,000 characters, how far it is (0 to 1), and what there is so far.

        It resets the run's idle clock: never call it from a timer. Raises INVALID_REQUEST, and nothing is sent;
        CANCELLED when ``stopped`` is set already; TOOL_EXECUTION_NOT_FOUND, which sets it; what the host says.
        """
        if self.stopped.is_set():
            raise HostError("CANCELLED", "Nobody waits for this call any more; nothing was sent.")
        said: Json = {}
        if message is not None:
            said["message"] = _message(message)
        if fraction is not None:
            said["fraction"] = _fraction(fraction)
        if output is not _NOTHING:
            said["output"] = output
        try:
            self._report({**said, **self.identity})
        except HostError as error:
            if error.code == "TOOL_EXECUTION_NOT_FOUND":
                self.stopped.set()
            raise


def _message(message: object) -> str:
    if not isinstance(message, str) or len(message) > REMARK_CHARACTERS_MAX:
        raise refused(f"The message of progress must be a text of at most {REMARK_CHARACTERS_MAX:,} characters")
    return message


def _fraction(fraction: object) -> float:
    # NaN fails every comparison.
    if isinstance(fraction, (int, float)) and not isinstance(fraction, bool) and 0 <= fraction <= 1:
        return fraction
    raise refused("The fraction of progress must be a number from 0 to 1")
