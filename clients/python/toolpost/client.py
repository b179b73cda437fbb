"""The verbs of a host."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any
from urllib.parse import quote, urlencode

from .address import check_token, read_address
from .error import HostError
from .exchange import Exchange, Target
from .receipts import (
    check_approval_receipt,
    check_deleted,
    check_execution_receipt,
    check_reconciled,
    check_result,
    check_run,
    check_session,
    check_status,
    has_list,
    is_protocol,
    require,
)
from .run_stream import RunStream
from .serve_tools import Decide, Function, serve_tools
from .stream_check import StreamCheck
from .wire import Json, encode_json

_Check = Callable[[Json], bool]
_EVENT_STREAM = "text/event-stream"


class Client:
    """A host, as the holder of a token sees it. Every method may be called from any thread.

    ``base_url`` is https, or http to this machine. ``ca_file`` is a PEM file of authorities to trust instead of the
    system's. ``timeout`` is the longest wait for bytes of a plain request, in seconds; default none.
    ``discovery_timeout`` is that of ``protocol`` and ``providers``. Streams wait without limit. Redirects are not
    followed, and no cookies are kept. Every failure is a ``HostError``.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        ca_file: str | None = None,
        timeout: float | None = None,
        discovery_timeout: float = 10.0,
    ) -> None:
        address = read_address(base_url)
        tls = ssl.create_default_context(cafile=ca_file) if address.secure else None
        self._target = Target(address, check_token(token), tls)
        self._timeout = timeout
        self._discovery_timeout = discovery_timeout
        self._open: set[Exchange] = set()
        self._lock = threading.Lock()
        self._closed = False

    # Runs

    def stream(self, request: Mapping[str, Any]) -> RunStream:
        """Starts a run and follows it. Close the stream, or use it as a context, to stop before its end."""
        asked = dict(request)
        exchange = self._send("POST", "/v1/runs", asked, accept=_EVENT_STREAM, timeout=self._timeout)
        return RunStream(exchange, StreamCheck(asked), self._release)

    def resume(
        self, run_id: str, last_event_id: str | None = None, *, request: Mapping[str, Any] | None = None
    ) -> RunStream:
        """Follows a run that goes on at the host, after the event that was seen last; from its start without one.

        ``request`` is what the run was started with: without it, what does not fit it is not noticed.
        """
        headers = {} if last_event_id is None else {"Last-Event-ID": _checked_event_id(last_event_id)}
        path = f"/v1/runs/{_segment(run_id)}/events"
        exchange = self._send("GET", path, accept=_EVENT_STREAM, headers=headers, timeout=self._timeout)
        check = StreamCheck(None if request is None else dict(request), run_id, _sequence_of(last_event_id))
        return RunStream(exchange, check, self._release)

    def run(self, request: Mapping[str, Any]) -> Json:
        """Starts a run and waits for its result. Tools of the application and reviews need ``stream``."""
        asked = dict(request)
        if "applicationTools" in asked:
            raise HostError("TOOL_STREAM_REQUIRED", "Application tools need a stream; nothing was sent.")
        if "approvals" in asked:
            raise HostError("APPROVAL_STREAM_REQUIRED", "Reviews need a stream; nothing was sent.")
        return self._ask("POST", "/v1/runs", asked, check=check_result(asked))

    def run_status(self, run_id: str) -> Json:
        """Where a run is, and its result when it has one."""
        return self._ask("GET", f"/v1/runs/{_segment(run_id)}", check=check_run(run_id))

    def runs(self, **filters: str | int | bool) -> Json:
        """A page of runs, the newest first; ``uncertain=True`` for those with a call that nobody saw end."""
        return self._ask("GET", _with_query("/v1/runs", filters), check=has_list("runs"))

    def cancel_run(self, run_id: str, reason: str | None = None) -> Json:
        """Cancels a run and returns where it is."""
        body = {} if reason is None else {"reason": reason}
        return self._ask("POST", f"/v1/runs/{_segment(run_id)}/cancel", body, check=check_run(run_id))

    # Approvals

    def decide_approval(self, decision: Mapping[str, Any]) -> Json:
        """Answers a review: ``approvalId``, ``runId``, the exact ``call``, and ``decision`` approve, deny or cancel."""
        sent = dict(decision)
        return self._ask("POST", "/v1/approvals/decisions", sent, check=check_approval_receipt(sent))

    def approvals(self, **filters: str | int) -> Json:
        """A page of reviews that this token may see, the oldest first; pending ones unless ``status`` says others."""
        return self._ask("GET", _with_query("/v1/approvals", filters), check=has_list("approvals"))

    # Application tools

    def report_tool_progress(self, progress: Mapping[str, Any]) -> Json:
        """Says that a function got on: ``executionId``, ``runId``, ``callId``.

        ``message``, ``fraction`` (0 to 1) and ``output`` may say how far it is. It resets the idle clock: call it after
        work was done, never from a timer.
        """
        sent = dict(progress)
        return self._ask("POST", "/v1/tool-executions/progress", sent, check=check_execution_receipt(sent, "progress"))

    def complete_tool(self, result: Mapping[str, Any]) -> Json:
        """Gives a function's one outcome: the three ids and ``output``, or ``error`` "APPLICATION_TOOL_FAILED".

        With a ``resultKey`` the same outcome may be sent again after a lost receipt. The receipt says that it was
        taken; keep reading the stream.
        """
        sent = dict(result)
        return self._ask("POST", "/v1/tool-executions/results", sent, check=check_execution_receipt(sent, "accepted"))

    def execution_status(self, execution_id: str) -> Json:
        """What became of an execution."""
        path = f"/v1/tool-executions/{_segment(execution_id)}"
        return self._ask("GET", path, check=check_status(execution_id))

    def pending_executions(self, **filters: str | int) -> Json:
        """A page of the executions that wait for a result of this subject, the oldest first."""
        return self._ask("GET", _with_query("/v1/tool-executions", filters), check=has_list("executions"))

    def serve_tools(
        self,
        request: Mapping[str, Any],
        functions: Mapping[str, Function],
        decide: Decide | None = None,
        on_event: Callable[[Json], object] | None = None,
    ) -> Json:
        """Starts a run, executes the functions that it asks for, and returns its result.

        A function gets the arguments and a ``ToolContext`` and runs in a thread of its own; what it returns is the
        output, and what it raises becomes the one word for a failure, never its text. ``decide`` gets each review and
        returns "approve", "deny" or "cancel"; without it somebody else decides. ``on_event`` gets every event.
        Raises HostError with the run's own code when it failed or was cancelled.
        """
        return serve_tools(self, request, functions, decide, on_event)

    def reconcile(self, found: Mapping[str, Any]) -> Json:
        """Tells what was found out about an uncertain call: ``runId``, ``callId``, and ``found``.

        ``found`` is completed, failed or not_run; a ``note`` may say how it was found out.
        """
        sent = dict(found)
        return self._ask("POST", "/v1/calls/reconcile", sent, check=check_reconciled(sent))

    # Discovery

    def protocol(self) -> Json:
        """What the host can do, its limits, and what this token may do."""
        return self._ask("GET", "/v1/protocol", timeout=self._discovery_timeout, check=is_protocol)

    def providers(self) -> Json:
        """The providers that this token may use."""
        return self._ask("GET", "/v1/providers", timeout=self._discovery_timeout, check=has_list("providers"))

    # Sessions

    def create_session(self, session: Mapping[str, Any]) -> Json:
        """Makes a session at a ``provider``, and returns it."""
        return self._ask("POST", "/v1/sessions/create", dict(session), check=check_session(session.get("id")))

    def read_session(self, session_id: str) -> Json:
        """A session with its newest messages."""
        return self._ask("POST", "/v1/sessions/read", {"id": session_id}, check=check_session(session_id))

    def delete_session(self, session_id: str, revision: int | None = None) -> Json:
        """Deletes a session; with a revision only when it is the newest."""
        body: Json = {"id": session_id} if revision is None else {"id": session_id, "revision": revision}
        return self._ask("POST", "/v1/sessions/delete", body, check=check_deleted(session_id))

    # The way of every request

    def _ask(
        self, method: str, path: str, body: Json | None = None, *, check: _Check, timeout: float | None = None
    ) -> Json:
        exchange = self._send(method, path, body, timeout=self._timeout if timeout is None else timeout)
        try:
            return require(exchange.read_json(), check)
        except HostError as error:
            # The host took what was posted, and what it said of it was not understood.
            error.outcome = "uncertain" if method == "POST" else None
            raise
        finally:
            exchange.close()
            self._release(exchange)

    def _send(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        *,
        accept: str = "application/json",
        headers: dict[str, str] | None = None,
        timeout: float | None,
    ) -> Exchange:
        encoded = None if body is None else encode_json(body)
        exchange = Exchange(self._target, timeout, accept == _EVENT_STREAM)
        with self._lock:
            if self._closed:
                raise HostError("CLIENT_CLOSED", "The client was closed; make another one.")
            self._open.add(exchange)
        try:
            exchange.send(method, path, encoded, accept, headers or {})
            if accept == _EVENT_STREAM:
                exchange.expect_type(accept)
        except BaseException:
            exchange.close()
            self._release(exchange)
            raise
        return exchange

    def _release(self, exchange: Exchange) -> None:
        with self._lock:
            self._open.discard(exchange)

    def close(self) -> None:
        """Aborts every request that is open; later ones raise CLIENT_CLOSED."""
        with self._lock:
            self._closed = True
            exchanges = list(self._open)
        for exchange in exchanges:
            exchange.abort()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _segment(text: str) -> str:
    """An id as one segment of a path; one that is only dots would be read as another path."""
    if text in ("", ".", ".."):
        raise HostError("INVALID_REQUEST", f"{text!r} is no id; nothing was sent.")
    return quote(text, safe="")


def _with_query(path: str, filters: Mapping[str, str | int | bool]) -> str:
    words = {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in filters.items()}
    return f"{path}?{urlencode(words)}" if words else path


def _checked_event_id(event_id: str) -> str:
    if not event_id.isascii() or not event_id.isprintable():
        raise HostError("INVALID_REQUEST", "The id of the last event is none that a host gave; nothing was sent.")
    return event_id


def _sequence_of(event_id: str | None) -> int:
    """The sequence that an event's id begins with: ``12.40.0`` is that of event 12."""
    first = (event_id or "0").partition(".")[0]
    if not first.isdecimal():
        raise HostError("INVALID_REQUEST", "The id of the last event is none that a host gave.")
    return int(first)
