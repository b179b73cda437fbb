"""Responses that must echo what was sent, and those that must have a shape."""

from __future__ import annotations

from collections.abc import Callable

from .error import HostError
from .events import is_result
from .wire import Json, is_count, is_error, is_id, is_name, is_timestamp

_IDENTITY = ("executionId", "runId", "callId")
_OUTCOMES = {"approve": "approved", "deny": "denied", "cancel": "cancelled"}


def check_execution_receipt(sent: Json, status: str) -> Callable[[Json], bool]:
    """Whether a receipt names the same execution and the status that is due."""
    return lambda receipt: receipt.get("status") == status and _echoes(receipt, sent, _IDENTITY)


def check_approval_receipt(sent: Json) -> Callable[[Json], bool]:
    """Whether a receipt says that what was decided is decided."""

    def is_echo(receipt: Json) -> bool:
        call = sent.get("call")
        expected = {
            "approvalId": sent.get("approvalId"),
            "runId": sent.get("runId"),
            "callId": call.get("id") if isinstance(call, dict) else None,
            "outcome": _OUTCOMES.get(str(sent.get("decision"))),
        }
        same = all(receipt.get(key) == value for key, value in expected.items())
        return is_timestamp(receipt.get("decidedAt")) and same

    return is_echo


def check_status(execution_id: str) -> Callable[[Json], bool]:
    """Whether a state is that of an execution."""

    def is_status(body: Json) -> bool:
        known = body.get("status") in ("pending", "completed", "failed", "refused", "cancelled")
        named = is_name(body.get("name")) and is_timestamp(body.get("requestedAt"))
        ids = all(is_id(body.get(key)) for key in _IDENTITY)
        told = "error" not in body or is_error(body["error"])
        return body.get("executionId") == execution_id and known and named and ids and told

    return is_status


def check_result(request: Json) -> Callable[[Json], bool]:
    """Whether a result is of the provider and the model that were asked for."""
    return lambda body: is_result(body) and all(body[key] == request.get(key) for key in ("provider", "model"))


def check_run(run_id: str) -> Callable[[Json], bool]:
    """Whether a state is that of a run."""
    return lambda body: body.get("runId") == run_id and isinstance(body.get("status"), str)


def check_run_deleted(run_id: str) -> Callable[[Json], bool]:
    """Whether a body says that this run is gone."""
    return lambda body: body.get("runId") == run_id and body.get("deleted") is True


def is_protocol(body: Json) -> bool:
    """Whether a body is what a host says of itself."""
    features = body.get("features")
    listed = isinstance(features, list) and all(isinstance(feature, str) for feature in features)
    return body.get("protocol") == "toolpost" and isinstance(body.get("version"), str) and listed


def has_list(key: str) -> Callable[[Json], bool]:
    """Whether a body has a list of objects at a key."""

    def is_listed(body: Json) -> bool:
        items = body.get(key)
        return isinstance(items, list) and all(isinstance(item, dict) for item in items)

    return is_listed


def check_session(session_id: str | None, provider: str | None = None) -> Callable[[Json], bool]:
    """Whether a body is a session; with an id or a provider, that one, or of that one."""

    def is_session(body: Json) -> bool:
        whole = is_id(body.get("id")) and is_count(body.get("revision"))
        return whole and session_id in (None, body["id"]) and provider in (None, body.get("provider"))

    return is_session


def check_deleted(session_id: str) -> Callable[[Json], bool]:
    """Whether a receipt says that a session is gone."""
    return lambda receipt: receipt.get("id") == session_id and receipt.get("deleted") is True


def check_reconciled(sent: Json) -> Callable[[Json], bool]:
    """Whether a receipt says that what was found was noted down."""
    keys = ("runId", "callId", "found")
    return lambda receipt: receipt.get("status") == "reconciled" and _echoes(receipt, sent, keys)


def require(body: Json, check: Callable[[Json], bool]) -> Json:
    """Returns a body that passes. Raises INVALID_RESPONSE."""
    if check(body):
        return body
    fault = "The host's answer does not fit what was asked; see the run for what became of it."
    raise HostError("INVALID_RESPONSE", fault)


def _echoes(receipt: Json, sent: Json, keys: tuple[str, ...]) -> bool:
    return all(receipt.get(key) == sent.get(key) for key in keys)
