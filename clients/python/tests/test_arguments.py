"""What callers give wrongly: told clearly, and nothing is sent."""

from __future__ import annotations

import threading
import unittest
from collections.abc import Callable
from typing import Any

from toolpost import Client, HostError

from .plain_host import PlainHost, Reply
from .vectors import DOCUMENT, template

TOKEN = DOCUMENT["token"]
IDS = {"executionId": "execution-1", "runId": "run-1", "callId": "lookup-one"}


async def lookup_later(arguments: Any, context: Any) -> None:
    """Cannot run in a thread."""


def lookup_bit_by_bit(arguments: Any, context: Any) -> Any:
    yield 1


class ArgumentsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = PlainHost(lambda request: Reply({}))
        self.addCleanup(self.host.stop)
        self.client = Client(self.host.url, TOKEN)
        self.addCleanup(self.client.close)

    def refused(self, wanted: str, ask: Callable[[], object], *words: str) -> None:
        with self.assertRaises(HostError) as raised:
            ask()
        self.assertEqual(raised.exception.code, wanted, raised.exception)
        for word in (*words, "nothing was sent" if wanted == "INVALID_REQUEST" else ""):
            self.assertIn(word, raised.exception.message)
        self.assertEqual(self.host.requests, [])

    def test_of_the_client(self) -> None:
        url: Any = self.host.url
        cases: list[tuple[str, Callable[..., object]]] = [
            ("INSECURE_TRANSPORT", lambda: Client(None, TOKEN)),  # type: ignore[arg-type]
            ("INSECURE_TRANSPORT", lambda: Client(b"https://host.example", TOKEN)),  # type: ignore[arg-type]
            ("AUTH_REQUIRED", lambda: Client(url, None)),  # type: ignore[arg-type]
            ("AUTH_REQUIRED", lambda: Client(url, b"token")),  # type: ignore[arg-type]
            ("INVALID_REQUEST", lambda: Client("https://host.example", TOKEN, ca_file="/no/such/file.pem")),
            ("INVALID_REQUEST", lambda: Client(url, TOKEN, timeout=0)),
            ("INVALID_REQUEST", lambda: Client(url, TOKEN, timeout=float("nan"))),
            ("INVALID_REQUEST", lambda: Client(url, TOKEN, timeout=10.0**10)),
            ("INVALID_REQUEST", lambda: Client(url, TOKEN, timeout="10")),  # type: ignore[arg-type]
            ("INVALID_REQUEST", lambda: Client(url, TOKEN, discovery_timeout=None)),  # type: ignore[arg-type]
            ("INVALID_REQUEST", lambda: Client(url, TOKEN, sleep=1)),  # type: ignore[arg-type]
        ]
        for place, (code, make) in enumerate(cases):
            with self.subTest(place):
                self.refused(code, make)

    def test_of_bodies_and_ids(self) -> None:
        client: Any = self.client
        for verb in ("decide_approval", "complete_tool", "report_tool_progress", "reconcile", "create_session", "run"):
            for wrong in (None, "text", ["x"], 7):
                with self.subTest(verb=verb, wrong=wrong):
                    self.refused("INVALID_REQUEST", lambda: getattr(client, verb)(wrong), "must be a dict")
        for verb in ("run_status", "cancel_run", "delete_run", "execution_status", "read_session", "delete_session", "follow"):
            for wrong in (None, 7, "", "x" * 257, "\ud800"):
                with self.subTest(verb=verb, wrong=wrong):
                    self.refused("INVALID_REQUEST", lambda: getattr(client, verb)(wrong), "The id of the")
        for wrong in (".", ".."):
            self.refused("INVALID_REQUEST", lambda: client.run_status(wrong))
        for wrong in ("seven", "0.0.0", "1.0", "01.0.0", "1.0.0\n", "", 1):
            self.refused("INVALID_REQUEST", lambda: client.follow("run-1", wrong), "last event")

    def test_of_outputs_given_by_hand(self) -> None:
        for output in (float("nan"), {1: 2}, b"x", {"a": object()}, "\ud800"):
            with self.subTest(type(output).__name__):
                self.refused(
                    "INVALID_REQUEST", lambda: self.client.complete_tool({**IDS, "output": output}), "/output"
                )

    def test_of_requests(self) -> None:
        plain = template("requests", "plain")
        client: Any = self.client
        cases = [
            None,
            {**plain, "tools": "lookup"},
            {**plain, "tools": [1]},
            {**plain, "applicationTools": {"lookup": 1}},
            {**plain, "applicationTools": [{}]},
            {**plain, "applicationTools": None},
            {**plain, "approvals": "interactive"},
            {**plain, "metadata": {1: "x"}},
            {**plain, "input": b"x"},
        ]
        for request in cases:
            with self.subTest(request):
                self.refused("INVALID_REQUEST", lambda: client.stream(request))
                self.refused("INVALID_REQUEST", lambda: client.serve_tools(request, {}))
                if request is not None:
                    self.refused("INVALID_REQUEST", lambda: client.follow("run-1", request=request))
        self.refused("INVALID_REQUEST", lambda: client.stream(plain, reconnect="yes"), "True or False")

    def test_of_functions_and_callbacks(self) -> None:
        client: Any = self.client
        request = template("requests", "tools")
        good = {"lookup": lambda arguments, context: None}
        wrong_functions: list[tuple[Any, str]] = [
            (None, "must be a dict of functions"),
            ([good["lookup"]], "must be a dict of functions"),
            ({"lookup": None}, "The function lookup must be a function and is None"),
            ({"lookup": "lookup"}, "of type str"),
            ({"lookup": lookup_later}, "is async"),
            ({"lookup": lookup_bit_by_bit}, "is a generator"),
            ({1: good["lookup"]}, "below their names"),
        ]
        for functions, words in wrong_functions:
            with self.subTest(words):
                self.refused("INVALID_REQUEST", lambda: client.serve_tools(request, functions), words)
                self.refused("INVALID_REQUEST", lambda: client.work_tools(functions), words)
        self.refused("INVALID_REQUEST", lambda: client.serve_tools(request, {}), "no function of it")
        self.refused("INVALID_REQUEST", lambda: client.serve_tools(request, {**good, "other": len}), "not declared")
        for name in ("decide", "on_event", "on_failure"):
            self.refused("INVALID_REQUEST", lambda: client.serve_tools(request, good, **{name: "no"}), f"`{name}`")
        self.refused("INVALID_REQUEST", lambda: client.serve_tools(request, good, decide=lookup_later), "async")
        self.refused("INVALID_REQUEST", lambda: client.work_tools(good, on_failure=7), "`on_failure`")
        self.refused("INVALID_REQUEST", lambda: client.work_tools(good, stop=True), "threading.Event")

    def test_of_filters(self) -> None:
        client: Any = self.client
        for wrong in (["x"], 1.5, b"x", "\ud800"):
            self.refused("INVALID_REQUEST", lambda: client.runs(cursor=wrong), "The filter cursor")

    def test_filters_that_are_none_are_left_out(self) -> None:
        with self.assertRaises(HostError) as raised:
            self.client.runs(cursor=None, uncertain=True, limit=5)
        self.assertEqual(raised.exception.code, "INVALID_RESPONSE")
        self.assertEqual(self.host.requests[0].path, "/v1/runs?uncertain=true&limit=5")


class ClosedTest(unittest.TestCase):
    def test_a_closed_client_says_so_for_each_way(self) -> None:
        client = Client("http://127.0.0.1:9", TOKEN)
        client.close()
        for ask in (
            lambda: client.stream(template("requests", "plain")),
            lambda: client.follow("run-1", reconnect=True),
            lambda: client.work_tools({}, stop=threading.Event()),
            lambda: next(client.execution_events()),
            lambda: client.runs(),
        ):
            with self.assertRaises(HostError) as raised:
                ask()
            self.assertEqual(raised.exception.code, "CLIENT_CLOSED")


if __name__ == "__main__":
    unittest.main()
