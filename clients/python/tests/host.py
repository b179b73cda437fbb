"""A host that plays one run: what it says, and what it waits for."""

from __future__ import annotations

import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .vectors import DOCUMENT, events_of

Json = dict[str, Any]


class ScriptedHost(ThreadingHTTPServer):
    """Answers a run with lists of events; before each list but the first it waits for submissions.

    ``script`` is a list of (events, submissions): the events are sent, then so many submissions are awaited.
    ``refuse`` maps a path to an error that answers its submissions.
    """

    daemon_threads = True

    def __init__(self, script: list[tuple[list[Json], int]], refuse: dict[str, tuple[int, Json]] | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.script = script
        self.refuse = refuse or {}
        self.submissions: queue.Queue[tuple[str, Json]] = queue.Queue()
        self.received: list[tuple[str, Json]] = []
        self.asked: list[Json] = []
        self.closed = threading.Event()
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
    protocol_version = "HTTP/1.1"
    server: ScriptedHost

    def log_message(self, *words: object) -> None:
        """Says nothing: the tests' report is the only text."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/v1/runs":
            self.server.asked.append(body)
            self._stream()
        else:
            self._receipt(body)
        self.close_connection = True

    def _receipt(self, body: Json) -> None:
        self.server.received.append((self.path, body))
        status, answer = self.server.refuse.get(self.path, (200, _receipt_of(self.path, body)))
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.server.submissions.put((self.path, body))

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        sequence = 1
        for uses, submissions in self.server.script:
            for event in events_of(uses, sequence):
                self.wfile.write(f"id: {event['sequence']}.0.0\ndata: {json.dumps(event)}\n\n".encode())
                sequence += 1
            self.wfile.flush()
            for _ in range(submissions):
                self.server.submissions.get(timeout=30)
        try:
            self.rfile.read(1)
        except OSError:
            pass
        self.server.closed.set()


def _receipt_of(path: str, body: Json) -> Json:
    if path == "/v1/approvals/decisions":
        outcome = {"approve": "approved", "deny": "denied", "cancel": "cancelled"}[body["decision"]]
        decided = {"callId": body["call"]["id"], "outcome": outcome, "decidedAt": DOCUMENT["defaults"]["timestamp"]}
        return {"approvalId": body["approvalId"], "runId": body["runId"], **decided}
    ids = {key: body[key] for key in ("executionId", "runId", "callId")}
    return {**ids, "status": "progress" if path.endswith("progress") else "accepted"}
