"""Streams that come back behind their last event."""

from __future__ import annotations

import threading
import unittest
from typing import Any

from toolpost import Client, HostError

from .plain_host import PlainHost, Reply, refusal
from .vectors import DOCUMENT, events_of, template

Json = dict[str, Any]
TOKEN = DOCUMENT["token"]
KEPT = {**template("requests", "plain"), "onDisconnect": "keep"}
STARTED = {"use": "started"}


class ReconnectTest(unittest.TestCase):
    def setUp(self) -> None:
        self.slept: list[float] = []

    def client(self, *replies: Reply | None, **more: Any) -> Client:
        """A client of a host that gives these replies, and the last one again and again."""
        left = list(replies)
        self.host = PlainHost(lambda request: left.pop(0) if len(left) > 1 else left[0])
        self.addCleanup(self.host.stop)
        given = {"sleep": self.slept.append, "dice": lambda: 1.0, **more}
        client = Client(self.host.url, TOKEN, **given)
        self.addCleanup(client.close)
        return client

    def read(self, stream: Any) -> tuple[list[int], HostError | None]:
        """The sequences that came, and what the stream ended with."""
        seen: list[int] = []
        try:
            for event in stream:
                seen.append(event["sequence"])
        except HostError as error:
            return seen, error
        return seen, None

    def asked(self) -> list[tuple[str, str | None]]:
        return [(request.path, request.last_event_id) for request in self.host.requests]

    def test_a_stream_goes_on_behind_its_last_event_also_behind_what_is_not_kept(self) -> None:
        first, later = events_of([STARTED, {"use": "delta"}]), events_of([{"use": "failed"}], 9)
        client = self.client(Reply(events=first), Reply(events=later))
        seen, error = self.read(client.stream(KEPT, reconnect=True))
        self.assertEqual((seen, error), ([1, 2, 9], None))
        self.assertEqual(self.asked(), [("/v1/runs", None), ("/v1/runs/run-1/events", "2.0.0")])
        self.assertEqual(self.slept, [0.25])

    def test_without_being_told_so_nothing_is_asked_again(self) -> None:
        client = self.client(Reply(events=events_of([STARTED])))
        _, error = self.read(client.stream(KEPT))
        assert error is not None
        self.assertEqual((error.code, error.retryable, error.outcome), ("INCOMPLETE_STREAM", False, None))
        self.assertEqual(len(self.host.requests), 1)

    def test_it_is_given_up_after_so_many_connections_that_bring_nothing(self) -> None:
        client = self.client(Reply(events=events_of([STARTED])), None)
        seen, error = self.read(client.stream(KEPT, reconnect=True))
        assert error is not None
        self.assertEqual((seen, error.code, error.retryable), ([1], "HTTP_ERROR", True))
        self.assertEqual(self.slept, [0.25, 0.5, 1, 2, 4, 8, 15, 15, 15])
        self.assertEqual(len(self.host.requests), 10)

    def test_an_event_begins_the_count_anew(self) -> None:
        deltas = [Reply(events=events_of([{"use": "delta"}], place)) for place in range(2, 15)]
        end = Reply(events=events_of([{"use": "failed"}], 15))
        client = self.client(Reply(events=events_of([STARTED])), *deltas, end)
        seen, error = self.read(client.stream(KEPT, reconnect=True))
        self.assertEqual((seen, error), (list(range(1, 16)), None))
        self.assertEqual(set(self.slept), {0.25})

    def test_what_is_told_again_is_refused(self) -> None:
        cases = [
            events_of([STARTED]),
            events_of([{"use": "delta"}], 2),
            events_of([{"use": "delta", "set": {"/runId": "run-2"}}], 3),
        ]
        for again in cases:
            with self.subTest(again):
                client = self.client(Reply(events=events_of([STARTED, {"use": "delta"}])), Reply(events=again))
                seen, error = self.read(client.stream(KEPT, reconnect=True))
                assert error is not None
                self.assertEqual((seen, error.code), ([1, 2], "INVALID_STREAM"))

    def test_only_the_first_event_of_a_connection_may_be_a_later_one(self) -> None:
        later = events_of([{"use": "delta"}], 5) + events_of([{"use": "delta"}], 7)
        client = self.client(Reply(events=events_of([STARTED])), Reply(events=later))
        seen, error = self.read(client.stream(KEPT, reconnect=True))
        assert error is not None
        self.assertEqual((seen, error.code), ([1, 5], "INVALID_STREAM"))

    def test_an_execution_that_is_told_again_on_the_same_stream_is_refused(self) -> None:
        request = {**template("requests", "tools"), "onDisconnect": "keep"}
        first = events_of([STARTED, {"use": "requested"}])
        client = self.client(Reply(events=first), Reply(events=events_of([{"use": "requested"}], 3)))
        seen, error = self.read(client.stream(request, reconnect=True))
        assert error is not None
        self.assertEqual((seen, error.code, error.outcome), ([1, 2], "INVALID_STREAM", "uncertain"))

    def test_without_a_place_or_a_run_there_is_nothing_to_come_back_to(self) -> None:
        client = self.client(None)
        with self.assertRaises(HostError) as raised:
            client.stream(KEPT, reconnect=True)
        self.assertEqual((raised.exception.code, raised.exception.outcome), ("HTTP_ERROR", "uncertain"))
        self.assertEqual(len(self.host.requests), 1)

    def test_a_run_that_is_followed_may_be_away_at_first(self) -> None:
        all_events = events_of([STARTED, {"use": "failed"}])
        client = self.client(None, refusal("HOST_STARTING", 503, True), Reply(events=all_events))
        seen, error = self.read(client.follow("run-1", reconnect=True))
        self.assertEqual((seen, error), ([1, 2], None))
        self.assertEqual(self.asked(), [("/v1/runs/run-1/events", None)] * 3)
        self.assertEqual(self.slept, [0.25, 0.5])

    def test_a_run_that_is_not_there_is_told_of_at_once(self) -> None:
        client = self.client(refusal("RUN_NOT_FOUND", 404))
        with self.assertRaises(HostError) as raised:
            client.follow("run-1", "3.1.0", reconnect=True)
        self.assertEqual((raised.exception.code, raised.exception.status), ("RUN_NOT_FOUND", 404))
        self.assertEqual(self.asked(), [("/v1/runs/run-1/events", "3.1.0")])

    def test_a_run_that_is_followed_is_held_against_how_it_started(self) -> None:
        other = {"use": "completed", "set": {"/result/model": "model-2"}}
        client = self.client(Reply(events=events_of([STARTED, other])))
        seen, error = self.read(client.follow("run-1"))
        assert error is not None
        self.assertEqual((seen, error.code), ([1], "INVALID_STREAM"))

    def test_closing_wakes_a_stream_that_waits_for_its_next_attempt(self) -> None:
        for close_client in (False, True):
            with self.subTest(close_client=close_client):
                waits = threading.Event()
                # Many failures make the pause long: it is the closing that ends it.
                client = self.client(Reply(events=events_of([STARTED])), None, sleep=None, dice=lambda: 1e6)
                stream = client.stream(KEPT, reconnect=True)
                next(stream)
                ended: list[object] = []

                def read() -> None:
                    waits.set()
                    ended.append(self.read(stream))

                thread = threading.Thread(target=read, daemon=True)
                thread.start()
                self.assertTrue(waits.wait(30))
                (client if close_client else stream).close()
                thread.join(30)
                self.assertEqual(len(ended), 1)
                self.assertEqual(list(stream), [])

    def test_a_stream_without_ids_has_no_place_to_come_back_to(self) -> None:
        client = self.client(Reply(events=events_of([STARTED]), has_ids=False))
        seen, error = self.read(client.stream(KEPT, reconnect=True))
        assert error is not None
        self.assertEqual((seen, error.code, len(self.host.requests)), ([1], "INCOMPLETE_STREAM", 1))

    def test_a_stream_that_said_nothing_cannot_come_back(self) -> None:
        client = self.client(Reply(events=[]))
        seen, error = self.read(client.stream(KEPT, reconnect=True))
        assert error is not None
        self.assertEqual((seen, error.code, len(self.host.requests)), ([], "INCOMPLETE_STREAM", 1))


if __name__ == "__main__":
    unittest.main()
