"""A stream of events that any thread may close."""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections import deque
from collections.abc import Iterator
from types import TracebackType
from typing import TypeVar

from .error import HostError
from .exchange import BROKEN, Exchange
from .frames import Frame, FrameReader
from .link import Link
from .wire import Json

_Self = TypeVar("_Self", bound="EventStream")


class EventStream(Iterator[Json]):
    """Iterates over events. ``close`` ends it from any thread: a read that waits raises CANCELLED."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._closing = threading.Event()
        self._reading = threading.Lock()
        self._ended = False
        self._exchange: Exchange | None = None
        self._frames = FrameReader()
        self._waiting: deque[Frame] = deque()
        self._broken: HostError | None = None
        link.keep(self)

    @abstractmethod
    def _next_event(self) -> Json | None:
        """The next event; None at the end."""

    def _told(self, error: HostError) -> HostError:
        """What a failure is told as."""
        return error

    def __next__(self) -> Json:
        with self._reading:
            if self._ended or self._closing.is_set():
                self._end()
                raise StopIteration
            try:
                event = self._next_event()
            except HostError as error:
                self._end()
                raise self._told(error)
            except BaseException:
                self._end()
                raise
            if event is None:
                self._end()
                raise StopIteration
            return event

    def _connect(self, method: str, path: str, body: Json | None = None, headers: dict[str, str] | None = None) -> None:
        """Connects, anew if it was connected before."""
        self._disconnect()
        self._frames = FrameReader()
        self._waiting.clear()
        self._broken = None
        exchange = self._link.exchange(is_stream=True)
        self._exchange = exchange
        if self._closing.is_set():
            exchange.abort()
        try:
            self._link.open_stream(exchange, method, path, body, headers or {})
        except BaseException:
            self._exchange = None
            raise

    def _next_frame(self) -> Frame | None:
        """The next whole frame; None when the host has ended the stream. Raises INCOMPLETE_STREAM when it broke off."""
        while not self._waiting:
            if self._broken is not None:
                raise self._broken
            chunk = self._read_chunk()
            if chunk == b"":
                return None
            try:
                for frame in self._frames.feed(chunk):
                    self._waiting.append(frame)
            except HostError as error:
                # What came whole before the fault is delivered first.
                self._broken = error
        return self._waiting.popleft()

    def _read_chunk(self) -> bytes:
        assert self._exchange is not None
        try:
            chunk = self._exchange.read_chunk()
            if chunk == b"" and self._exchange.is_aborted:
                raise OSError
            return chunk
        except BROKEN as fault:
            failure = self._exchange.failure(fault)
            raise failure if failure.code == "CANCELLED" else incomplete() from None

    def _disconnect(self) -> None:
        if self._exchange is not None:
            self._link.end(self._exchange)
            self._exchange = None

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._disconnect()
            self._link.release(self)

    def abort(self) -> None:
        """Stops reading at once; iterating ends."""
        self._closing.set()
        exchange = self._exchange
        if exchange is not None:
            exchange.abort()

    def close(self) -> None:
        """Stops reading and gives the connection back."""
        self.abort()
        # A thread that waits for bytes gives the connection back itself.
        if self._reading.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._reading.release()

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def incomplete() -> HostError:
    return HostError("INCOMPLETE_STREAM", "The stream stopped before its end; its run may go on at the host.")
