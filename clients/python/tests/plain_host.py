"""A host that answers each request as a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    last_event_id: str | None
    body: Any


@dataclass(frozen=True)
class Reply:
    """JSON with a status, or events, each with its id if it has a sequence and ``has_ids``. None breaks off.

    A stream stays open until ``hold`` is set, and then ends.
    """

    body: Any = None
    status: int = 200
    events: list[Json] | None = None
    hold: threading.Event | None = None
    has_ids: bool = True


class PlainHost(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer: Callable[[Request], Reply | None]) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.answer = answer
        self.requests: list[Request] = []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def stop(self) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients may go in the middle."""


class _Answer(BaseHTTPRequestHandler):
    server: PlainHost

    def log_message(self, *words: object) -> None:
        """Says nothing: the tests' report is the only text."""

    def do_GET(self) -> None:
        self._respond()

    def do_POST(self) -> None:
        self._respond()

    def _respond(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        body = json.loads(data) if data else None
        request = Request(self.command, self.path, self.headers.get("Last-Event-ID"), body)
        self.server.requests.append(request)
        reply = self.server.answer(request)
        if reply is None:
            return
        if reply.events is None:
            self._send(reply.status, "application/json", json.dumps(reply.body).encode())
            return
        self._send(reply.status, "text/event-stream", b"".join(_frame(event, reply.has_ids) for event in reply.events))
        if reply.hold is not None:
            reply.hold.wait(30)

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()


def _frame(event: Json, has_id: bool) -> bytes:
    line = f"id: {event['sequence']}.0.0\n" if has_id and "sequence" in event else ""
    return f"{line}data: {json.dumps(event)}\n\n".encode()


def receipt(request: Request) -> Reply:
    """What answers a result, or progress."""
    ids = {key: request.body[key] for key in ("executionId", "runId", "callId")}
    return Reply({**ids, "status": "accepted" if request.path.endswith("results") else "progress"})


def refusal(code: str, status: int, retryable: bool = False) -> Reply:
    return Reply({"error": {"code": code, "message": "No.", "retryable": retryable}}, status)
