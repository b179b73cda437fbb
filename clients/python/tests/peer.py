"""A peer that answers each client vector below /vectors/<id>."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .vectors import DOCUMENT, body_of


class Seen:
    """What the peer saw of one vector."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.target_hits = 0
        self.closed = threading.Event()


class Peer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.cases = {case["id"]: case for case in DOCUMENT["cases"]}
        self.seen = {name: Seen() for name in self.cases}
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def base_url(self, case_id: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/vectors/{case_id}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that close in the middle are what some vectors are about."""


class _Answer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Peer

    def log_message(self, *words: object) -> None:
        """Says nothing: the tests' report is the only text."""

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        _, _, case_id, path = self.path.split("/", 3)
        case, seen = self.server.cases[case_id], self.server.seen[case_id]
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if path == "target":
            seen.target_hits += 1
        headers = {name.lower(): value for name, value in self.headers.items()}
        sent = json.loads(body) if body else None
        seen.requests.append({"method": self.command, "path": "/" + path, "headers": headers, "body": sent})
        self._send_head(case)
        if "redirect" not in case:
            self._send_body(case, seen)
        self.close_connection = True

    def _send_head(self, case: dict[str, Any]) -> None:
        is_stream = case["operation"] == "stream" and case.get("status", 200) == 200
        kind = "text/event-stream; charset=utf-8" if is_stream else "application/json"
        headers = {"Toolpost-Version": "1.0", "Content-Type": case.get("contentType", kind), **case.get("headers", {})}
        self.send_response(case.get("redirect", case.get("status", 200)))
        for name, value in headers.items():
            if value is not None:
                self.send_header(name, value)
        if "redirect" in case:
            self.send_header("Location", f"/vectors/{case['id']}/target")
            self.send_header("Content-Length", "0")
        else:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _send_body(self, case: dict[str, Any], seen: Seen) -> None:
        body, sizes, place, turn = body_of(case), case.get("chunkSizes", [65_536]), 0, 0
        while place < len(body):
            chunk = body[place : place + sizes[turn % len(sizes)]]
            self.wfile.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
            self.wfile.flush()
            place, turn = place + len(chunk), turn + 1
        if case.get("hold"):
            self._wait_for_close(seen)
        elif not case.get("drop"):
            self.wfile.write(b"0\r\n\r\n")

    def _wait_for_close(self, seen: Seen) -> None:
        try:
            self.rfile.read(1)
        except OSError:
            pass
        seen.closed.set()
