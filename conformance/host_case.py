"""Plays one vector against a host."""

from __future__ import annotations

import json
import time
from typing import Any

from host_patterns import at, fault, fill
from host_requests import HANG_GUARD, TERMINAL, Answer, Mismatch, Stream, ask

Step = dict[str, Any]


class CasePlay:
    """The streams that a vector has open, and what it captured."""

    def __init__(self, base_url: str, tokens: dict[str, Any], nonce: str) -> None:
        self._base_url = base_url
        self._tokens = tokens
        self._known: dict[str, Any] = {"nonce": nonce}
        self._streams: dict[str, Stream] = {}
        self._begun: dict[str, Stream] = {}

    def play(self, steps: list[Step]) -> None:
        """Raises Mismatch at the first step that does not fit."""
        verbs = {
            "send": self._send,
            "open": self._open,
            "resume": self._resume,
            "read": self._read,
            "end": self._end,
            "close": lambda step: self._streams.pop(step["close"]).close(),
            "pauseMs": lambda step: time.sleep(step["pauseMs"] / 1000),
        }
        try:
            for number, step in enumerate(steps, 1):
                verb = next(word for word in verbs if word in step)
                try:
                    verbs[verb](step)
                except Mismatch as mismatch:
                    raise Mismatch(f"step {number} ({verb}): {mismatch}") from None
        finally:
            for stream in self._streams.values():
                stream.close()

    def _headers(self, token: str | None, more: dict[str, Any]) -> dict[str, str]:
        headers = {"Toolpost-Version": "1.0", "Accept": "application/json", **more}
        if token is not None:
            headers = {"Authorization": f"Bearer {self._tokens[token]['token']}", **headers}
        return {name: value for name, value in headers.items() if value is not None}

    # Requests

    def _send(self, step: Step) -> None:
        until = time.monotonic() + (5.0 if step.get("eventually") else 0.0)
        while True:
            answer = self._sent(step["send"])
            try:
                self._check_answer(step["expect"], answer)
                break
            except Mismatch:
                if time.monotonic() >= until:
                    raise
                time.sleep(0.05)
        for name, pointer in step.get("capture", {}).items():
            self._known[name] = at(answer.json, pointer)

    def _sent(self, send: Step) -> Answer:
        body, kind = self._body(send)
        headers = self._headers(send.get("token", "owner"), {**kind, **send.get("headers", {})})
        return ask(self._base_url, send["method"], fill(send["path"], self._known), headers, body)

    def _body(self, send: Step) -> tuple[bytes | None, dict[str, str]]:
        if "bodyHex" in send:
            return bytes.fromhex(send["bodyHex"]), {}
        if "bodyText" in send:
            text = fill(send["bodyText"], self._known)
            return ("".join(text) if isinstance(text, list) else text).encode("utf-8"), {}
        if "body" not in send:
            return None, {}
        body = json.dumps(fill(send["body"], self._known), ensure_ascii=False)
        return body.encode("utf-8"), {"Content-Type": "application/json"}

    def _check_answer(self, expect: Step, answer: Answer) -> None:
        if answer.status != expect["status"]:
            raise Mismatch(f"the status is {answer.status} and should be {expect['status']}: {answer.body[:300]!r}")
        self._check_headers(expect.get("headers", {}), answer.headers)
        if "json" in expect:
            self._fit(expect["json"], answer.json)

    def _check_headers(self, wanted: dict[str, Any], headers: dict[str, str]) -> None:
        for name, pattern in wanted.items():
            given = headers.get(name.lower())
            wrong = given is not None if pattern is None else fault(pattern, given)
            if wrong:
                raise Mismatch(f"the header {name} is {given!r} and should be {pattern!r}")

    def _fit(self, pattern: Any, value: Any) -> None:
        wrong = fault(fill(pattern, self._known), value)
        if wrong:
            raise Mismatch(wrong)

    # Streams

    def _open(self, step: Step) -> None:
        body, kind = self._body(step)
        headers = self._headers(step.get("token", "owner"), {**kind, "Accept": "text/event-stream"})
        until = time.monotonic() + 5.0
        while True:
            stream = Stream(self._base_url, "POST", "/v1/runs", headers, body)
            # A run that the case before left behind may still be going.
            if stream.status != 429 or time.monotonic() >= until:
                break
            stream.close()
            time.sleep(0.05)
        self._keep(stream, step["open"])
        self._check_headers(step.get("headers", {}), stream.headers)

    def _resume(self, step: Step) -> None:
        before = self._begun[step["resume"]]
        headers = self._headers("owner", {"Accept": "text/event-stream", "Last-Event-ID": before.last_id})
        stream = Stream(self._base_url, "GET", f"/v1/runs/{before.events[0]['runId']}/events", headers, None)
        stream.after = before.after + len(before.events)
        self._keep(stream, step["as"])

    def _keep(self, stream: Stream, name: str) -> None:
        self._streams[name] = stream
        self._begun[name] = stream
        if stream.status != 200 or not stream.headers.get("content-type", "").startswith("text/event-stream"):
            body = stream.read_whole().body[:300]
            raise Mismatch(f"no stream was opened: {stream.status} {body!r}")

    def _read(self, step: Step) -> None:
        stream = self._streams[step["read"]]
        event: Step | None = None
        for pattern in step["expect"]:
            event = self._next(stream, step.get("never", ()))
            while event["type"] != pattern["type"]:
                if event["type"] in TERMINAL:
                    raise Mismatch(f"the run ended before {pattern['type']}: {json.dumps(event)[:400]}")
                event = self._next(stream, step.get("never", ()))
            self._fit(pattern, event)
        for name, pointer in (step.get("capture") or {}).items():
            self._known[name] = at(event, pointer)

    def _next(self, stream: Stream, never: Any) -> Step:
        event = stream.next()
        if event is None:
            raise Mismatch("the stream stopped before the end of the run")
        if event["type"] in never:
            raise Mismatch(f"{event['type']} came, and should not have")
        return event

    def _end(self, step: Step) -> None:
        stream = self._streams[step["end"]]
        until = time.monotonic() + HANG_GUARD
        never = step.get("never", ())
        for kind in {event["type"] for event in stream.events} & set(never):
            raise Mismatch(f"{kind} came, and should not have")
        while not stream.events or stream.events[-1]["type"] not in TERMINAL:
            event = self._next(stream, never)
            if "serve" in step and event["type"] == "tool.execution.requested":
                self._serve(event["execution"], step["serve"])
            if time.monotonic() > until:
                raise Mismatch("the run did not end")
        stream.next()
        self._fit(step["expect"], stream.events[-1])
        types = [event["type"] for event in stream.events]
        for kind, count in step.get("counts", {}).items():
            if types.count(kind) != count:
                raise Mismatch(f"{kind} came {types.count(kind)} times and should have {count} times")
        for text in step.get("lacks", ()):
            if text in json.dumps(stream.events):
                raise Mismatch(f"the stream has the text {text!r}")

    def _serve(self, execution: Step, result: Step) -> None:
        ids = {key: execution[key] for key in ("executionId", "runId")}
        identity = {**ids, "callId": execution["call"]["id"]}
        send = {"method": "POST", "path": "/v1/tool-executions/results", "body": {**identity, **result}}
        self._check_answer({"status": 200, "json": {**identity, "status": "accepted"}}, self._sent(send))
