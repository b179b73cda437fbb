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


async def late() -> None:
    """Is never awaited."""


def seven(arguments: Json, context: Any) -> int:
    return 7


class ServeToolsTest(unittest.TestCase):
    def serve(self, script: Any, functions: Json, request: str = "tools", refuse: Any = None, **more: Any) -> Json:
        self.host = ScriptedHost(script, refuse)
        self.addCleanup(self.host.stop)
        sleep = more.pop("sleep", None)
        with Client(self.host.url, TOKEN, sleep=sleep, dice=lambda: 1.0) as client:
            return client.serve_tools(template("requests", request), functions, **more)

    def results(self) -> list[Json]:
        """The results that came, without their keys."""
        bodies = [dict(body) for path, body in self.host.received if path == RESULTS]
        for body in bodies:
            self.assertRegex(body.pop("resultKey"), "^[0-9a-f]{32}$")
        return bodies

    def test_an_output_is_given_for_each_execution(self) -> None:
        seen: list[str] = []
        result = self.serve(
            [([*START, ASK], 1), (END, 0)],
            {"lookup": lambda arguments, context: {"passages": [arguments["query"], context.call["id"]]}},
            on_event=lambda event: seen.append(event["type"]),
        )
        self.assertEqual(result["text"], "finished")
        self.assertEqual(self.results(), [{**IDS, "output": {"passages": ["solar", "lookup-one"]}}])
        self.assertEqual(seen[-2:], ["tool.completed", "run.completed"])

    def test_progress_names_the_execution(self) -> None:
        def lookup(arguments: Json, context: Any) -> None:
            context.report_progress("half", fraction=0.5, output=[])

        self.serve([([*START, ASK], 2), (END, 0)], {"lookup": lookup})
        self.assertEqual(self.host.received[0], (PROGRESS, {**IDS, "message": "half", "fraction": 0.5, "output": []}))
        self.assertEqual(self.results(), [{**IDS, "output": None}])

    def test_what_a_function_raises_never_travels(self) -> None:
        def lookup(arguments: Json, context: Any) -> None:
            raise RuntimeError("the password is swordfish")

        with self.assertLogs("toolpost", "ERROR"):
            self.serve([([*START, ASK], 1), ([{"use": "refused"}, {"use": "completed"}], 0)], {"lookup": lookup})
        self.assertEqual(self.results(), [{**IDS, "error": "APPLICATION_TOOL_FAILED"}])

    def test_an_output_that_is_no_json_is_a_failure(self) -> None:
        for output in (object(), float("nan"), "x" * 1_000_001):
            with self.assertLogs("toolpost", "ERROR"):
                self.serve([([*START, ASK], 1), (FINISH, 0)], {"lookup": lambda _arguments, _context: output})
            self.assertEqual(self.results(), [{**IDS, "error": "APPLICATION_TOOL_FAILED"}])

    def test_why_a_function_failed_is_told_here_and_not_to_the_host(self) -> None:
        def broken(arguments: Json, context: Any) -> None:
            raise LookupError("the password is swordfish")

        cases: list[tuple[Any, type[Exception], str]] = [
            (broken, LookupError, "swordfish"),
            (lambda arguments, context: {"passages": [b"x"]}, TypeError, "/passages/0 is bytes"),
            (lambda arguments, context: {1: "x"}, TypeError, "key of type int"),
            (lambda arguments, context: float("nan"), TypeError, "it is nan"),
            (lambda arguments, context: late(), TypeError, "asyncio.run()"),
            (lambda arguments, context: "x" * 1_000_000, ValueError, "1000002 bytes"),
            (lambda: None, TypeError, "positional"),
        ]
        for function, kind, words in cases:
            told: list[Any] = []
            with self.subTest(words):
                self.serve(
                    [([*START, ASK], 1), ([{"use": "refused"}, {"use": "completed"}], 0)],
                    {"lookup": function},
                    on_failure=lambda fault, execution: told.append((fault, execution["executionId"])),
                )
                ((fault, execution_id),) = told
                self.assertEqual((type(fault), execution_id), (kind, "execution-1"))
                self.assertIn(words, str(fault))
                self.assertEqual(self.results(), [{**IDS, "error": "APPLICATION_TOOL_FAILED"}])

    def test_what_nobody_is_told_is_logged_with_its_traceback_and_never_sent(self) -> None:
        def fails(arguments: Json, context: Any) -> None:
            raise RuntimeError("what only the application may know")

        cases: list[tuple[Any, str]] = [
            (fails, "may know"),
            (lambda arguments, context: {1}, "set"),
            (lambda arguments, context: float("nan"), "nan"),
        ]
        for function, words in cases:
            with self.subTest(words), self.assertLogs("toolpost", "ERROR") as logged:
                self.serve([([*START, ASK], 1), ([{"use": "completed"}], 0)], {"lookup": function})
            (record,) = logged.records
            self.assertIn("lookup", record.getMessage())
            assert record.exc_info is not None
            self.assertIn(words, str(record.exc_info[1]))
            self.assertIsNotNone(record.exc_info[2])
            self.assertEqual(self.results(), [{**IDS, "error": "APPLICATION_TOOL_FAILED"}])

    def test_outputs_arrive_exactly(self) -> None:
        for output in (None, 2**70, -0.0, 1e16, {"a": [True, "\u2028"]}, "x" * 900_000):
            self.serve([([*START, ASK], 1), (END, 0)], {"lookup": lambda arguments, context: output})
            self.assertEqual(repr(self.results()), repr([{**IDS, "output": output}]))

    def test_an_output_that_the_host_could_not_read_is_a_failure(self) -> None:
        told: list[Any] = []
        unread = {"error": {"code": "INVALID_TOOL_EXECUTION", "message": "Wrong.", "retryable": False}}
        with self.assertRaises(HostError) as raised:
            self.serve(
                [([*START, ASK], 2), ([], 0)],
                {"lookup": seven},
                refuse={RESULTS: (400, unread)},
                on_failure=lambda fault, execution: told.append(fault.code),
            )
        self.assertEqual(raised.exception.code, "INVALID_TOOL_EXECUTION")
        first, second = self.results()
        self.assertEqual((first, second), ({**IDS, "output": 7}, {**IDS, "error": "APPLICATION_TOOL_FAILED"}))
        self.assertEqual(told, ["INVALID_TOOL_EXECUTION"])

    def test_a_result_is_sent_again_under_its_key_while_its_receipt_is_lost(self) -> None:
        slept: list[float] = []
        away = {"error": {"code": "HOST_SHUTTING_DOWN", "message": "Later.", "retryable": True}}
        calls: list[Json] = []

        def lookup(arguments: Json, context: Any) -> Json:
            calls.append(arguments)
            return {"passages": []}

        with self.assertRaises(HostError) as raised:
            self.serve(
                [([*START, ASK], 10), ([], 0)],
                {"lookup": lookup},
                refuse={RESULTS: (503, away)},
                sleep=slept.append,
            )
        self.assertEqual(raised.exception.code, "HOST_SHUTTING_DOWN")
        self.assertEqual(slept, [0.25, 0.5, 1, 2, 4, 8, 15, 15, 15])
        bodies = [body for _, body in self.host.received]
        self.assertEqual((len(bodies), len(calls)), (10, 1))
        self.assertTrue(all(body == bodies[0] for body in bodies))

    def test_a_result_whose_end_the_stream_has_told_is_not_sent_again(self) -> None:
        away = {"error": {"code": "BUSY", "message": "Later.", "retryable": True}}
        told = threading.Event()

        def sleep(seconds: float) -> None:
            self.assertTrue(told.wait(30))

        self.serve(
            [([*START, ASK], 1), (END, 0)],
            {"lookup": seven},
            refuse={RESULTS: (429, away)},
            sleep=sleep,
            on_event=lambda event: told.set() if event["type"] == "run.completed" else None,
        )
        self.assertEqual(len(self.results()), 1)

    def test_a_function_is_told_that_its_call_has_an_outcome_already(self) -> None:
        stopped = threading.Event()

        def lookup(arguments: Json, context: Any) -> None:
            context.report_progress()
            if context.stopped.wait(30):
                stopped.set()

        def on_event(event: Json) -> None:
            if event["type"] == "step.started":
                self.assertTrue(stopped.wait(30))

        step = {"use": "delta", "set": {"/type": "step.started", "/step": 1}}
        script = [([*START, ASK], 1), ([{"use": "returned"}, step, {"use": "completed"}], 0)]
        self.serve(script, {"lookup": lookup}, on_event=on_event)
        self.assertEqual([path for path, _ in self.host.received], [PROGRESS])

    def test_progress_that_is_none_is_refused_and_names_no_other_execution(self) -> None:
        refused: list[str] = []

        def lookup(arguments: Json, context: Any) -> None:
            wrong: list[dict[str, Any]] = [
                {"message": 7}, {"message": "x" * 2_001}, {"fraction": 1.5}, {"fraction": float("nan")},
                {"fraction": True}, {"fraction": "half"}, {"output": b"x"},
            ]
            for said in wrong:
                try:
                    context.report_progress(**said)
                except HostError as error:
                    refused.append(error.code)
            with self.assertRaises(TypeError):
                context.report_progress(executionId="another")

        self.serve([([*START, ASK], 1), (END, 0)], {"lookup": lookup})
        self.assertEqual(refused, ["INVALID_REQUEST"] * 7)
        self.assertEqual(self.results(), [{**IDS, "output": None}])

    def test_a_declared_function_is_selected(self) -> None:
        request = {key: value for key, value in template("requests", "tools").items() if key != "tools"}
        host = ScriptedHost([([*START, ASK], 1), (END, 0)])
        self.addCleanup(host.stop)
        with Client(host.url, TOKEN) as client:
            client.serve_tools(request, {"lookup": seven})
        self.assertEqual(host.asked[0]["tools"], ["lookup"])

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
            try:
                context.report_progress()
            finally:
                # The client may be closed before the receipt was read.
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
        with self.assertLogs("toolpost", "ERROR"), self.assertRaises(HostError) as raised:
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

    def test_what_is_no_decision_is_told_and_nothing_is_decided(self) -> None:
        for answer, words in (
            (None, "returned nothing"),
            (True, "a bool"),
            ("yes", "another decision"),
            ({}, "another decision"),
            ({"decision": ["approve"]}, "another decision"),
            ({"decision": "deny", "why": "x"}, "unknown key 'why'"),
            ({"decision": "deny", "reason": 7}, "a reason"),
            ({"decision": "deny", "reason": "x" * 2_001}, "a reason"),
            ({"decision": "approve", "editedArguments": [1]}, "editedArguments that are no dict"),
            ({"decision": "deny", "editedArguments": {}}, "without approving"),
            ({"decision": "deny", "reason": b"x"}, "no JSON (/reason is bytes"),
        ):
            with self.subTest(words), self.assertRaises(HostError) as raised:
                self.serve(
                    [([*START, {"use": "asked"}], 0)],
                    {"lookup": seven},
                    request="review",
                    decide=lambda approval: answer,
                )
            self.assertEqual(raised.exception.code, "INVALID_APPROVAL")
            self.assertIn(words, raised.exception.message)
            self.assertIn('must return "approve", "deny" or "cancel"', raised.exception.message)
            self.assertEqual(self.host.received, [])

    def test_a_decision_repeats_what_was_shown_whatever_the_callback_makes_of_it(self) -> None:
        def decide(approval: Json) -> Json:
            edited = approval["call"]["arguments"]
            edited["query"] = "lunar"
            return {"decision": "approve", "editedArguments": edited}

        self.serve(
            [([*START, {"use": "asked"}], 1), ([{"use": "resolved"}, ASK], 1), (END, 0)],
            {"lookup": seven},
            request="review",
            decide=decide,
        )
        expected = {**template("inputs", "approval"), "editedArguments": {"query": "lunar"}}
        self.assertEqual(self.host.received[0], (DECISIONS, expected))

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
        self.assertEqual((raised.exception.code, raised.exception.retryable), ("HTTP_ERROR", True))
        self.assertIsNone(raised.exception.outcome)

    def test_a_request_that_is_too_large_is_not_sent(self) -> None:
        with self.assertRaises(HostError) as raised:
            self.client.complete_tool({**IDS, "output": "x" * 1_000_000})
        self.assertEqual(raised.exception.code, "BODY_TOO_LARGE")
        self.assertEqual(self.host.received, [])


if __name__ == "__main__":
    unittest.main()
