"""The events of one run, as they come."""

from __future__ import annotations

from .arguments import segment
from .error import HostError
from .event_stream import EventStream, incomplete
from .events import TERMINAL
from .link import Link
from .pause import ATTEMPTS_MAX
from .stream_check import StreamCheck
from .wire import Json, decode_json


class RunStream(EventStream):
    """Iterates over the events of a run, each checked; it ends after the terminal event.

    Raises INVALID_STREAM, UNSUPPORTED_EVENT, RESPONSE_TOO_LARGE, or INCOMPLETE_STREAM when the stream stops before
    its terminal event, with ``outcome`` "uncertain" when a function was at work. ``close`` aborts the request from
    any thread, which cancels the run unless it was asked to be kept: a read that waits raises CANCELLED.
    """

    def __init__(
        self,
        link: Link,
        *,
        request: Json | None = None,
        run_id: str | None = None,
        last_event_id: str | None = None,
        after: int = 0,
        reconnect: bool = False,
    ) -> None:
        super().__init__(link)
        self._request = request
        self._check = StreamCheck(request, run_id, after)
        self._reconnect = reconnect
        self._failures = 0
        #: The id of the newest event that had one: where ``Client.follow`` goes on.
        self.last_event_id = last_event_id
        #: The run's id, as soon as an event has said it.
        self.run_id = run_id
        try:
            self._begin()
        except HostError as fault:
            if not self._may_come_back(fault):
                self._end()
                raise
        except BaseException:
            self._end()
            raise

    def _begin(self) -> None:
        if self.run_id is None:
            self._connect("POST", "/v1/runs", self._request)
            return
        headers = {} if self.last_event_id is None else {"Last-Event-ID": self.last_event_id}
        self._connect("GET", f"/v1/runs/{segment(self.run_id, 'The id of the run')}/events", headers=headers)

    def _told(self, error: HostError) -> HostError:
        if self._check.has_open_execution:
            error.outcome = "uncertain"
        return error

    def _next_event(self) -> Json:
        while True:
            try:
                event = self._read_event()
            except HostError as fault:
                self._disconnect()
                if not self._may_come_back(fault):
                    raise
            else:
                if event is not None:
                    return event

    def _may_come_back(self, fault: HostError) -> bool:
        """Whether the stream goes on behind its last event, on a connection that is made after a pause."""
        self._failures += 1
        # Without an id there is no place to come back to.
        is_lost = self.last_event_id is None and self._check.sequence > 0
        may_pass = fault.retryable or fault.code == "INCOMPLETE_STREAM"
        is_known = self._reconnect and self.run_id is not None and not is_lost
        return is_known and may_pass and self._failures < ATTEMPTS_MAX and not self._closing.is_set()

    def _read_event(self) -> Json | None:
        """The next event, or None for one that is skipped."""
        if self._exchange is None:
            self._come_back()
        frame = self._next_frame()
        if frame is None:
            raise incomplete()
        try:
            data = decode_json(frame.data)
        except ValueError:
            raise HostError("INVALID_STREAM", "An event's data is no JSON.") from None
        event = self._check.accept(data)
        self.last_event_id = frame.id or self.last_event_id
        self.run_id = self._check.run_id
        self._failures = 0
        if event is not None and event["type"] in TERMINAL:
            self._end()
        return event

    def _come_back(self) -> None:
        self._link.pauses.wait(self._failures, self._closing)
        if self._closing.is_set():
            raise HostError("CANCELLED", "The stream was closed.")
        self._check.resume()
        self._begin()
