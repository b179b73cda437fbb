"""Runs the functions that a run asks for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Union

from .error import HostError
from .wire import Json

if TYPE_CHECKING:
    from .client import Client
    from .run_stream import RunStream

#: Gets the arguments and the context; what it returns is the output, any JSON.
Function = Callable[[Json, "ToolContext"], Any]
#: Gets a review (``approvalId``, ``call``, ...); returns a decision, or a mapping of it and a ``reason``.
Decide = Callable[[Json], Union[str, Mapping[str, Any]]]

#: After these the host has taken its decision about the execution, and the stream tells how the run goes on.
_TOLD_BY_STREAM = ("TOOL_EXECUTION_NOT_FOUND", "INVALID_TOOL_OUTPUT", "TOOL_OUTPUT_LIMIT")
_DECIDED_ELSEWHERE = ("APPROVAL_NOT_FOUND",)


class ToolContext:
    """What a function is told beside its arguments."""

    def __init__(self, client: Client, execution: Json, stopped: threading.Event) -> None:
        self._client = client
        self.execution_id: str = execution["executionId"]
        self.run_id: str = execution["runId"]
        self.call: Json = execution["call"]
        #: Set when the run ended or was cancelled: look at it before every effect.
        self.stopped = stopped

    @property
    def identity(self) -> Json:
        return {"executionId": self.execution_id, "runId": self.run_id, "callId": self.call["id"]}

    def report_progress(self, message: str | None = None, fraction: float | None = None, **more: Any) -> None:
        """Says that work was done, and how far it is; ``output=`` what there is so far. Never call it from a timer."""
        said = {"message": message, "fraction": fraction}
        known = {key: value for key, value in said.items() if value is not None}
        self._client.report_tool_progress({**self.identity, **known, **more})


class _Service:
    """One run and the threads that work for it."""

    def __init__(
        self, client: Client, stream: RunStream, functions: Mapping[str, Function], decide: Decide | None
    ) -> None:
        self._client = client
        self._stream = stream
        self._functions = functions
        self._decide = decide
        self._stopped = threading.Event()
        self._fault: BaseException | None = None

    def follow(self, on_event: Callable[[Json], object] | None) -> Json:
        try:
            for event in self._stream:
                if on_event is not None:
                    on_event(event)
                if event["type"] == "tool.execution.requested":
                    self._start(self._execute, event["execution"])
                elif event["type"] == "approval.requested" and self._decide is not None:
                    self._start(self._review, event["approval"])
                elif event["type"] == "run.completed":
                    result: Json = event["result"]
                    return result
                elif event["type"] in ("run.failed", "run.cancelled"):
                    raise _as_error(event["error"])
            raise self._fault or HostError("CANCELLED", "The stream was closed.", False, "uncertain")
        except HostError as error:
            # A thread that could not give its outcome closed the stream: its fault is the reason.
            raise self._fault or error from None
        finally:
            self._stopped.set()
            self._stream.close()

    def _start(self, work: Callable[[Json], None], subject: Json) -> None:
        # A daemon, so that a function which does not look at `stopped` keeps no program from ending.
        threading.Thread(target=self._guarded, args=(work, subject), daemon=True).start()

    def _guarded(self, work: Callable[[Json], None], subject: Json) -> None:
        try:
            work(subject)
        except BaseException as fault:
            if not self._stopped.is_set():
                self._fault = fault
                self._stream.close()

    def _execute(self, execution: Json) -> None:
        context = ToolContext(self._client, execution, self._stopped)
        try:
            outcome = {"output": self._functions[context.call["name"]](context.call["arguments"], context)}
        except Exception:
            outcome = {"error": "APPLICATION_TOOL_FAILED"}
        if self._stopped.is_set():
            return
        try:
            self._complete(context, outcome)
        except HostError as error:
            if error.code not in _TOLD_BY_STREAM:
                raise

    def _complete(self, context: ToolContext, outcome: Json) -> None:
        try:
            self._client.complete_tool({**context.identity, **outcome})
        except HostError as error:
            if error.code not in ("INVALID_REQUEST", "BODY_TOO_LARGE", "INVALID_TOOL_EXECUTION"):
                raise
            # The output is no JSON, or too much of it: nothing was taken, and the function has failed.
            self._client.complete_tool({**context.identity, "error": "APPLICATION_TOOL_FAILED"})

    def _review(self, approval: Json) -> None:
        assert self._decide is not None
        answer = self._decide(approval)
        if self._stopped.is_set():
            return
        said: Mapping[str, Any] = {"decision": answer} if isinstance(answer, str) else answer
        bound = {key: approval[key] for key in ("approvalId", "runId", "call")}
        try:
            self._client.decide_approval({**bound, **said})
        except HostError as error:
            if error.code not in _DECIDED_ELSEWHERE:
                raise


def serve_tools(
    client: Client,
    request: Mapping[str, Any],
    functions: Mapping[str, Function],
    decide: Decide | None,
    on_event: Callable[[Json], object] | None,
) -> Json:
    """See ``Client.serve_tools``. Raises INVALID_REQUEST when a declared tool has no function."""
    declared = [tool["name"] for tool in request.get("applicationTools", ())]
    missing = [name for name in declared if name not in functions]
    if missing:
        raise HostError("INVALID_REQUEST", f"No function was given for {', '.join(missing)}; nothing was sent.")
    return _Service(client, client.stream(request), functions, decide).follow(on_event)


def _as_error(error: Json) -> HostError:
    return HostError(error["code"], error["message"], error["retryable"], error.get("outcome"))
