"""What a person answers to a review."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Union

from .error import HostError
from .plain_copy import NoJsonError, plain_copy
from .wire import REMARK_CHARACTERS_MAX, Json

#: Gets a review (``approvalId``, ``call``, ...); returns a decision, or a mapping with it, see ``Client.serve_tools``.
Decide = Callable[[Json], Union[str, Mapping[str, Any]]]

_DECISIONS = ("approve", "deny", "cancel")


def decision_of(answer: object) -> Json:
    """The members of a decision. Raises INVALID_APPROVAL for what is none; nothing was sent, and the review waits."""
    if isinstance(answer, str):
        answer = {"decision": answer}
    if not isinstance(answer, Mapping):
        raise _invalid("nothing" if answer is None else f"a {type(answer).__name__[:100]}")
    try:
        said: Json = plain_copy(dict(answer))
    except NoJsonError as fault:
        raise _invalid(f"what is no JSON ({fault})") from None
    if said.get("decision") not in _DECISIONS:
        raise _invalid("another decision")
    unknown = set(said) - {"decision", "reason", "editedArguments"}
    if unknown:
        raise _invalid(f"the unknown key {sorted(unknown)[0]!r}")
    _check_parts(said)
    return said


def _check_parts(said: Json) -> None:
    reason = said.get("reason", "")
    if not isinstance(reason, str) or len(reason) > REMARK_CHARACTERS_MAX:
        raise _invalid("a reason that is no text, or a longer one")
    if not isinstance(said.get("editedArguments", {}), dict):
        raise _invalid("editedArguments that are no dict")
    if "editedArguments" in said and said["decision"] != "approve":
        raise _invalid("editedArguments without approving")


def _invalid(what: str) -> HostError:
    return HostError(
        "INVALID_APPROVAL",
        f'`decide` returned {what}. It must return "approve", "deny" or "cancel", or a dict of that as `decision` '
        f"with, if you like, a `reason` (a text of at most {REMARK_CHARACTERS_MAX:,} characters) and, to approve, "
        "`editedArguments` (a dict). Nothing was decided.",
    )
