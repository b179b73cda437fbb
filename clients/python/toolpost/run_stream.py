"""The events of one run, as they come."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from types import TracebackType

from .error import HostError
from .events import TERMINAL
from .exchange import BROKEN, Exchange
from .frames import Frame, FrameReader
from .stream_check import StreamCheck
from .wire import Json, decode_json


class RunStream(Iterator[Json]):
    """Iterates over the events of a run, each checked; it ends after the terminal event.

    Raises INVALID_STREAM, UNSUPPORTED_EVENT, RESPONSE_TOO_LARGE, or INCOMPLETE_STREAM when the stream stops before
    its terminal event, with ``outcome`` "uncertain" when a function was at work. ``close`` aborts the request from
    any thread: a read that waits raises CANCELLED, and iterating ends.
    """

    def __init__(self, exchange: Exchange, check: StreamCheck, release: Callable[[Exchange], None]) -> None:
        self._exchange = exchange
        self._check = check
        self._release = release
        self._frames = FrameReader()
        self._waiting: deque[Frame] = deque()
        self._reading = threading.Lock()
        self._ended = False
        self._broken: HostError | None = None
        #: The id of the newest event that had one: where ``Client.resume`` goes on.
        self.last_event_id: str | None = None
        #: The run's id, as soon as an event has said it.
        self.run_id: str | None = None

    def __next__(self) -> Json:
        with self._reading:
            if self._ended or self._exchange.is_aborted:
                self._end()
                raise StopIteration
            try:
                return self._next_event()
            except HostError as error:
                self._end()
                if self._check.has_open_execution:
                    error.outcome = "uncertain"
                raise

    def _next_event(self) -> Json:
        while True:
            frame = self._next_frame()
            try:
                event = self._check.accept(decode_json(frame.data))
            except ValueError:
                raise HostError("INVALID_STREAM", "An event's data is no JSON.") from None
            self.last_event_id = frame.id or self.last_event_id
            if event is None:
                continue
            self.run_id = event["runId"]
            if event["type"] in TERMINAL:
                self._end()
            return event

    def _next_frame(self) -> Frame:
        while not self._waiting:
            if self._broken is not None:
                raise self._broken
            chunk = self._read_chunk()
            try:
                for frame in self._frames.feed(chunk):
                    self._waiting.append(frame)
            except HostError as error:
                # What came whole before the fault is delivered first.
                self._broken = error
        return self._waiting.popleft()

    def _read_chunk(self) -> bytes:
        try:
            chunk = self._exchange.read_chunk()
        except BROKEN as fault:
            failure = self._exchange.failure(fault)
            raise failure if failure.code == "CANCELLED" else _incomplete() from None
        if chunk == b"":
            raise self._exchange.failure(OSError()) if self._exchange.is_aborted else _incomplete()
        return chunk

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._exchange.close()
            self._release(self._exchange)

    def close(self) -> None:
        """Stops reading and aborts the request, which cancels the run unless it was asked to be kept."""
        self._exchange.abort()
        # A thread that waits for bytes gives the connection back itself.
        if self._reading.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._reading.release()

    def __enter__(self) -> RunStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _incomplete() -> HostError:
    return HostError(
        "INCOMPLETE_STREAM", "The stream stopped before the run's end; its state says how it went on.", True
    )
