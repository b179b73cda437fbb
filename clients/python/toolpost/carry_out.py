"""Carrying one execution out, and giving its result until its receipt is there."""

from __future__ import annotations

import inspect
import logging
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .error import HostError
from .pause import Pauses
from .plain_copy import NoJsonError, plain_copy
from .tool_context import ToolContext
from .until_told import until_told
from .wire import BODY_BYTES_MAX, Json, json_bytes

#: Gets the arguments and the context; what it returns is the output, any JSON.
Function = Callable[[Json, ToolContext], Any]
#: Gets what a function raised, or what is wrong with its output, and the execution.
OnFailure = Callable[[BaseException, Json], object]

#: Gets what is set when nobody waits for the receipt of a result any more.
OnSending = Callable[[threading.Event], object]

#: With these the host has decided about the execution, and the run's stream tells how it goes on.
_DECIDED = ("TOOL_EXECUTION_NOT_FOUND", "TOOL_RESULT_CONFLICT", "INVALID_TOOL_OUTPUT", "TOOL_OUTPUT_LIMIT")
#: With these the host has not even looked at the output, and still waits for a result.
_UNREAD = ("INVALID_REQUEST", "INVALID_TOOL_EXECUTION", "BODY_TOO_LARGE")
_LOG = logging.getLogger("toolpost")
_FAILED: Json = {"error": "APPLICATION_TOOL_FAILED"}
#: What a result says beside its output has fewer bytes than are left.
_OUTPUT_BYTES_MAX = BODY_BYTES_MAX - 10_000


@dataclass(frozen=True)
class Carrying:
    """What executions are carried out with."""

    complete: Callable[[Json], Json]
    report: Callable[[Json], Json]
    pauses: Pauses
    on_failure: OnFailure | None

    def carry_out(
        self, function: Function, execution: Json, stopped: threading.Event, on_sending: OnSending | None = None
    ) -> None:
        """Calls the function and gives its output, again under the same key while the receipt is lost.

        Once it is stopped nothing is given. Raises what the host refuses the result with, unless the stream tells it.
        ``on_sending`` gets, with a result on its way, what is set when its receipt is there or nobody waits for one.
        """
        context = ToolContext(self.report, execution, stopped)
        outcome = self._outcome_of(function, execution, context)
        if stopped.is_set():
            return
        is_told = threading.Event()
        if on_sending is not None:
            on_sending(is_told)
        try:
            self._give_and_tell(context, outcome, execution)
        finally:
            is_told.set()

    def _give_and_tell(self, context: ToolContext, outcome: Json, execution: Json) -> None:
        stopped = context.stopped
        try:
            self._give(context, outcome, execution)
        except HostError as error:
            if error.code not in _DECIDED:
                if stopped.is_set():
                    return
                raise
            # An output that the host did not take is for its author to hear of, also when the stream told it first.
            if error.code != "TOOL_EXECUTION_NOT_FOUND":
                self._tell(error, execution)

    def _outcome_of(self, function: Function, execution: Json, context: ToolContext) -> Json:
        try:
            return {"output": _sendable(function(context.call["arguments"], context))}
        except Exception as fault:
            if not context.stopped.is_set():
                self._tell(fault, execution)
            return _FAILED

    def _give(self, context: ToolContext, outcome: Json, execution: Json) -> None:
        try:
            self._complete(context, outcome)
        except HostError as error:
            if error.code not in _UNREAD:
                raise
            self._tell(error, execution)
            self._complete(context, _FAILED)

    def _complete(self, context: ToolContext, outcome: Json) -> None:
        result = {**context.identity, **outcome, "resultKey": secrets.token_hex(16)}
        until_told(lambda: self.complete(result), self.pauses, context.stopped)

    def _tell(self, fault: BaseException, execution: Json) -> None:
        if self.on_failure is not None:
            self.on_failure(fault, execution)
            return
        # Nobody else hears of it: the host is told that it failed, and not why.
        name, run_id = execution["call"]["name"], execution["runId"]
        _LOG.error("The function %s failed in the run %s.", name, run_id, exc_info=fault)


def _sendable(output: Any) -> Any:
    """A copy, so that what is sent again is the same. Raises TypeError for what is no JSON, ValueError for too much."""
    try:
        copy = plain_copy(output)
    except NoJsonError as fault:
        if inspect.iscoroutine(output):
            output.close()
        raise TypeError(f"The output is no JSON: {fault}.") from None
    size = len(json_bytes(copy))
    if size > _OUTPUT_BYTES_MAX:
        raise ValueError(f"The output has {size} bytes, and no more than {_OUTPUT_BYTES_MAX} can be sent.")
    return copy
