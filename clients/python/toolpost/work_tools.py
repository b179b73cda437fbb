"""A process that carries executions out, whichever runs they are of."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from .carry_out import Carrying, Function
from .error import HostError
from .execution_stream import ExecutionStream
from .link import Link
from .wire import Json

#: Executions that are remembered as done, so that one that is told again is not carried out again.
_DONE_MAX = 10_000
#: Seconds after which the thread that waits for `stop` looks whether the worker has ended by itself.
_LOOK_SECONDS = 1.0


class Worker:
    """Serves functions until it is stopped, its client is closed, or something is refused for good."""

    def __init__(self, link: Link, functions: Mapping[str, Function], carrying: Carrying) -> None:
        self._link = link
        self._functions = functions
        self._carrying = carrying
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._stream: ExecutionStream | None = None
        self._running: dict[str, threading.Event] = {}
        self._done: dict[str, None] = {}
        self._fault: BaseException | None = None

    def work(self, stop: threading.Event | None) -> None:
        """Raises what the host refuses, and, without ``on_failure``, what a result was refused with."""
        self._link.keep(self)
        if stop is not None:
            threading.Thread(target=self._watch, args=(stop,), daemon=True).start()
        failures = 0
        try:
            while not self._ended.is_set():
                # A host that ends the stream without a word is about to start again.
                failures = 1 if self._follow() else failures + 1
                self._carrying.pauses.wait(failures, self._ended)
        except HostError:
            if not self._ended.is_set() and not self._link.is_closed:
                raise
        finally:
            self.abort()
            self._link.release(self)
        if self._fault is not None:
            raise self._fault

    def abort(self) -> None:
        """Ends the worker, and tells its functions, from any thread."""
        self._ended.set()
        with self._lock:
            stream, running = self._stream, list(self._running.values())
        if stream is not None:
            stream.abort()
        for stopped in running:
            stopped.set()

    def _watch(self, stop: threading.Event) -> None:
        while not self._ended.is_set():
            if stop.wait(_LOOK_SECONDS):
                self.abort()

    def _follow(self) -> bool:
        """Follows the stream until it breaks off; whether it brought something."""
        has_brought = False
        stream = ExecutionStream(self._link)
        with self._lock:
            self._stream = stream
        if self._ended.is_set():
            stream.abort()
        try:
            for event in stream:
                has_brought = True
                self._act(event)
        except HostError as fault:
            if self._ended.is_set() or not (fault.retryable or fault.code == "INCOMPLETE_STREAM"):
                raise
        finally:
            stream.close()
        return has_brought

    def _act(self, event: Json) -> None:
        execution = event["execution"]
        execution_id = execution["executionId"]
        if event["type"] == "execution.closed":
            with self._lock:
                stopped = self._running.get(execution_id)
            if stopped is not None:
                stopped.set()
            return
        function = self._functions.get(execution["call"]["name"])
        if function is None:
            return
        stopped = threading.Event()
        with self._lock:
            # A new connection tells of everything that waits, and so again of what is at work here.
            if self._ended.is_set() or execution_id in self._running or execution_id in self._done:
                return
            self._running[execution_id] = stopped
        threading.Thread(target=self._execute, args=(function, execution, stopped), daemon=True).start()

    def _execute(self, function: Function, execution: Json, stopped: threading.Event) -> None:
        try:
            self._carrying.carry_out(function, execution, stopped)
        except BaseException as fault:
            self._refused(fault, execution)
        finally:
            self._settle(execution["executionId"])

    def _refused(self, fault: BaseException, execution: Json) -> None:
        on_failure = self._carrying.on_failure
        if on_failure is not None and isinstance(fault, HostError):
            try:
                on_failure(fault, execution)
                return
            except BaseException as raised:
                fault = raised
        if self._fault is None and not self._ended.is_set():
            self._fault = fault
            self.abort()

    def _settle(self, execution_id: str) -> None:
        """A stream may still tell of an execution whose result was just taken."""
        with self._lock:
            self._running.pop(execution_id, None)
            self._done[execution_id] = None
            if len(self._done) > _DONE_MAX:
                del self._done[next(iter(self._done))]

