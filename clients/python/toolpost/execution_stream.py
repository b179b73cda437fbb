"""The executions of all runs of a subject, as they come and go."""

from __future__ import annotations

from .error import HostError
from .event_stream import EventStream
from .events import is_execution, is_text
from .wire import Json, decode_json, is_id, is_timestamp

_ENDS = ("completed", "failed", "refused", "cancelled")


class ExecutionStream(EventStream):
    """Iterates over ``execution.requested`` and ``execution.closed``: what waits already, then what comes.

    The request is sent when the first event is asked for. It ends when the host ends it. Raises FORBIDDEN,
    INVALID_STREAM, INCOMPLETE_STREAM, UNSUPPORTED_EVENT. ``close`` ends it from any thread.
    """

    def _next_event(self) -> Json | None:
        if self._exchange is None:
            self._connect("GET", "/v1/tool-executions/stream")
        while True:
            frame = self._next_frame()
            if frame is None:
                return None
            event = _checked(frame.data)
            if event is not None:
                return event


def _checked(data: bytes) -> Json | None:
    """The event, or None for an optional one of a later version."""
    try:
        event = decode_json(data)
    except ValueError:
        raise _invalid("An event's data is no JSON") from None
    if not isinstance(event, dict) or not is_text(event.get("type")):
        raise _invalid("An event has no type")
    kind, optional = event["type"], event.get("optional", False)
    if not isinstance(optional, bool):
        raise _invalid(f"An event {kind} is not as it must be")
    if kind not in ("execution.requested", "execution.closed"):
        if optional:
            return None
        raise HostError("UNSUPPORTED_EVENT", f"The stream has an event {kind!r} that this client was not made for.")
    if not is_timestamp(event.get("timestamp")) or not _is_whole(event):
        raise _invalid(f"An event {kind} is not as it must be")
    return event


def _is_whole(event: Json) -> bool:
    execution = event.get("execution")
    if event["type"] == "execution.requested":
        return is_execution(execution)
    named = isinstance(execution, dict) and all(is_id(execution.get(key)) for key in ("executionId", "runId", "callId"))
    return named and event.get("status") in _ENDS


def _invalid(fault: str) -> HostError:
    return HostError("INVALID_STREAM", f"{fault}; what came after it was not read.")
