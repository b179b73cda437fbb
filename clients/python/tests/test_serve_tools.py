"""Functions that a run asks for."""

from __future__ import annotations

import threading
import unittest
from typing import Any

from toolpost import Client, HostError

from .host import ScriptedHost
from .vectors import DOCUMENT, template

Json = dict[str, Any]
TOKEN = DOCUMENT["token"]
RESULTS, PROGRESS, DECISIONS = "/v1/tool-executions/results", "/v1/tool-executions/progress", "/v1/approvals/decisions"
IDS = {"executionId": "execution-1", "runId": "run-1", "callId": "lookup-one"}

START = [{"use": "started"}, {"use": "called"}]
ASK = {"use": "requested"}
FINISH = [{"use": "completed"}]
END = [{"use": "returned"}, {"use": "completed"}]


def seven(arguments: Json, context: Any) -> int:
    return 7


class ServeToolsTest(unittest.TestCase):
    def serve(self, script: Any, functions: Json, request: str = "tools", refuse: Any = None, **more: Any) -> Json:
        self.host = ScriptedHost(script, refuse)
        self.addCleanup(self.host.stop)
        with Client(self.host.url, TOKEN) as client:
            return client.serve_tools(template("requests", request), functions, **more)

    def test_an_output_is_given_for_each_execution(self) -> None:
        seen: list[str] = []
        result = self.serve(
            [([*START, ASK], 1), (END, 0)],
            {"lookup": lambda arguments, context: {"passages": [arguments["query"], context.call["id"]]}},
            on_event=lambda event: seen.append(event["type"]),
        )
        self.assertEqual(result["text"], "finished")
        self.assertEqual(self.host.received, [(RESULTS, {**IDS, "output": {"passages": ["solar", "lookup-one"]}})])
        self.assertEqual(seen[-2:], ["tool.completed", "run.completed"])

    def test_progress_names_the_execution(self) -> None:
        def lookup(arguments: Json, context: Any) -> None:
            context.report_progress("half", fraction=0.5, output=[])

        self.serve([([*START, ASK], 2), (END, 0)], {"lookup": lookup})
        self.assertEqual(self.host.received[0], (PROGRESS, {**IDS, "message": "half", "fraction": 0.5, "output": []}))
        self.assertEqual(self.host.received[1], (RESULTS, {**IDS, "output": None}))

    def test_what_a_function_raises_never_travels(self) -> None:
        def lookup(arguments: Json, context: Any) -> None:
            raise RuntimeError("the password is swordfish")

        self.serve([([*START, ASK], 1), ([{"use": "refused"}, {"use": "completed"}], 0)], {"lookup": lookup})
        self.assertEqual(self.host.received, [(RESULTS, {**IDS, "error": "APPLICATION_TOOL_FAILED"})])

    def test_an_output_that_is_no_json_is_a_failure(self) -> None:
        for output in (object(), float("nan"), "x" * 1_000_001):
            self.serve([([*START, ASK], 1), (FINISH, 0)], {"lookup": lambda _arguments, _context: output})
            self.assertEqual(self.host.received, [(RESULTS, {**IDS, "error": "APPLICATION_TOOL_FAILED"})])

    def test_functions_of_one_step_run_at_the_same_time(self) -> None:
        together = threading.Barrier(2, timeout=30)
        other = {"/execution/executionId": "execution-2", "/execution/call/id": "lookup-two"}
        second = {"use": "requested", "set": other}
        self.serve(
            [([*START, ASK, second], 2), ([{"use": "completed"}], 0)],
            {"lookup": lambda _arguments, _context: together.wait() and None},
        )
        self.assertEqual({body["callId"] for _, body in self.host.received}, {"lookup-one", "lookup-two"})

    def test_reviews_are_decided_before_anything_runs(self) -> None:
        order: list[str] = []

        def decide(approval: Json) -> str:
            order.append("decided")
            return "approve"

        def lookup(arguments: Json, context: Any) -> None:
            order.append("ran")

        self.serve(
            [([*START, {"use": "asked"}], 1), ([{"use": "resolved"}, ASK], 1), (END, 0)],
            {"lookup": lookup},
            request="review",
            decide=decide,
        )
        self.assertEqual(order, ["decided", "ran"])
        self.assertEqual(self.host.received[0], (DECISIONS, template("inputs", "approval")))

    def test_a_decision_may_have_a_reason(self) -> None:
        denied = {"use": "resolved", "set": {"/resolution/outcome": "denied"}}
        failed = {"use": "failed", "set": {"/error/code": "APPROVAL_DENIED"}}
        with self.assertRaises(HostError) as raised:
            self.serve(
                [([*START, {"use": "asked"}], 1), ([denied, failed], 0)],
                {"lookup": lambda _arguments, _context: None},
                request="review",
                decide=lambda approval: {"decision": "deny", "reason": "too dear"},
            )
        self.assertEqual(raised.exception.code, "APPROVAL_DENIED")
        self.assertEqual(self.host.received[0][1]["reason"], "too dear")

    def test_a_function_is_told_when_its_run_was_cancelled_and_gives_no_result(self) -> None:
        stopped = threading.Event()
        begun = threading.Event()

        def lookup(arguments: Json, context: Any) -> None:
            begun.set()
            context.report_progress()
            if context.stopped.wait(30):
                stopped.set()

        with self.assertRaises(HostError) as raised:
            self.serve([([*START, ASK], 1), ([{"use": "cancelled"}], 0)], {"lookup": lookup})
        self.assertEqual((raised.exception.code, raised.exception.outcome), ("CANCELLED", "uncertain"))
        self.assertTrue(begun.is_set() and stopped.wait(30))
        self.assertEqual([path for path, _ in self.host.received], [PROGRESS])

    def test_an_output_that_the_host_refused_leaves_the_end_to_the_stream(self) -> None:
        refused = {"error": {"code": "INVALID_TOOL_OUTPUT", "message": "It breaks its schema.", "retryable": False}}
        uncertain = {"use": "failed", "set": {"/error/code": "TOOL_OUTCOME_UNCERTAIN", "/error/outcome": "uncertain"}}
        with self.assertRaises(HostError) as raised:
            self.serve(
                [([*START, ASK], 1), ([uncertain], 0)], {"lookup": seven}, refuse={RESULTS: (400, refused)}
            )
        self.assertEqual((raised.exception.code, raised.exception.outcome), ("TOOL_OUTCOME_UNCERTAIN", "uncertain"))

    def test_a_result_that_is_not_taken_ends_the_run_with_its_reason(self) -> None:
        forbidden = {"error": {"code": "FORBIDDEN", "message": "Not yours.", "retryable": False}}
        with self.assertRaises(HostError) as raised:
            self.serve(
                [([*START, ASK], 1), ([], 0)], {"lookup": seven}, refuse={RESULTS: (403, forbidden)}
            )
        self.assertEqual(raised.exception.code, "FORBIDDEN")
        self.assertTrue(self.host.closed.wait(30))

    def test_what_a_decision_raises_ends_the_run(self) -> None:
        def decide(approval: Json) -> str:
            raise LookupError("nobody is there")

        with self.assertRaises(LookupError):
            self.serve(
                [([*START, {"use": "asked"}], 0)], {"lookup": seven}, request="review", decide=decide
            )
        self.assertTrue(self.host.closed.wait(30))

    def test_a_declared_tool_without_a_function_is_refused_before_anything_is_sent(self) -> None:
        with self.assertRaises(HostError) as raised:
            self.serve([], {})
        self.assertEqual(raised.exception.code, "INVALID_REQUEST")


class ClosingTest(unittest.TestCase):
    def setUp(self) -> None:
        self.host = ScriptedHost([([{"use": "started"}], 0)])
        self.addCleanup(self.host.stop)
        self.client = Client(self.host.url, TOKEN)
        self.addCleanup(self.client.close)

    def read_in_a_thread(self, stream: Any) -> tuple[threading.Thread, list[Any]]:
        found: list[Any] = []

        def read() -> None:
            try:
                found.append(next(stream))
            except (HostError, StopIteration) as end:
                found.append(end)

        next(stream)
        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        return thread, found

    def test_closing_a_stream_ends_a_read_that_waits(self) -> None:
        stream = self.client.stream(template("requests", "plain"))
        thread, found = self.read_in_a_thread(stream)
        stream.close()
        thread.join(30)
        self.assertEqual(len(found), 1)
        self.assertTrue(isinstance(found[0], StopIteration) or found[0].code == "CANCELLED")
        self.assertTrue(self.host.closed.wait(30))
        self.assertEqual(list(stream), [])

    def test_closing_a_client_ends_its_streams_and_refuses_more(self) -> None:
        stream = self.client.stream(template("requests", "plain"))
        thread, found = self.read_in_a_thread(stream)
        self.client.close()
        thread.join(30)
        self.assertEqual(len(found), 1)
        with self.assertRaises(HostError) as raised:
            self.client.protocol()
        self.assertEqual(raised.exception.code, "CLIENT_CLOSED")

    def test_a_host_that_is_not_there_is_told_of(self) -> None:
        self.host.stop()
        with self.assertRaises(HostError) as raised:
            self.client.complete_tool({**IDS, "output": None})
        self.assertEqual((raised.exception.code, raised.exception.retryable), ("TRANSPORT_FAILED", True))
        self.assertIsNone(raised.exception.outcome)

    def test_a_request_that_is_too_large_is_not_sent(self) -> None:
        with self.assertRaises(HostError) as raised:
            self.client.complete_tool({**IDS, "output": "x" * 1_000_000})
        self.assertEqual(raised.exception.code, "BODY_TOO_LARGE")
        self.assertEqual(self.host.received, [])


if __name__ == "__main__":
    unittest.main()
