"""What callers give, checked before anything is sent."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast
from urllib.parse import quote, urlencode

from .error import HostError
from .plain_copy import NoJsonError, plain_copy
from .wire import ID_UNITS_MAX, Json, is_id

_Value = TypeVar("_Value")
_PLACE = re.compile(r"([1-9][0-9]{0,15})\.(?:0|[1-9][0-9]{0,15})\.(?:0|[1-9][0-9]{0,15})")


def refused(fault: str) -> HostError:
    """The INVALID_REQUEST of an argument that cannot be used."""
    return HostError("INVALID_REQUEST", f"{fault}; nothing was sent.")


def body_of(value: object, what: str) -> Json:
    """A copy of a body. Raises INVALID_REQUEST for what is no mapping, or holds what is no JSON."""
    if not isinstance(value, Mapping):
        raise refused(f"{what} must be a dict and is {_named(value)}")
    try:
        return cast(Json, plain_copy(dict(value)))
    except NoJsonError as fault:
        raise refused(f"{what} holds what is no JSON: {fault}") from None


def request_of(value: object) -> Json:
    """A copy of a request of a run, whose parts that this client looks at are what they must be."""
    request = body_of(value, "The request")
    tools, definitions = request.get("tools", []), request.get("applicationTools", [])
    if not isinstance(tools, list) or not all(isinstance(name, str) for name in tools):
        raise refused("`tools` of the request must be a list of names")
    named = isinstance(definitions, list) and all(
        isinstance(tool, dict) and isinstance(tool.get("name"), str) for tool in definitions
    )
    if not named:
        raise refused("`applicationTools` of the request must be a list of dicts, each with a `name`")
    if not isinstance(request.get("approvals", {}), dict):
        raise refused("`approvals` of the request must be a dict")
    return request


def functions_of(value: object) -> dict[str, Any]:
    """A copy of functions by their names. Raises INVALID_REQUEST for what cannot be called, or only awaited."""
    if not isinstance(value, Mapping):
        raise refused(f"The functions must be a dict of functions by name and are {_named(value)}")
    functions = dict(value)
    for name, function in functions.items():
        if not isinstance(name, str):
            raise refused(f"The functions must stand below their names, and one stands below {_named(name)}")
        callback(function, f"The function {name}")
    return functions


def callback(value: _Value, what: str) -> _Value:
    """Returns what can be called. Raises INVALID_REQUEST for anything else, and for what has to be awaited."""
    if not callable(value):
        raise refused(f"{what} must be a function and is {_named(value)}")
    called = getattr(value, "__call__", None)
    if inspect.iscoroutinefunction(value) or inspect.iscoroutinefunction(called):
        raise refused(f"{what} is async and runs in a thread: give a plain function, which may call asyncio.run()")
    if inspect.isgeneratorfunction(value) or inspect.isasyncgenfunction(value):
        raise refused(f"{what} is a generator: give a function that returns its output")
    return value


def optional_callback(value: _Value, what: str) -> _Value:
    """As ``callback``; None passes."""
    return value if value is None else callback(value, what)


def id_of(value: object, what: str) -> str:
    """Returns an id. Raises INVALID_REQUEST for any other value."""
    if not isinstance(value, str):
        raise refused(f"{what} must be a text and is {_named(value)}")
    if not is_id(value) or not _is_writable(value):
        raise refused(f"{what} must have 1 to {ID_UNITS_MAX} characters")
    return value


def segment(value: object, what: str) -> str:
    """An id as one segment of a path; one that is only dots would be read as another path."""
    text = id_of(value, what)
    if text in (".", ".."):
        raise refused(f"{what} is {text!r}, and that is none")
    return quote(text, safe="")


def path_with(path: str, filters: Mapping[str, object]) -> str:
    """A path with filters as its query; those that are None are left out."""
    words = {}
    for name, value in filters.items():
        if value is None:
            continue
        if not isinstance(value, (str, int)) or not _is_writable(str(value)):
            raise refused(f"The filter {name} must be a text, a whole number or a truth value and is {_named(value)}")
        words[name] = str(value).lower() if isinstance(value, bool) else str(value)
    return f"{path}?{urlencode(words)}" if words else path


def sequence_of(event_id: object) -> int:
    """The sequence that an event's id begins with: ``12.40.0`` is that of event 12. Raises INVALID_REQUEST."""
    place = _PLACE.fullmatch(event_id) if isinstance(event_id, str) else None
    if place is None:
        raise refused("The id of the last event is none that a host gave")
    return int(place[1])


def truth_of(value: object, what: str) -> bool:
    """Returns a truth value. Raises INVALID_REQUEST for any other value."""
    if not isinstance(value, bool):
        raise refused(f"{what} must be True or False and is {_named(value)}")
    return value


def seconds_of(value: object, what: str) -> float:
    """Returns seconds, more than none and no more than a lock can wait. Raises INVALID_REQUEST for any other value."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise refused(f"{what} must be a number of seconds and is {_named(value)}")
    if not 0 < value <= 2_000_000:
        raise refused(f"{what} must be more than 0 and at most 2,000,000 seconds")
    return float(value)


def _is_writable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _named(value: object) -> str:
    """What a value is, and never what it says: it may be a secret."""
    return "None" if value is None else f"of type {type(value).__name__[:100]}"
