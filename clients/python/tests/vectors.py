"""The shared client vectors, made whole: see conformance/README.md for what the words mean."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).resolve().parents[3] / "conformance" / "client.json"
DOCUMENT: dict[str, Any] = json.loads(FILE.read_text("utf-8"))


def expand(value: Any) -> Any:
    """Replaces every repeated text by what it stands for."""
    if isinstance(value, list):
        return [expand(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "repeatText" in value:
        return value["repeatText"] * value["times"]
    return {key: expand(item) for key, item in value.items()}


def _set(target: Any, pointer: str, value: Any) -> None:
    *path, last = pointer.split("/")[1:]
    for key in path:
        target = target[key]
    target[last] = value


def _remove(target: Any, pointer: str) -> None:
    *path, last = pointer.split("/")[1:]
    for key in path:
        target = target[key]
    del target[last]


def changed(value: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A copy with what a use sets and removes."""
    made = copy.deepcopy(value)
    for pointer, new in change.get("set", {}).items():
        _set(made, pointer, expand(new))
    for pointer in change.get("remove", ()):
        _remove(made, pointer)
    return made


def template(kind: str, use: str | dict[str, Any]) -> Any:
    """A template of the document by its name, or a use of one."""
    change = {"use": use} if isinstance(use, str) else use
    value = DOCUMENT[kind][change["use"]]
    return changed(value, change) if isinstance(value, dict) else value


def events_of(uses: list[dict[str, Any]], first: int = 1) -> list[dict[str, Any]]:
    """The events that uses stand for, numbered from the first sequence on."""
    made: list[dict[str, Any]] = []
    for use in uses:
        for time in range(1, use.get("times", 1) + 1):
            plain = {**DOCUMENT["events"][use["use"]], **DOCUMENT["defaults"], "sequence": first + len(made)}
            event = changed(plain, use)
            for pointer in use.get("counted", ()):
                *path, last = pointer.split("/")[1:]
                part: Any = event
                for key in path:
                    part = part[key]
                part[last] = f"{part[last]}-{time}"
            made.append(event)
    return made


def _frame(event: dict[str, Any], case: dict[str, Any], compact: bool) -> bytes:
    space, end = ("" if compact else " "), str(case.get("lineEnding", "\n"))
    text = json.dumps(event, ensure_ascii=False, indent=1 if case.get("multiline") else None)
    lines = [f"id:{space}{event.get('sequence')}.0.0", f"event:{space}{event.get('type')}"]
    lines += [f"data:{space}{line}" for line in text.split("\n")]
    comment = [": still here", ""] if case.get("comments") else []
    return end.join([*comment, *lines, "", ""]).encode("utf-8")


def _raw(case: dict[str, Any]) -> bytes:
    body, sequence = b"", 1
    for part in case["raw"]:
        if isinstance(part, str):
            body += part.encode("utf-8")
        elif "hex" in part:
            body += bytes.fromhex(part["hex"])
        elif "repeatText" in part:
            body += str(expand(part)).encode("utf-8")
        else:
            (event,) = events_of([part], sequence)
            body += _frame(event, case, part.get("compact", False))
            sequence += 1
    return body


DEFAULT_EVENTS = [{"use": "started"}, {"use": "delta"}, {"use": "completed"}]


def body_of(case: dict[str, Any]) -> bytes:
    """The bytes that answer a case's request."""
    if "raw" in case:
        return _raw(case)
    if "body" in case:
        return str(case["body"]).encode("utf-8")
    if "json" in case or case["operation"] != "stream":
        kind = case.get("json", case["operation"])
        return json.dumps(template("bodies", kind), ensure_ascii=False).encode("utf-8")
    frames = b"".join(_frame(event, case, False) for event in events_of(case.get("events", DEFAULT_EVENTS)))
    frames = (b"\xef\xbb\xbf" if case.get("bom") else b"") + frames
    return frames[: len(frames) - case.get("truncate", 0)]
