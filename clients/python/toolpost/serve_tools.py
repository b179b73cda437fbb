"""One run, and everything that is done for it."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Mapping

from .arguments import refused
from .carry_out import Carrying, Function
from .decision import Decide, decision_of
from .error import HostError
from .run_stream import RunStream
from .until_told import until_told
from .wire import Json


#: How long the receipt of a result is waited for when its run has ended without it.
RECEIPT_SECONDS = 1.0


def served_request(request: Json, functions: Mapping[str, Function]) -> Json:
    """The request with each declared function selected.

    Raises INVALID_REQUEST when a declared function is not there, or a function is not declared.
    """
    declared = [tool["name"] for tool in request.get("applicationTools", [])]
    missing = sorted(set(declared) - set(functions))
    if missing:
        raise refused(f"The tool {', '.join(missing)} is declared, and there is no function of it")
    undeclared = sorted(set(functions) - set(declared))
    if undeclared:
        raise refused(f"The function {', '.join(undeclared)} is not declared in `applicationTools`")
    if not declared:
        return request
    return {**request, "tools": list(dict.fromkeys([*request.get("tools", []), *declared]))}


class Serving:
    """One run and the threads that work for it."""

    def __init__(
        self,
        stream: RunStream,
        functions: Mapping[str, Function],
        carrying: Carrying,
        decide: Decide | None,
        send_decision: Callable[[Json], Json],
    ) -> None:
        self._stream = stream
        self._functions = functions
        self._carrying = carrying
        self._decide = decide
        self._send_decision = send_decision
        self._stopped = threading.Event()
        self._calls: dict[str, threading.Event] = {}
        self._sendings: list[threading.Event] = []
        self._fault: BaseException | None = None

    def follow(self, on_event: Callable[[Json], object] | None) -> Json:
        """Reads to the end and gives the result. Raises what the run ended with, or what could not be told to it."""
        try:
            for event in self._stream:
                if on_event is not None:
                    on_event(event)
                self._act(event)
                if event["type"] == "run.completed":
                    result: Json = event["result"]
                    return result
                if event["type"] in ("run.failed", "run.cancelled"):
                    raise _as_error(event["error"])
            raise self._fault or HostError("CANCELLED", "The stream was closed.", False, "uncertain")
        except HostError as error:
            # A thread that could not give its outcome closed the stream: its fault is the reason.
            raise self._fault or error from None
        finally:
            self._stop_all()
            # What became of a result that was sent is told before the end.
            for is_told in list(self._sendings):
                is_told.wait(RECEIPT_SECONDS)
            self._stream.close()

    def _act(self, event: Json) -> None:
        kind = event["type"]
        if kind == "tool.execution.requested":
            stopped = threading.Event()
            self._calls[event["execution"]["call"]["id"]] = stopped
            self._start(self._execute, event["execution"], stopped)
        elif kind == "approval.requested" and self._decide is not None:
            self._start(self._review, event["approval"], self._stopped)
        elif kind in ("tool.completed", "tool.failed") and event["callId"] in self._calls:
            # The host has an outcome already, so nobody waits for another one.
            self._calls[event["callId"]].set()

    def _stop_all(self) -> None:
        self._stopped.set()
        for stopped in self._calls.values():
            stopped.set()

    def _start(self, work: Callable[[Json, threading.Event], None], subject: Json, stopped: threading.Event) -> None:
        # A daemon, so that a function which does not look at `stopped` keeps no program from ending.
        threading.Thread(target=self._guarded, args=(work, subject, stopped), daemon=True).start()

    def _guarded(
        self, work: Callable[[Json, threading.Event], None], subject: Json, stopped: threading.Event
    ) -> None:
        try:
            work(subject, stopped)
        except BaseException as fault:
            if self._fault is None and not self._stopped.is_set():
                self._fault = fault
                self._stream.close()

    def _execute(self, execution: Json, stopped: threading.Event) -> None:
        # The stream was held against the request, so that its function is there.
        self._carrying.carry_out(self._functions[execution["call"]["name"]], execution, stopped, self._sendings.append)

    def _review(self, approval: Json, stopped: threading.Event) -> None:
        assert self._decide is not None
        # The decision repeats what was shown, whatever the callback makes of it.
        bound = copy.deepcopy({key: approval[key] for key in ("approvalId", "runId", "call")})
        said = decision_of(self._decide(approval))
        if stopped.is_set():
            return
        try:
            until_told(lambda: self._send_decision({**said, **bound}), self._carrying.pauses, stopped)
        except HostError as error:
            # Somebody else has decided, or this decision arrived and its receipt was lost.
            if error.code != "APPROVAL_NOT_FOUND" and not stopped.is_set():
                raise


def _as_error(error: Json) -> HostError:
    return HostError(error["code"], error["message"], error["retryable"], error.get("outcome"))
