"""The way of every request to one host."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from .error import HostError
from .exchange import Exchange, Target
from .pause import Pauses
from .receipts import require
from .wire import Json, encode_json

EVENT_STREAM = "text/event-stream"


class Abortable(Protocol):
    """What ends at once when its client is closed."""

    def abort(self) -> None: ...


class Link:
    """A host and what goes on with it. ``timeout`` is the longest wait for bytes, in seconds; None = no limit."""

    def __init__(self, target: Target, timeout: float | None, pauses: Pauses) -> None:
        self._target = target
        self._timeout = timeout
        self.pauses = pauses
        self._open: set[Abortable] = set()
        self._lock = threading.Lock()
        self._closed = False

    @property
    def is_closed(self) -> bool:
        return self._closed

    def keep(self, work: Abortable) -> None:
        """Aborts the work when the client is closed, unless it was released. Raises CLIENT_CLOSED."""
        with self._lock:
            if self._closed:
                raise HostError("CLIENT_CLOSED", "The client was closed; make another one.")
            self._open.add(work)

    def release(self, work: Abortable) -> None:
        with self._lock:
            self._open.discard(work)

    def exchange(self, timeout: float | None = None, is_stream: bool = False) -> Exchange:
        """A request that was not sent yet; abort it at any time. Raises CLIENT_CLOSED."""
        exchange = Exchange(self._target, self._timeout if timeout is None else timeout, is_stream)
        self.keep(exchange)
        return exchange

    def end(self, exchange: Exchange) -> None:
        """Gives a connection back; only for the thread that reads."""
        exchange.close()
        self.release(exchange)

    def open_stream(
        self, exchange: Exchange, method: str, path: str, body: Json | None, headers: dict[str, str]
    ) -> None:
        """Asks for a stream and reads the head of the answer."""
        try:
            exchange.send(method, path, None if body is None else encode_json(body), EVENT_STREAM, headers)
            with _told_of(method):
                exchange.expect_type(EVENT_STREAM)
        except BaseException:
            self.end(exchange)
            raise

    def ask(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        check: Callable[[Json], bool],
        within: float | None = None,
    ) -> Json:
        """Asks and gives the answer; ``within`` so many seconds, for everything."""
        encoded = None if body is None else encode_json(body)
        exchange = self.exchange(within)
        late = None if within is None else threading.Timer(within, exchange.expire)
        try:
            if late is not None:
                late.daemon = True
                late.start()
            exchange.send(method, path, encoded, "application/json", {})
            with _told_of(method):
                return require(exchange.read_json(), check)
        finally:
            if late is not None:
                late.cancel()
            self.end(exchange)

    def close(self) -> None:
        """Aborts everything that goes on; later requests raise CLIENT_CLOSED."""
        with self._lock:
            self._closed = True
            going_on = list(self._open)
        for work in going_on:
            work.abort()


@contextmanager
def _told_of(method: str) -> Iterator[None]:
    """The host took what was sent: when what it said of it is not understood, the outcome is uncertain."""
    try:
        yield
    except HostError as error:
        if method != "GET":
            error.outcome = "uncertain"
        raise
