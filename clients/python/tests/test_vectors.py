"""Every shared client vector, over HTTP."""

from __future__ import annotations

import json
import unittest
from collections.abc import Callable
from typing import Any

from toolpost import Client, HostError

from .peer import Peer
from .vectors import DEFAULT_EVENTS, DOCUMENT, body_of, events_of, template

Case = dict[str, Any]


class VectorTest(unittest.TestCase):
    peer: Peer

    @classmethod
    def setUpClass(cls) -> None:
        cls.peer = Peer()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.peer.shutdown()
        cls.peer.server_close()

    def play(self, case: Case) -> None:
        delivered: list[Case] = []
        error: HostError | None = None
        answer: Any = None
        try:
            answer = self.perform(case, delivered)
        except HostError as fault:
            error = fault
        self.judge(case["expect"], error)
        if "events" in case["expect"]:
            self.judge_events(case, delivered)
        if "after" in case["expect"]:
            self.assertEqual(len(delivered), case["expect"]["after"], "events before the error")
        if case["expect"].get("json"):
            self.assertEqual(answer, json.loads(body_of(case)))
        self.judge_peer(case)

    def perform(self, case: Case, delivered: list[Case]) -> Any:
        operation: str = case["operation"]
        if operation == "construct":
            Client(case["baseUrl"], case["token"]).close()
            return None
        with Client(self.peer.base_url(case["id"]), DOCUMENT["token"]) as client:
            if operation == "stream":
                return self.read(client, case, delivered)
            if operation == "run":
                return client.run(template("requests", case.get("request", "plain")))
            if operation in ("protocol", "providers"):
                return getattr(client, operation)()
            verbs: dict[str, Callable[[Any], Any]] = {
                "approval": client.decide_approval,
                "result": client.complete_tool,
                "failure": client.complete_tool,
                "progress": client.report_tool_progress,
                "execution": client.execution_status,
            }
            return verbs[operation](template("inputs", case.get("input", operation)))

    def read(self, client: Client, case: Case, delivered: list[Case]) -> None:
        with client.stream(template("requests", case.get("request", "plain"))) as stream:
            for event in stream:
                delivered.append(event)
                if len(delivered) == case.get("stopAfter"):
                    break

    def judge(self, expect: Case, error: HostError | None) -> None:
        if expect.get("transport"):
            self.assertIsNotNone(error)
            return
        self.assertEqual(error and error.code, expect.get("error"), error)
        for key in ("retryable", "outcome"):
            if key in expect:
                self.assertEqual(getattr(error, key), expect[key])

    def judge_events(self, case: Case, delivered: list[Case]) -> None:
        expect = case["expect"]
        self.assertEqual(len(delivered), expect["events"])
        if "last" in expect:
            self.assertEqual(delivered[-1]["type"], expect["last"])
        if "raw" not in case:
            sent = events_of(case.get("events", DEFAULT_EVENTS))
            skipped = expect.get("skipped", ())
            self.assertEqual(delivered, [event for place, event in enumerate(sent) if place not in skipped])

    def judge_peer(self, case: Case) -> None:
        seen = self.peer.seen[case["id"]]
        if case["expect"].get("untouched"):
            self.assertEqual(seen.target_hits, 0)
            self.assertEqual(len(seen.requests), 1 if "redirect" in case else 0)
        if case["expect"].get("closed"):
            self.assertTrue(seen.closed.wait(30), "the peer's connection was not closed")
        if "sent" in case:
            (request,) = seen.requests
            for key, value in case["sent"].items():
                given = request[key]
                if key == "headers":
                    given = {name: given.get(name) for name in value}
                self.assertEqual(given, value)


def _named(case: Case) -> Any:
    def test(self: VectorTest) -> None:
        self.play(case)

    test.__doc__ = f"{case['id']}: {case['says']}"
    return test


for _case in DOCUMENT["cases"]:
    setattr(VectorTest, "test_" + _case["id"].replace("-", "_"), _named(_case))

if __name__ == "__main__":
    unittest.main()
