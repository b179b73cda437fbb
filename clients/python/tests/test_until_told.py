"""Sending again, and the pauses between."""

from __future__ import annotations

import threading
import unittest
from typing import Any

from toolpost import HostError
from toolpost.pause import Pauses
from toolpost.until_told import until_told


class UntilToldTest(unittest.TestCase):
    def setUp(self) -> None:
        self.stopped = threading.Event()
        self.sent = 0

    def send_with(self, *faults: HostError, stops_at: int = 0) -> Any:
        """Sends what fails so, and then gets a receipt."""
        left = list(faults)

        def send() -> dict[str, Any]:
            self.sent += 1
            if self.sent == stops_at:
                self.stopped.set()
            if left:
                raise left.pop(0)
            return {"status": "accepted"}

        return send

    def test_it_sends_again_while_the_receipt_is_lost_or_wrong(self) -> None:
        faults = HostError("HTTP_ERROR", "", True, "uncertain"), HostError("INVALID_RESPONSE", "", False, "uncertain")
        pauses = Pauses(lambda seconds: None)
        self.assertEqual(until_told(self.send_with(*faults), pauses, self.stopped), {"status": "accepted"})
        self.assertEqual(self.sent, 3)

    def test_what_is_refused_is_not_sent_again(self) -> None:
        with self.assertRaises(HostError) as raised:
            until_told(self.send_with(HostError("FORBIDDEN", "")), Pauses(), self.stopped)
        self.assertEqual((raised.exception.code, self.sent), ("FORBIDDEN", 1))

    def test_when_it_was_stopped_while_it_sent_there_is_no_pause(self) -> None:
        slept: list[float] = []
        with self.assertRaises(HostError) as raised:
            until_told(self.send_with(HostError("BUSY", "", True), stops_at=1), Pauses(slept.append), self.stopped)
        self.assertEqual((raised.exception.code, self.sent, slept), ("BUSY", 1, []))

    def test_when_it_was_stopped_during_a_pause_nothing_is_sent(self) -> None:
        pauses = Pauses(lambda seconds: self.stopped.set())
        with self.assertRaises(HostError) as raised:
            until_told(self.send_with(HostError("BUSY", "", True)), pauses, self.stopped)
        self.assertEqual((raised.exception.code, self.sent), ("CANCELLED", 1))

    def test_pauses_double_up_to_their_bound_also_after_days(self) -> None:
        slept: list[float] = []
        for dice, share in ((0.0, 0.5), (1.0, 1.0)):
            pauses = Pauses(slept.append, lambda: dice)
            for failures in (1, 2, 6, 7, 100_000):
                pauses.wait(failures, self.stopped)
            self.assertEqual(slept, [share * seconds for seconds in (0.25, 0.5, 8, 15, 15)])
            slept.clear()


if __name__ == "__main__":
    unittest.main()
