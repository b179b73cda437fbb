"""The shape of every event of a run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .wire import Json, is_call, is_count, is_error, is_id, is_timestamp

TERMINAL = ("run.completed", "run.failed", "run.cancelled")


def is_text(value: Any) -> bool:
    return isinstance(value, str)


def is_usage(value: Any) -> bool:
    """Whether every count of tokens that is there is a whole number, and none is null."""
    if not isinstance(value, dict):
        return False
    return all(is_count(count) for name, count in value.items() if name.endswith("Tokens"))


def is_result(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    named = all(isinstance(value.get(key), str) for key in ("provider", "model", "text"))
    counted = is_usage(value.get("usage")) and is_count(value.get("steps"))
    return named and counted and is_id(value.get("runId")) and value.get("finishReason") in ("stop", "length")


def is_approval(value: Any) -> bool:
    if not isinstance(value, dict) or not is_id(value.get("approvalId")) or not is_id(value.get("runId")):
        return False
    timed = is_timestamp(value.get("requestedAt")) and ("expiresAt" not in value or is_timestamp(value["expiresAt"]))
    return timed and is_call(value.get("call")) and value.get("idlePolicy") in ("pause", "continue")


def is_resolution(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    named = all(is_id(value.get(key)) for key in ("approvalId", "runId", "callId"))
    ended = value.get("outcome") in ("approved", "denied", "cancelled", "expired")
    return named and ended and is_timestamp(value.get("decidedAt"))


def is_execution(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return is_id(value.get("executionId")) and is_id(value.get("runId")) and is_call(value.get("call"))


def is_fraction(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 1


def _is_step(event: Json) -> bool:
    return is_count(event.get("step"), 1)


def _is_progress(event: Json) -> bool:
    if event.get("phase") not in ("model", "tool", "context"):
        return False
    said = "message" not in event or is_text(event["message"])
    named = "callId" not in event or is_id(event["callId"])
    return said and named and ("fraction" not in event or is_fraction(event["fraction"]))


def _is_failure(event: Json) -> bool:
    named = all(is_text(event.get(key)) for key in ("name", "code", "message"))
    return named and is_id(event.get("callId")) and event.get("outcome", "uncertain") == "uncertain"


#: Whether an event of a type is as it must be, its envelope left out.
EVENT_CHECKS: dict[str, Callable[[Json], bool]] = {
    "run.started": lambda event: is_text(event.get("provider")) and is_text(event.get("model")),
    "step.started": _is_step,
    "text.delta": lambda event: is_text(event.get("text")),
    "run.progress": _is_progress,
    "tool.called": lambda event: is_call(event.get("call")),
    "approval.requested": lambda event: is_approval(event.get("approval")),
    "approval.resolved": lambda event: is_resolution(event.get("resolution")),
    "tool.execution.requested": lambda event: is_execution(event.get("execution")),
    "tool.completed": lambda event: is_id(event.get("callId")) and "output" in event,
    "tool.failed": _is_failure,
    "usage.reported": lambda event: _is_step(event) and is_usage(event.get("usage")),
    "run.completed": lambda event: is_result(event.get("result")),
    "run.failed": lambda event: is_error(event.get("error")),
    "run.cancelled": lambda event: is_error(event.get("error")),
}


def is_envelope(event: Any) -> bool:
    """Whether an event has what every event has."""
    if not isinstance(event, dict) or not is_text(event.get("type")) or event["type"] == "":
        return False
    numbered = is_count(event.get("sequence"), 1) and is_id(event.get("runId"))
    return numbered and is_timestamp(event.get("timestamp")) and isinstance(event.get("optional", False), bool)
