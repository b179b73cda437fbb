"""Texts that repeat, names that were captured, and patterns that answers are held against."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
DOCUMENT: dict[str, Any] = json.loads((HERE / "host.json").read_text("utf-8"))

_NAME = re.compile(r"\$\{(\w+)\}")


def fill(value: Any, known: dict[str, Any]) -> Any:
    """Writes out repeated texts and lists, and puts captured values where their names stand."""
    if isinstance(value, str):
        whole = _NAME.fullmatch(value)
        return known[whole[1]] if whole else _NAME.sub(lambda found: str(known[found[1]]), value)
    if isinstance(value, list):
        return [fill(item, known) for item in value]
    if not isinstance(value, dict):
        return value
    if "repeatText" in value:
        return value["repeatText"] * value["times"]
    if set(value) == {"list", "times"}:
        return [_numbered(value["list"], number) for number in range(1, value["times"] + 1)]
    if "use" in value:
        return fill(_used(value), known)
    return {key: fill(item, known) for key, item in value.items()}


def _numbered(value: Any, number: int) -> Any:
    return json.loads(json.dumps(value).replace("{n}", str(number)))


def _used(use: dict[str, Any]) -> Any:
    made = copy.deepcopy(DOCUMENT["requests"][use["use"]])
    for pointer, value in use.get("set", {}).items():
        parent, key = _place(made, pointer)
        parent[key] = value
    for pointer in use.get("remove", ()):
        parent, key = _place(made, pointer)
        del parent[key]
    return made


def _place(value: Any, pointer: str) -> tuple[Any, Any]:
    *path, last = pointer.split("/")[1:]
    for key in path:
        value = value[int(key) if isinstance(value, list) else key]
    return value, int(last) if isinstance(value, list) else last


def at(value: Any, pointer: str) -> Any:
    """What stands at a pointer."""
    parent, key = _place(value, pointer)
    return parent[key]


_MISSING = object()


def fault(pattern: Any, value: Any, where: str = "") -> str | None:
    """Where a value does not fit a pattern, as a sentence; None when it fits."""
    if isinstance(pattern, dict):
        words = [key for key in pattern if key.startswith("$")]
        if words:
            return _word_fault(words[0], pattern[words[0]], value, where)
        if not isinstance(value, dict):
            return f"{where or '/'} is {_shown(value)} and should be an object"
        faults = (fault(item, value.get(key, _MISSING), f"{where}/{key}") for key, item in pattern.items())
        return next((each for each in faults if each), None)
    if isinstance(pattern, list):
        if not isinstance(value, list) or len(value) != len(pattern):
            return f"{where or '/'} is {_shown(value)} and should have {len(pattern)} items"
        faults = (fault(item, value[place], f"{where}/{place}") for place, item in enumerate(pattern))
        return next((each for each in faults if each), None)
    same = type(pattern) is type(value) and pattern == value
    return None if same else f"{where or '/'} is {_shown(value)} and should be {_shown(pattern)}"


def _word_fault(word: str, given: Any, value: Any, where: str) -> str | None:
    holds = {
        "$absent": lambda: value is _MISSING or value is None,
        "$string": lambda: isinstance(value, str) and value != "",
        "$number": lambda: isinstance(value, (int, float)) and not isinstance(value, bool),
        "$not": lambda: value is not _MISSING and fault(given, value) is not None,
        "$contains": lambda: isinstance(value, list) and any(fault(given, item) is None for item in value),
        "$lacks": lambda: isinstance(value, list) and all(fault(given, item) is not None for item in value),
        "$includes": lambda: isinstance(value, str) and str(given).lower() in value.lower(),
    }
    return None if holds[word]() else f"{where or '/'} is {_shown(value)}, against {word} {_shown(given)}"


def _shown(value: Any) -> str:
    if value is _MISSING:
        return "missing"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else text[:200] + "..."
