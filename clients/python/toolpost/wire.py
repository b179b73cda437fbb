"""What the protocol calls its version, and its bounds."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from .error import HostError
from .plain_copy import NoJsonError, plain_copy

VERSION = "1.0"
VERSION_HEADER = "Toolpost-Version"
OPTIONAL_EVENTS_HEADER = "Toolpost-Accept-Optional-Events"

#: Bytes of a request's body.
BODY_BYTES_MAX = 1_000_000
#: Bytes of a JSON response, and of one frame of a stream.
RESPONSE_BYTES_MAX = 2_000_000
#: Bytes of an error's body that are read.
ERROR_BYTES_MAX = 64_000
#: UTF-16 code units of an id.
ID_UNITS_MAX = 256
#: Executions of one run that are followed.
EXECUTIONS_MAX = 2_048
#: Characters of a person's reason, and of what a function says of its progress.
REMARK_CHARACTERS_MAX = 2_000

Json = dict[str, Any]


_HALF = re.compile(rb"\\u[dD][89a-fA-F]")


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError("a number is out of range")
    return number


def _object(pairs: list[tuple[str, Any]]) -> Json:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice")
    return made


def decode_json(data: bytes) -> Any:
    """Parses UTF-8 JSON strictly.

    Raises ValueError, also for NaN, for a number beyond the range, for a key that stands twice, for half of a surrogate
    pair, and for nesting that is too deep. Whole numbers are exact.
    """
    try:
        value = json.loads(
            data.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_object
        )
        if _HALF.search(data):
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except RecursionError:
        raise ValueError("nested too deep") from None


def json_bytes(value: Any) -> bytes:
    """The text of a value that ``plain_copy`` made."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")


def encode_json(value: Json) -> bytes:
    """Writes a request's body. Raises INVALID_REQUEST for what is no JSON, BODY_TOO_LARGE over 1,000,000 bytes."""
    try:
        body = json_bytes(plain_copy(value))
    except NoJsonError as fault:
        raise HostError("INVALID_REQUEST", f"What was to be sent is no JSON: {fault}. Nothing was sent.") from None
    if len(body) > BODY_BYTES_MAX:
        text = f"The request has {len(body)} bytes and may have {BODY_BYTES_MAX}; nothing was sent."
        raise HostError("BODY_TOO_LARGE", text)
    return body


_TIMESTAMP = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)"
    r"(\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")


def is_timestamp(value: Any) -> bool:
    return isinstance(value, str) and _TIMESTAMP.fullmatch(value) is not None


def is_id(value: Any) -> bool:
    """Whether a value is a text of 1 to 256 UTF-16 code units."""
    return isinstance(value, str) and 0 < len(value.encode("utf-16-le", "surrogatepass")) // 2 <= ID_UNITS_MAX


def is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def is_count(value: Any, least: int = 0) -> bool:
    """Whether a value is a whole number and not below the least one; a truth value is none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def is_call(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    return is_id(value.get("id")) and is_name(value.get("name")) and isinstance(value.get("arguments"), dict)


def is_error(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("outcome", "uncertain") != "uncertain":
        return False
    code = value.get("code")
    said = isinstance(value.get("message"), str) and isinstance(value.get("retryable"), bool)
    return isinstance(code, str) and code != "" and said
