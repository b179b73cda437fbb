"""Plain HTTP, and one stream of events."""

from __future__ import annotations

import http.client
import json
import re
import socket
from typing import Any
from urllib.parse import urlsplit

#: A guard against a host that hangs, in seconds; it measures nothing.
HANG_GUARD = 30.0

TERMINAL = ("run.completed", "run.failed", "run.cancelled")


class Mismatch(Exception):
    """A host did otherwise than a vector says."""


class Answer:
    """A response that was read whole."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        try:
            return json.loads(self.body)
        except ValueError:
            raise Mismatch(f"the body of the answer {self.status} is no JSON: {self.body[:200]!r}") from None


def connect(base_url: str) -> tuple[http.client.HTTPConnection, str]:
    """A connection to a host, and the path that its addresses begin with."""
    parts = urlsplit(base_url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return kind(parts.hostname or "", parts.port, timeout=HANG_GUARD), parts.path.rstrip("/")


def ask(base_url: str, method: str, path: str, headers: dict[str, str], body: bytes | None) -> Answer:
    """Sends a request and reads its response. A host may refuse a large body before all of it was sent."""
    connection, prefix = connect(base_url)
    try:
        try:
            connection.request(method, prefix + path, body, headers)
        except (BrokenPipeError, ConnectionResetError):
            pass
        response = connection.getresponse()
        headers = _headers(response)
        # A stream where none should be: its beginning is enough to tell, and its end may be far.
        is_stream = headers.get("content-type", "").startswith("text/event-stream")
        return Answer(response.status, headers, response.read1(65_536) if is_stream else response.read())
    finally:
        connection.close()


def _headers(response: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


class Stream:
    """The events of a run; each is held against what every stream must keep to."""

    def __init__(self, base_url: str, method: str, path: str, headers: dict[str, str], body: bytes | None) -> None:
        self._connection, prefix = connect(base_url)
        self._connection.connect()
        self._socket = self._connection.sock
        self._connection.request(method, prefix + path, body, {**headers, "Connection": "close"})
        self._response = self._connection.getresponse()
        self.headers = _headers(self._response)
        self.status = self._response.status
        self._buffer = b""
        self.events: list[dict[str, Any]] = []
        self.last_id = ""
        self.after = 0

    def read_whole(self) -> Answer:
        """The response, when it is no stream."""
        return Answer(self.status, self.headers, self._response.read())

    def next(self) -> dict[str, Any] | None:
        """The next event; None at the end of the stream."""
        while True:
            whole = re.match(rb"(.*?)(?:\r\n|\n|\r){2}", self._buffer, re.DOTALL)
            if whole is None:
                chunk = self._read_chunk()
                if not chunk:
                    return None
                self._buffer += chunk
                continue
            self._buffer = self._buffer[whole.end() :]
            event = self._read(whole[1].decode("utf-8"))
            if event is not None:
                self._hold(event)
                self.events.append(event)
                return event

    def _read_chunk(self) -> bytes:
        try:
            return self._response.read1(65_536)
        except TimeoutError:
            newest = self.events[-1]["type"] if self.events else "its head"
            raise Mismatch(f"the stream said nothing for {HANG_GUARD:.0f} seconds after {newest}") from None

    def _read(self, frame: str) -> dict[str, Any] | None:
        fields = [line.partition(":")[::2] for line in frame.splitlines() if not line.startswith(":")]
        data = "\n".join(value.removeprefix(" ") for name, value in fields if name == "data")
        self.last_id = next((value.strip() for name, value in fields if name == "id"), self.last_id)
        return json.loads(data) if data else None

    def _hold(self, event: dict[str, Any]) -> None:
        due = self.after + len(self.events) + 1
        if event.get("sequence") != due:
            raise Mismatch(f"event {event.get('type')} has sequence {event.get('sequence')} and should have {due}")
        if (event["type"] == "run.started") != (due == 1):
            raise Mismatch("a stream begins with run.started, once")
        if self.events and event["runId"] != self.events[0]["runId"]:
            raise Mismatch("an event belongs to another run")
        if self.events and self.events[-1]["type"] in TERMINAL:
            raise Mismatch(f"{event['type']} came after the end of the run")

    def close(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._response.close()
        self._connection.close()
