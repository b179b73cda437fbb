"""A worker that serves the functions of all runs of its subject."""

from __future__ import annotations

import threading
import unittest
from typing import Any

from toolpost import Client, HostError

from .plain_host import PlainHost, Reply, Request, receipt, refusal
from .vectors import DOCUMENT

Json = dict[str, Any]
TOKEN, TIME = DOCUMENT["token"], DOCUMENT["defaults"]["timestamp"]
STREAM, RESULTS = "/v1/tool-executions/stream", "/v1/tool-executions/results"


def requested(number: int, name: str = "lookup") -> Json:
    call = {"id": f"call-{number}", "name": name, "arguments": {"number": number}}
    execution = {"executionId": f"execution-{number}", "runId": f"run-{number}", "call": call}
    return {"type": "execution.requested", "timestamp": TIME, "execution": execution}


def closed(number: int) -> Json:
    ids = {"executionId": f"execution-{number}", "runId": f"run-{number}", "callId": f"call-{number}"}
    return {"type": "execution.closed", "timestamp": TIME, "execution": ids, "status": "cancelled"}


class WorkToolsTest(unittest.TestCase):
    def setUp(self) -> None:
        self.stop = threading.Event()
        self.hold = threading.Event()
        self.addCleanup(self.hold.set)
        self.slept: list[float] = []
        self.results: list[Json] = []
        self.refusal: Reply | None = None
        self.stop_after = 1

    def client(self, *streams: Reply | None) -> Client:
        """A client of a host whose streams are these, and that takes results; the last stream stays open."""
        left = list(streams)

        def answer(request: Request) -> Reply | None:
            if request.path == STREAM:
                return left.pop(0) if left else Reply(events=[], hold=self.hold)
            if request.path == RESULTS:
                self.results.append(request.body)
                if len(self.results) == self.stop_after:
                    self.stop.set()
            return self.refusal or receipt(request)

        self.host = PlainHost(answer)
        self.addCleanup(self.host.stop)
        client = Client(self.host.url, TOKEN, sleep=self.slept.append, dice=lambda: 1.0)
        self.addCleanup(client.close)
        return client

    def test_what_waits_and_what_comes_is_carried_out_and_other_names_are_left(self) -> None:
        self.stop_after = 2
        events = [requested(1), requested(7, "other"), {"type": "weather.changed", "optional": True}, requested(2)]
        given: list[Any] = []

        def lookup(arguments: Json, context: Any) -> Json:
            given.append((arguments["number"], context.run_id, context.name, context.call_id, context.idempotency_key))
            return {"found": arguments["number"]}

        self.client(Reply(events=events, hold=self.hold)).work_tools({"lookup": lookup}, stop=self.stop)
        said = {body["executionId"]: body["output"] for body in self.results}
        self.assertEqual(said, {"execution-1": {"found": 1}, "execution-2": {"found": 2}})
        expected = [(n, f"run-{n}", "lookup", f"call-{n}", f"run-{n}:call-{n}") for n in (1, 2)]
        self.assertEqual(sorted(given), expected)

    def test_it_connects_again_and_carries_out_nothing_twice(self) -> None:
        finish, told_again = threading.Event(), threading.Event()
        calls: list[int] = []

        def lookup(arguments: Json, context: Any) -> None:
            calls.append(arguments["number"])
            if arguments["number"] == 1:
                finish.wait(30)
            else:
                # The second connection has told of the first execution again by now.
                told_again.set()
                finish.set()

        self.stop_after = 2
        streams = [
            None,
            Reply(events=[requested(1)]),
            refusal("HOST_SHUTTING_DOWN", 503, True),
            Reply(events=[requested(1), requested(2)], hold=self.hold),
        ]
        self.client(*streams).work_tools({"lookup": lookup}, stop=self.stop)
        self.assertEqual(sorted(calls), [1, 2])
        self.assertTrue(told_again.is_set())
        # A connection that brought something begins the pauses anew.
        self.assertEqual(self.slept[:3], [0.25, 0.25, 0.5])

    def test_a_function_that_nobody_waits_for_is_told_so_and_gives_no_result(self) -> None:
        told = threading.Event()
        self.stop_after = 1

        def lookup(arguments: Json, context: Any) -> None:
            if arguments["number"] == 1:
                self.assertTrue(context.stopped.wait(30))
                with self.assertRaises(HostError) as raised:
                    context.report_progress("half")
                self.assertEqual(raised.exception.code, "CANCELLED")
                told.set()
            else:
                told.wait(30)

        events = [requested(1), closed(1), requested(2), closed(9)]
        self.client(Reply(events=events, hold=self.hold)).work_tools({"lookup": lookup}, stop=self.stop)
        self.assertEqual([body["executionId"] for body in self.results], ["execution-2"])
        self.assertTrue(told.is_set())

    def test_stopping_tells_the_functions_and_closing_the_client_does_too(self) -> None:
        for close_client in (False, True):
            with self.subTest(close_client=close_client):
                begun, told = threading.Event(), threading.Event()

                def lookup(arguments: Json, context: Any) -> None:
                    begun.set()
                    if context.stopped.wait(30):
                        told.set()

                client = self.client(Reply(events=[requested(1)], hold=self.hold))
                stop = threading.Event()
                working = threading.Thread(
                    target=lambda: client.work_tools({"lookup": lookup}, stop=stop), daemon=True
                )
                working.start()
                self.assertTrue(begun.wait(30))
                if close_client:
                    client.close()
                else:
                    stop.set()
                working.join(30)
                self.assertFalse(working.is_alive())
                self.assertTrue(told.wait(30))
                self.assertEqual(self.results, [])

    def test_what_the_host_refuses_for_good_ends_it(self) -> None:
        bad_status = {**closed(1), "status": "pending"}
        cases: list[tuple[Reply, str]] = [
            (refusal("FORBIDDEN", 403), "FORBIDDEN"),
            (refusal("UNAUTHORIZED", 401), "UNAUTHORIZED"),
            (Reply(events=[{"type": "weather.changed"}]), "UNSUPPORTED_EVENT"),
            (Reply(events=[{**requested(1), "timestamp": 1}]), "INVALID_STREAM"),
            (Reply(events=[{**requested(1), "execution": None}]), "INVALID_STREAM"),
            (Reply(events=[bad_status]), "INVALID_STREAM"),
            (Reply({}), "INVALID_RESPONSE"),
        ]
        for reply, code in cases:
            with self.subTest(code), self.assertRaises(HostError) as raised:
                self.client(reply).work_tools({"lookup": lambda arguments, context: None})
            self.assertEqual(raised.exception.code, code)

    def test_a_result_that_is_refused_ends_it_unless_somebody_is_told(self) -> None:
        self.refusal = refusal("FORBIDDEN", 403)
        self.stop_after = 2
        events = [requested(1), requested(2)]
        functions = {"lookup": lambda arguments, context: None}
        with self.assertRaises(HostError) as raised:
            self.client(Reply(events=events, hold=self.hold)).work_tools(functions)
        self.assertEqual(raised.exception.code, "FORBIDDEN")
        self.results.clear()
        faults: list[tuple[BaseException, Json]] = []
        both = threading.Barrier(2, timeout=30)

        def told(fault: BaseException, execution: Json) -> None:
            faults.append((fault, execution))
            both.wait()
            self.stop.set()

        self.stop.clear()
        self.stop_after = 99
        self.client(Reply(events=events, hold=self.hold)).work_tools(functions, stop=self.stop, on_failure=told)
        self.assertEqual({execution["executionId"] for _, execution in faults}, {"execution-1", "execution-2"})
        self.assertEqual({fault.code for fault, _ in faults if isinstance(fault, HostError)}, {"FORBIDDEN"})

    def test_what_an_output_was_refused_with_is_told_also_when_the_stream_told_it_first(self) -> None:
        contexts: list[Any] = []
        given, told = threading.Event(), []

        def answer(request: Request) -> Reply | None:
            if request.path == STREAM:
                first = Reply(events=[requested(1)], hold=given)
                return Reply(events=[closed(1)], hold=self.hold) if given.is_set() else first
            given.set()
            self.assertTrue(contexts[0].stopped.wait(30))
            return refusal("INVALID_TOOL_OUTPUT", 400)

        def on_failure(fault: BaseException, execution: Json) -> None:
            told.append((str(fault), execution["executionId"]))
            self.stop.set()

        host = PlainHost(answer)
        self.addCleanup(host.stop)
        with Client(host.url, TOKEN, sleep=self.slept.append) as client:
            functions = {"lookup": lambda arguments, context: contexts.append(context)}
            client.work_tools(functions, stop=self.stop, on_failure=on_failure)
        self.assertEqual(told, [("INVALID_TOOL_OUTPUT: No.", "execution-1")])

    def test_executions_can_be_followed_by_hand(self) -> None:
        client = self.client(Reply(events=[requested(1), closed(1)]))
        with client.execution_events() as stream:
            self.assertEqual(self.host.requests, [])
            self.assertEqual(list(stream), [requested(1), closed(1)])


if __name__ == "__main__":
    unittest.main()
