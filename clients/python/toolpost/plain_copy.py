"""Values that are exactly JSON."""

from __future__ import annotations

import dataclasses
import inspect
import math
from typing import Any

#: Levels of lists and objects, and values in all of them: what a host reads has no more.
DEPTH_MAX = 128
VALUES_MAX = 1_000_000

#: Longer whole numbers may be more than Python writes.
_SURE_BITS = 8_192


class NoJsonError(ValueError):
    """Says where a value is no JSON, as a part of a sentence: ``/when is a datetime``."""


def plain_copy(value: Any) -> Any:
    """Returns a copy, made of None, truth values, texts, numbers, lists and dicts. Tuples become lists.

    Nothing else is converted. Raises NoJsonError.
    """
    copying = _Copying()
    try:
        return copying.of(value)
    except NoJsonError:
        raise
    except Exception as fault:
        raise NoJsonError(f"{copying.place} cannot be read ({type(fault).__name__})") from fault


class _Copying:
    def __init__(self) -> None:
        self._path: list[str | int] = []
        self._holders: list[int] = []
        self._values = 0

    @property
    def place(self) -> str:
        steps = [str(step).replace("~", "~0").replace("/", "~1") for step in self._path[:8]]
        shown = "".join(f"/{step}" for step in steps) + ("/..." if len(self._path) > 8 else "")
        return ascii(shown)[1:-1][:300] if shown else "it"

    def of(self, value: Any) -> Any:
        self._values += 1
        if self._values > VALUES_MAX:
            raise NoJsonError(f"it has more than {VALUES_MAX:,} values")
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, int):
            return self._whole(value)
        if isinstance(value, float):
            return self._number(value)
        if isinstance(value, (dict, list, tuple)) and not hasattr(value, "_fields"):
            return self._held(value)
        raise self._fault(_kind_of(value))

    def _held(self, value: Any) -> Any:
        if id(value) in self._holders:
            raise self._fault("a part that contains itself")
        if len(self._holders) > DEPTH_MAX:
            raise self._fault(f"nested in more than {DEPTH_MAX} levels")
        self._holders.append(id(value))
        copy = self._object(value) if isinstance(value, dict) else self._list(value)
        self._holders.pop()
        return copy

    def _object(self, value: dict[Any, Any]) -> dict[str, Any]:
        copy: dict[str, Any] = {}
        for key, member in value.items():
            if not isinstance(key, str):
                raise self._fault(f"an object with a key of type {type(key).__name__}, and keys are texts")
            self._path.append(key)
            copy[self._text(key)] = self.of(member)
            self._path.pop()
        return copy

    def _list(self, value: list[Any] | tuple[Any, ...]) -> list[Any]:
        copy = []
        for index, item in enumerate(value):
            self._path.append(index)
            copy.append(self.of(item))
            self._path.pop()
        return copy

    def _text(self, value: str) -> str:
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise self._fault("a text with half of a surrogate pair") from None
        return str.__str__(value)

    def _whole(self, value: int) -> int:
        plain = int.__int__(value)
        if plain.bit_length() > _SURE_BITS:
            try:
                str(plain)
            except ValueError:
                raise self._fault("a whole number with more digits than can be written") from None
        return plain

    def _number(self, value: float) -> float:
        if not math.isfinite(value):
            raise self._fault(repr(float.__float__(value)))
        return float.__float__(value)

    def _fault(self, what: str) -> NoJsonError:
        return NoJsonError(f"{self.place} is {what}")


def _kind_of(value: Any) -> str:
    """What a value is, and what to give instead where that is known."""
    name = type(value).__name__[:100]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return f"{name}; write them as a text, for instance by base64"
    if isinstance(value, (set, frozenset)):
        return f"a {name}; make a sorted list of it"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return f"the dataclass {name}; give dataclasses.asdict() of it"
    if isinstance(value, tuple):
        return f"the named tuple {name}; give its _asdict(), or a list of it"
    if inspect.isawaitable(value):
        return f"a {name}, which nobody awaited; give what asyncio.run() makes of it"
    if inspect.isgenerator(value):
        return "a generator; make a list of it"
    return f"of the type {name}"
