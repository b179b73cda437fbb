"""What a stream must keep to from its first event to its last."""

from __future__ import annotations

from typing import Any

from .error import HostError
from .events import EVENT_CHECKS, is_envelope
from .wire import EXECUTIONS_MAX, Json


class StreamCheck:
    """Follows one stream. ``request`` is what the run was started with; None = nothing is known of it.

    ``after`` is the sequence of the last event that was read before: the first event may be any later one then.
    """

    def __init__(self, request: Json | None, run_id: str | None = None, after: int = 0) -> None:
        self._request = request
        self._run_id = run_id
        self._sequence = after
        self._may_jump = after > 0
        self._started: Json | None = request
        self._executions: set[str] = set()
        self._calls: set[str] = set()
        self._open: set[str] = set()

    @property
    def run_id(self) -> str | None:
        """The run's id; None before the first event, unless it was known."""
        return self._run_id

    @property
    def sequence(self) -> int:
        """The sequence of the last event that was read, skipped ones included; 0 before the first."""
        return self._sequence

    def resume(self) -> None:
        """The connection was made anew: the next event may be any later one."""
        self._may_jump = self._sequence > 0

    @property
    def has_open_execution(self) -> bool:
        """Whether a call was handed out for execution and its end was not seen."""
        return len(self._open) > 0

    def accept(self, data: Any) -> Json | None:
        """Returns the event, or None for an optional one that this client does not know.

        Raises INVALID_STREAM or UNSUPPORTED_EVENT.
        """
        if not is_envelope(data):
            raise _invalid("An event lacks what every event has")
        event: Json = data
        self._follow(event)
        kind = event["type"]
        check = EVENT_CHECKS.get(kind)
        if check is None:
            if event.get("optional") is True:
                return None
            raise _unsupported(kind)
        self._refuse_uninvited(kind)
        if not check(event):
            raise _invalid(f"An event {kind} is not as it must be")
        self._bind(event)
        if kind in ("tool.completed", "tool.failed"):
            self._open.discard(event["callId"])
        return event

    def _follow(self, event: Json) -> None:
        sequence = event["sequence"]
        is_next = sequence > self._sequence if self._may_jump else sequence == self._sequence + 1
        if not is_next:
            raise _invalid(f"Event {sequence} came behind event {self._sequence}")
        if (event["type"] == "run.started") != (sequence == 1):
            raise _invalid("A stream begins with run.started, once")
        if self._run_id is not None and event["runId"] != self._run_id:
            raise _invalid("An event belongs to another run")
        self._sequence = sequence
        self._may_jump = False
        self._run_id = event["runId"]

    def _refuse_uninvited(self, kind: str) -> None:
        if self._request is None:
            return
        if kind.startswith("approval.") and "approvals" not in self._request:
            raise _unsupported(kind)
        if kind == "tool.execution.requested" and "applicationTools" not in self._request:
            raise _unsupported(kind)

    def _bind(self, event: Json) -> None:
        kind = event["type"]
        if kind == "run.started":
            self._same_as_asked(event)
            self._started = event
        elif kind == "run.completed":
            self._same_run(event["result"])
            self._same_as_asked(event["result"])
        elif kind == "approval.requested":
            self._same_run(event["approval"])
            self._same_policy(event["approval"])
        elif kind == "approval.resolved":
            self._same_run(event["resolution"])
        elif kind == "tool.execution.requested":
            self._same_run(event["execution"])
            self._take_execution(event["execution"])

    def _same_run(self, part: Json) -> None:
        if part["runId"] != self._run_id:
            raise _invalid("An event speaks of another run")

    def _same_as_asked(self, part: Json) -> None:
        asked = self._started or {}
        if any(part[key] != asked.get(key, part[key]) for key in ("provider", "model")):
            raise _invalid("The run is of another provider or model than was asked for")

    def _same_policy(self, approval: Json) -> None:
        told = approval["idlePolicy"]
        if self._request is not None and told != self._request["approvals"].get("idlePolicy", told):
            raise _invalid("A review has another idle policy than was asked for")

    def _take_execution(self, execution: Json) -> None:
        call = execution["call"]
        if self._request is not None and call["name"] not in _served(self._request):
            raise _invalid("An execution is of a function that was not declared and selected")
        if execution["executionId"] in self._executions or call["id"] in self._calls:
            raise _invalid("An execution or a call was asked for twice")
        if len(self._executions) >= EXECUTIONS_MAX:
            raise _invalid(f"A run asked for more than {EXECUTIONS_MAX} executions")
        self._executions.add(execution["executionId"])
        self._calls.add(call["id"])
        self._open.add(call["id"])


def _served(request: Json) -> set[str]:
    """The functions that were both declared and selected."""
    declared = {tool.get("name") for tool in request["applicationTools"]}
    return declared & set(request.get("tools", ()))


def _invalid(fault: str) -> HostError:
    return HostError("INVALID_STREAM", f"{fault}; what came after it was not read.")


def _unsupported(kind: str) -> HostError:
    return HostError("UNSUPPORTED_EVENT", f"The stream has an event {kind!r} that this client was not made for.")
