"""The client at a host that is really there: its address and a token come by TOOLPOST_URL and TOOLPOST_TOKEN.

The host has the provider "double", whose model "small" calls `lookup` once and then answers "finished".
The tests of the repository start one and run this; by hand: ``python3 -m unittest tests.live``.
"""

from __future__ import annotations

import os
import queue
import threading
import unittest
from typing import Any

from toolpost import Client, HostError

from .proxy import Proxy

Json = dict[str, Any]
RESULTS, STREAM = "/v1/tool-executions/results", "/v1/tool-executions/stream"


def lookup_tool(**more: Any) -> Json:
    return {"name": "lookup", "description": "Looks something up", "inputSchema": {"type": "object"}, **more}


def request(**more: Any) -> Json:
    asked = {"provider": "double", "model": "small", "input": "Look it up.", "tools": ["lookup"]}
    return {**asked, "applicationTools": [lookup_tool()], **more}


REVIEWED: Json = {
    "applicationTools": [lookup_tool(requiresApproval=True)],
    "approvals": {"mode": "interactive", "idlePolicy": "pause"},
}


class LiveTest(unittest.TestCase):
    def setUp(self) -> None:
        self.url, self.token = os.environ["TOOLPOST_URL"], os.environ["TOOLPOST_TOKEN"]
        self.client = self.client_at(self.url)

    def client_at(self, url: str, **more: Any) -> Client:
        client = Client(url, self.token, **more)
        self.addCleanup(client.close)
        return client

    def proxied(self, bytes_max: Any) -> tuple[Client, Proxy, list[float]]:
        """A client behind a proxy, and the pauses that it made."""
        slept: list[float] = []
        proxy = Proxy(self.url, bytes_max)
        self.addCleanup(proxy.stop)
        return self.client_at(proxy.url, sleep=slept.append), proxy, slept

    def run_waiting(self) -> Json:
        """Starts a run that is kept, and leaves it when its call waits for a result."""
        with self.client.stream(request(onDisconnect="keep")) as stream:
            for event in stream:
                if event["type"] == "tool.execution.requested":
                    execution: Json = event["execution"]
                    return execution
        raise AssertionError("Nothing was to be executed.")

    def end_of(self, run_id: str) -> Json:
        with self.client.follow(run_id) as stream:
            return list(stream)[-1]

    def test_a_worker_serves_what_waits_and_then_what_comes(self) -> None:
        waiting = self.run_waiting()
        served: list[str] = []

        def lookup(arguments: Json, context: Any) -> Json:
            served.append(context.run_id)
            context.report_progress("half", 0.5, output=[1])
            return {"passages": [arguments["query"]]}

        stop = threading.Event()
        failures: list[BaseException] = []
        working = threading.Thread(
            target=lambda: self.client.work_tools(
                {"lookup": lookup}, stop=stop, on_failure=lambda fault, execution: failures.append(fault)
            ),
            daemon=True,
        )
        working.start()
        self.assertEqual(self.end_of(waiting["runId"])["type"], "run.completed")
        with self.client.stream(request()) as stream:
            events = list(stream)
        self.assertEqual(events[-1]["type"], "run.completed")
        outputs = [event["output"] for event in events if event["type"] == "tool.completed"]
        self.assertEqual(outputs, [{"passages": ["solar"]}])
        stop.set()
        working.join(30)
        self.assertFalse(working.is_alive())
        self.assertEqual((served, failures), ([waiting["runId"], events[0]["runId"]], []))

    def test_a_worker_whose_stream_is_cut_comes_back_and_executes_nothing_twice(self) -> None:
        waiting = self.run_waiting()
        cut = {1: 0, 2: 500}
        client, proxy, _ = self.proxied(lambda path, time: cut.get(time) if path == STREAM else None)
        came_back, stop = threading.Event(), threading.Event()
        served: list[str] = []

        def lookup(arguments: Json, context: Any) -> None:
            served.append(context.execution_id)
            # The stream of the third connection begins with this execution once more.
            came_back.wait(30)

        working = threading.Thread(target=lambda: client.work_tools({"lookup": lookup}, stop=stop), daemon=True)
        working.start()
        second = self.run_waiting()
        while proxy.asked[STREAM] < 3 or len(served) < 2:
            self.client.execution_status(second["executionId"])
        came_back.set()
        for run in (waiting, second):
            self.assertEqual(self.end_of(run["runId"])["type"], "run.completed")
        stop.set()
        working.join(30)
        self.assertEqual(sorted(served), sorted([waiting["executionId"], second["executionId"]]))

    def test_a_function_of_a_worker_is_told_that_its_run_was_cancelled(self) -> None:
        stop, begun, told = threading.Event(), threading.Event(), threading.Event()

        def lookup(arguments: Json, context: Any) -> None:
            begun.set()
            if context.stopped.wait(30):
                told.set()

        working = threading.Thread(
            target=lambda: self.client.work_tools({"lookup": lookup}, stop=stop), daemon=True
        )
        working.start()
        waiting = self.run_waiting()
        self.assertTrue(begun.wait(30))
        self.client.cancel_run(waiting["runId"])
        self.assertTrue(told.wait(30))
        stop.set()
        working.join(30)
        self.assertEqual(self.client.execution_status(waiting["executionId"])["status"], "cancelled")
        self.assertEqual(self.client.delete_run(waiting["runId"]), {"runId": waiting["runId"], "deleted": True})
        with self.assertRaises(HostError) as gone:
            self.client.run_status(waiting["runId"])
        self.assertEqual(gone.exception.code, "RUN_NOT_FOUND")

    def test_a_stream_that_is_cut_again_and_again_comes_whole_and_nothing_twice(self) -> None:
        # Every connection of the stream brings a little more than an event.
        client, _, slept = self.proxied(lambda path, time: 500 + 100 * time if "/runs" in path else None)
        executed: list[str] = []
        events: list[Json] = []

        def lookup(arguments: Json, context: Any) -> Json:
            executed.append(context.execution_id)
            return {"passages": []}

        kept = request(onDisconnect="keep")
        result = client.serve_tools(kept, {"lookup": lookup}, on_event=events.append, reconnect=True)
        self.assertEqual((result["text"], len(executed)), ("finished", 1))
        sequences = [event["sequence"] for event in events]
        self.assertEqual(sequences, sorted(set(sequences)))
        self.assertGreater(len(slept), 0)

    def test_a_lost_receipt_is_settled_by_sending_the_same_again(self) -> None:
        client, proxy, slept = self.proxied(lambda path, time: 0 if path == RESULTS and time < 3 else None)
        executed: list[str] = []
        outputs: list[Any] = []

        def lookup(arguments: Json, context: Any) -> int:
            executed.append(context.execution_id)
            return 7

        def on_event(event: Json) -> None:
            if event["type"] == "tool.completed":
                outputs.append(event["output"])

        waiting = self.run_waiting()
        stop = threading.Event()
        working = threading.Thread(target=lambda: client.work_tools({"lookup": lookup}, stop=stop), daemon=True)
        working.start()
        with self.client.follow(waiting["runId"]) as stream:
            for event in stream:
                on_event(event)
        # The worker need not hear of the end before its receipt is there; it stops when it has it, or is told.
        stop.set()
        working.join(30)
        self.assertEqual((executed, outputs), ([waiting["executionId"]], [7]))
        bodies = [body for path, body in proxy.bodies if path == RESULTS]
        self.assertEqual(len(set(bodies)), 1)
        self.assertEqual(self.client.execution_status(waiting["executionId"])["status"], "completed")

    def test_the_same_result_by_hand_is_taken_twice_and_another_one_is_not(self) -> None:
        client, _, _ = self.proxied(lambda path, time: 0 if path == RESULTS and time == 1 else None)
        waiting = self.run_waiting()
        ids = {"executionId": waiting["executionId"], "runId": waiting["runId"], "callId": waiting["call"]["id"]}
        result = {**ids, "output": {"rows": 12}, "resultKey": "import-1"}
        with self.assertRaises(HostError) as raised:
            client.complete_tool(result)
        self.assertEqual((raised.exception.code, raised.exception.outcome), ("HTTP_ERROR", "uncertain"))
        self.assertEqual(client.complete_tool(result)["status"], "accepted")
        with self.assertRaises(HostError) as raised:
            client.complete_tool({**result, "output": None})
        self.assertEqual(raised.exception.code, "TOOL_RESULT_CONFLICT")

    def test_outputs_are_told_to_the_model_exactly(self) -> None:
        for output in (None, 2**70, -(10**300), 0.1, {"": [], "é😀": {"deep": [1, "\u2028"]}}):
            told: list[Any] = []

            def on_event(event: Json) -> None:
                if event["type"] == "tool.completed":
                    told.append(event["output"])

            self.client.serve_tools(request(), {"lookup": lambda arguments, context: output}, on_event=on_event)
            self.assertEqual(repr(told), repr([output]))

    def test_an_output_that_is_no_json_leaves_the_ticket_open_by_hand_and_fails_when_served(self) -> None:
        waiting = self.run_waiting()
        ids = {"executionId": waiting["executionId"], "runId": waiting["runId"], "callId": waiting["call"]["id"]}
        wrongs: list[Any] = [float("nan"), {1: "x"}, b"x", object()]
        for wrong in wrongs:
            with self.assertRaises(HostError) as raised:
                self.client.complete_tool({**ids, "output": wrong})
            self.assertEqual(raised.exception.code, "INVALID_REQUEST")
            self.assertEqual(self.client.execution_status(ids["executionId"])["status"], "pending")
        self.client.complete_tool({**ids, "output": "right"})
        self.assertEqual(self.end_of(waiting["runId"])["type"], "run.completed")
        for wrong in wrongs:
            events: list[Json] = []
            told: list[BaseException] = []
            result = self.client.serve_tools(
                request(),
                {"lookup": lambda arguments, context: wrong},
                on_event=events.append,
                on_failure=lambda fault, execution: told.append(fault),
            )
            self.assertEqual(result["text"], "finished")
            self.assertEqual([type(fault) for fault in told], [TypeError])
            failed = [event["code"] for event in events if event["type"] == "tool.failed"]
            self.assertEqual(failed, ["TOOL_OUTCOME_UNCERTAIN"])

    def test_an_output_that_the_host_refuses_is_told_here_and_by_the_stream(self) -> None:
        # The stream may tell it before the receipt is there.
        told: queue.Queue[Any] = queue.Queue()
        tool = lookup_tool(outputSchema={"type": "object", "required": ["passages"]})
        result = self.client.serve_tools(
            request(applicationTools=[tool]),
            {"lookup": lambda arguments, context: {"wrong": True}},
            on_failure=lambda fault, execution: told.put(getattr(fault, "code", fault)),
        )
        self.assertEqual((result["text"], told.get(timeout=30)), ("finished", "INVALID_TOOL_OUTPUT"))

    def test_a_review_is_decided_with_arguments_that_the_person_changed(self) -> None:
        given: list[Json] = []

        def lookup(arguments: Json, context: Any) -> None:
            given.append(arguments)

        result = self.client.serve_tools(
            request(**REVIEWED),
            {"lookup": lookup},
            decide=lambda approval: {"decision": "approve", "editedArguments": {"query": 2**70}},
        )
        self.assertEqual((result["text"], given), ("finished", [{"query": 2**70}]))

    def test_what_is_no_decision_leaves_the_review_open(self) -> None:
        reviews: list[Json] = []

        def decide(approval: Json) -> Any:
            reviews.append(approval)

        with self.assertRaises(HostError) as raised:
            self.client.serve_tools(
                request(**REVIEWED, onDisconnect="keep"), {"lookup": lambda arguments, context: None}, decide=decide
            )
        self.assertEqual(raised.exception.code, "INVALID_APPROVAL")
        (review,) = reviews
        open_ids = [entry["approval"]["approvalId"] for entry in self.client.approvals()["approvals"]]
        self.assertEqual(open_ids, [review["approvalId"]])
        bound = {key: review[key] for key in ("approvalId", "runId", "call")}
        self.client.decide_approval({**bound, "decision": "cancel"})
        self.assertEqual(self.end_of(review["runId"])["type"], "run.cancelled")


if __name__ == "__main__":
    unittest.main()
