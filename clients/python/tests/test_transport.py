"""Hosts that are not there, and answers that break off."""

from __future__ import annotations

import socket
import threading
import unittest
from collections.abc import Callable

from toolpost import Client, HostError

from .plain_host import PlainHost
from .vectors import DOCUMENT, template

TOKEN = DOCUMENT["token"]
RESULT = {"executionId": "execution-1", "runId": "run-1", "callId": "lookup-one", "output": None}


def fault_of(ask: Callable[[], object]) -> HostError:
    try:
        ask()
    except HostError as error:
        return error
    raise AssertionError("It was to fail.")


class RawPeer:
    """Reads a request, answers with bytes, and closes; or keeps silent until it is closed."""

    def __init__(self, answer: bytes | None) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._answer = answer
        self._held: list[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            if self._answer is None:
                self._held.append(connection)
                continue
            with connection:
                connection.recv(65_536)
                connection.sendall(self._answer)

    def close(self) -> None:
        self._listening.close()
        for connection in self._held:
            connection.close()


class TransportTest(unittest.TestCase):
    def test_a_host_that_is_not_there_is_named_and_may_be_asked_again(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        client = Client(f"http://127.0.0.1:{port}/secret-path", TOKEN)
        for ask in (
            lambda: client.protocol(),
            lambda: client.complete_tool(RESULT),
            lambda: client.stream(template("requests", "plain")),
            lambda: next(client.execution_events()),
        ):
            error = fault_of(ask)
            self.assertEqual((error.code, error.retryable, error.outcome), ("HTTP_ERROR", True, None))
            self.assertIn(f"cannot be reached at 127.0.0.1:{port} (ECONNREFUSED); nothing was sent", error.message)
            self.assertIn("Start it, or correct the base URL", error.message)
            self.assertNotIn("secret", error.message)

    def test_a_name_that_nobody_knows_is_told_the_same_way(self) -> None:
        error = fault_of(lambda: Client("https://nobody.invalid", TOKEN).protocol())
        self.assertEqual((error.code, error.retryable), ("HTTP_ERROR", True))
        self.assertIn("nobody.invalid:443", error.message)

    def test_a_host_without_tls_is_told_of(self) -> None:
        peer = RawPeer(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        self.addCleanup(peer.close)
        error = fault_of(lambda: Client(peer.url.replace("http:", "https:"), TOKEN).complete_tool(RESULT))
        self.assertEqual((error.code, error.retryable, error.outcome), ("HTTP_ERROR", False, None))
        self.assertIn("TLS", error.message)

    def test_a_request_that_got_no_answer_may_have_been_done(self) -> None:
        host = PlainHost(lambda request: None)
        self.addCleanup(host.stop)
        client = Client(host.url, TOKEN)
        posted, read = fault_of(lambda: client.complete_tool(RESULT)), fault_of(lambda: client.run_status("run-1"))
        self.assertEqual((posted.code, posted.retryable, posted.outcome), ("HTTP_ERROR", True, "uncertain"))
        self.assertEqual((read.code, read.retryable, read.outcome), ("HTTP_ERROR", True, None))

    def test_an_answer_that_breaks_off_is_no_answer(self) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n"
        for answer in (head + b"{}", b"SSH-2.0-x\r\n"):
            with self.subTest(answer):
                peer = RawPeer(answer)
                self.addCleanup(peer.close)
                error = fault_of(lambda: Client(peer.url, TOKEN).complete_tool(RESULT))
                self.assertEqual((error.code, error.retryable, error.outcome), ("HTTP_ERROR", True, "uncertain"))

    def test_an_answer_of_another_kind_leaves_a_run_uncertain(self) -> None:
        peer = RawPeer(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
        self.addCleanup(peer.close)
        error = fault_of(lambda: Client(peer.url, TOKEN).stream(template("requests", "plain")))
        self.assertEqual((error.code, error.outcome), ("INVALID_RESPONSE", "uncertain"))

    def test_a_redirect_is_not_followed_and_has_its_status(self) -> None:
        peer = RawPeer(b"HTTP/1.1 307 Temporary Redirect\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n")
        self.addCleanup(peer.close)
        error = fault_of(lambda: Client(peer.url, TOKEN).protocol())
        self.assertEqual((error.code, error.status, error.retryable), ("HTTP_ERROR", 307, False))

    def test_discovery_has_a_time_for_everything(self) -> None:
        silent = RawPeer(None)
        self.addCleanup(silent.close)
        error = fault_of(lambda: Client(silent.url, TOKEN, discovery_timeout=0.05).protocol())
        self.assertEqual((error.code, error.retryable, error.outcome), ("TIMEOUT", True, None))
        error = fault_of(lambda: Client(silent.url, TOKEN, timeout=0.05).complete_tool(RESULT))
        self.assertEqual((error.code, error.retryable, error.outcome), ("TIMEOUT", True, "uncertain"))


if __name__ == "__main__":
    unittest.main()
