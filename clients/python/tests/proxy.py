"""A proxy between a client and a host that may cut answers off."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlsplit


class Proxy(socketserver.ThreadingTCPServer):
    """``bytes_max`` gets a path and how often it was asked for, and says how much of the answer goes through.

    With none of it, the host's answer is awaited first: the host has done what was asked, and the receipt is lost.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, host_url: str, bytes_max: Callable[[str, int], int | None]) -> None:
        super().__init__(("127.0.0.1", 0), _Connection)
        parts = urlsplit(host_url)
        self.target = (parts.hostname or "", parts.port or 80)
        self.bytes_max = bytes_max
        self.asked: Counter[str] = Counter()
        self.bodies: list[tuple[str, bytes]] = []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def stop(self) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Both sides may go in the middle."""


class _Connection(socketserver.BaseRequestHandler):
    server: Proxy
    request: socket.socket

    def handle(self) -> None:
        sent = self._request_bytes()
        path = sent.split(b" ", 2)[1].decode()
        server = self.server
        server.asked[path] += 1
        server.bodies.append((path, sent.partition(b"\r\n\r\n")[2]))
        left = server.bytes_max(path, server.asked[path])
        with socket.create_connection(server.target) as host:
            threading.Thread(target=self._follow_client, args=(host,), daemon=True).start()
            host.sendall(sent)
            self._answer(host, left)

    def _request_bytes(self) -> bytes:
        """The request, with as much body as it says."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.request.recv(65_536) or b"\r\n\r\n"
        head, _, body = data.partition(b"\r\n\r\n")
        lines = [line.partition(b":") for line in head.lower().split(b"\r\n")]
        length = next((int(value) for name, _, value in lines if name == b"content-length"), 0)
        while len(body) < length:
            body += self.request.recv(65_536)
        return head + b"\r\n\r\n" + body

    def _follow_client(self, host: socket.socket) -> None:
        """When the client goes, the host is to hear of it."""
        try:
            self.request.recv(1)
            host.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _answer(self, host: socket.socket, left: int | None) -> None:
        while data := host.recv(65_536):
            piece = data if left is None else data[:left]
            if piece:
                self.request.sendall(piece)
            if left is not None:
                left -= len(piece)
                if left == 0:
                    return
