"""The verbs of a host."""

from __future__ import annotations

import os
import random
import ssl
import threading
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from .address import check_token, read_address
from .arguments import (
    body_of,
    callback,
    functions_of,
    id_of,
    optional_callback,
    path_with,
    refused,
    request_of,
    seconds_of,
    segment,
    sequence_of,
    truth_of,
)
from .carry_out import Carrying, Function, OnFailure
from .decision import Decide
from .error import HostError
from .exchange import Target
from .execution_stream import ExecutionStream
from .link import Link
from .pause import Pauses
from .receipts import (
    check_approval_receipt,
    check_deleted,
    check_execution_receipt,
    check_reconciled,
    check_result,
    check_run,
    check_run_deleted,
    check_session,
    check_status,
    has_list,
    is_protocol,
)
from .run_stream import RunStream
from .serve_tools import Serving, served_request
from .wire import Json
from .work_tools import Worker

_Check = Callable[[Json], bool]
_Filter = str | int | bool | None


class Client:
    """A host, as the holder of a token sees it. Every method may be called from any thread.

    ``base_url`` is https, or http to this machine. ``ca_file`` is a PEM file of authorities to trust instead of the
    system's. ``timeout`` is the longest wait for bytes of a plain request, in seconds; default none.
    ``discovery_timeout`` is how long ``protocol`` and ``providers`` may take. Streams wait without limit. Redirects are
    not followed, and no cookies are kept. ``sleep`` (of seconds) and ``dice`` (from 0 to 1) make the pauses between
    attempts, for tests. Every failure is a ``HostError``; an argument that cannot be used is INVALID_REQUEST,
    INSECURE_TRANSPORT or AUTH_REQUIRED, and nothing is sent.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        ca_file: str | os.PathLike[str] | None = None,
        timeout: float | None = None,
        discovery_timeout: float = 10.0,
        sleep: Callable[[float], object] | None = None,
        dice: Callable[[], float] = random.random,
    ) -> None:
        address = read_address(base_url)
        target = Target(address, check_token(token), _trusting(ca_file) if address.secure else None)
        waiting = None if timeout is None else seconds_of(timeout, "The timeout")
        self._discovery_timeout = seconds_of(discovery_timeout, "The discovery timeout")
        pauses = Pauses(optional_callback(sleep, "`sleep`"), callback(dice, "`dice`"))
        self._link = Link(target, waiting, pauses)

    # Runs

    def stream(self, request: Mapping[str, Any], *, reconnect: bool = False) -> RunStream:
        """Starts a run and follows it. Close the stream, or use it as a context, to stop before its end.

        With ``reconnect`` it goes on behind the last event when the connection breaks off: up to 10 times in a row
        without an event, with growing pauses. Only a run with ``"onDisconnect": "keep"`` outlives its connection.
        """
        return RunStream(self._link, request=request_of(request), reconnect=truth_of(reconnect, "`reconnect`"))

    def follow(
        self,
        run_id: str,
        last_event_id: str | None = None,
        *,
        request: Mapping[str, Any] | None = None,
        reconnect: bool = False,
    ) -> RunStream:
        """Follows a run that goes on at the host, after the event that was seen last; from its start without one.

        ``request`` is what the run was started with: without it, what does not fit it is not noticed. ``reconnect`` is
        that of ``stream``. Raises RUN_NOT_FOUND.
        """
        return RunStream(
            self._link,
            request=None if request is None else request_of(request),
            run_id=id_of(run_id, "The id of the run"),
            last_event_id=last_event_id,
            after=0 if last_event_id is None else sequence_of(last_event_id),
            reconnect=truth_of(reconnect, "`reconnect`"),
        )

    def run(self, request: Mapping[str, Any]) -> Json:
        """Starts a run and waits for its result. Tools of the application and reviews need ``stream``."""
        asked = request_of(request)
        if "applicationTools" in asked:
            raise HostError("TOOL_STREAM_REQUIRED", "Application tools need a stream; nothing was sent.")
        if "approvals" in asked:
            raise HostError("APPROVAL_STREAM_REQUIRED", "Reviews need a stream; nothing was sent.")
        return self._ask("POST", "/v1/runs", asked, check=check_result(asked))

    def run_status(self, run_id: str) -> Json:
        """Where a run is, and its result when it has one."""
        return self._ask("GET", f"/v1/runs/{_run(run_id)}", check=check_run(run_id))

    def runs(self, **filters: _Filter) -> Json:
        """A page of runs, the newest first; ``uncertain=True`` for those with a call that nobody saw end."""
        return self._ask("GET", path_with("/v1/runs", filters), check=has_list("runs"))

    def cancel_run(self, run_id: str, reason: str | None = None) -> Json:
        """Cancels a run and returns where it is."""
        body = body_of({} if reason is None else {"reason": reason}, "The reason")
        return self._ask("POST", f"/v1/runs/{_run(run_id)}/cancel", body, check=check_run(run_id))

    def delete_run(self, run_id: str) -> Json:
        """Ends a run if it goes on, and removes all that it recorded. A turn of a conversation goes with its session."""
        return self._ask("DELETE", f"/v1/runs/{_run(run_id)}", check=check_run_deleted(run_id))

    # Approvals

    def decide_approval(self, decision: Mapping[str, Any]) -> Json:
        """Answers a review: ``approvalId``, ``runId``, the exact ``call``, and ``decision`` approve, deny or cancel."""
        sent = body_of(decision, "The decision")
        return self._ask("POST", "/v1/approvals/decisions", sent, check=check_approval_receipt(sent))

    def approvals(self, **filters: _Filter) -> Json:
        """A page of reviews that this token may see, the oldest first; pending ones unless ``status`` says others."""
        return self._ask("GET", path_with("/v1/approvals", filters), check=has_list("approvals"))

    # Application tools

    def report_tool_progress(self, progress: Mapping[str, Any]) -> Json:
        """Says that a function got on: ``executionId``, ``runId``, ``callId``.

        ``message``, ``fraction`` (0 to 1) and ``output`` may say how far it is. It resets the idle clock: call it after
        work was done, never from a timer.
        """
        sent = body_of(progress, "The progress")
        return self._ask("POST", "/v1/tool-executions/progress", sent, check=check_execution_receipt(sent, "progress"))

    def complete_tool(self, result: Mapping[str, Any]) -> Json:
        """Gives a function's one outcome: the three ids and ``output``, or ``error`` "APPLICATION_TOOL_FAILED".

        With a ``resultKey`` the same outcome may be sent again after a lost receipt. The receipt says that it was
        taken; keep reading the stream.
        """
        sent = body_of(result, "The result")
        return self._ask("POST", "/v1/tool-executions/results", sent, check=check_execution_receipt(sent, "accepted"))

    def execution_status(self, execution_id: str) -> Json:
        """What became of an execution."""
        path = f"/v1/tool-executions/{segment(execution_id, 'The id of the execution')}"
        return self._ask("GET", path, check=check_status(execution_id))

    def pending_executions(self, **filters: _Filter) -> Json:
        """A page of the executions that wait for a result of this subject, the oldest first."""
        return self._ask("GET", path_with("/v1/tool-executions", filters), check=has_list("executions"))

    def execution_events(self) -> ExecutionStream:
        """Executions of all runs of this subject as they come and go, those that wait already first."""
        return ExecutionStream(self._link)

    def serve_tools(
        self,
        request: Mapping[str, Any],
        functions: Mapping[str, Function],
        decide: Decide | None = None,
        on_event: Callable[[Json], object] | None = None,
        *,
        on_failure: OnFailure | None = None,
        reconnect: bool = False,
    ) -> Json:
        """Starts a run, executes the functions that it asks for, and returns its result.

        ``functions`` has one for each definition of ``applicationTools``, all of which are selected. A function gets
        the arguments and a ``ToolContext`` and runs in a thread of its own; what it returns is the output. What it
        raises, and an output that is no JSON, become the one word for a failure: ``on_failure`` gets the exception and
        the execution, in the thread of the function, which may outlive the run; the host gets no text. Without it the
        logger ``toolpost`` of ``logging`` gets them, as an error with its traceback. A result whose receipt is lost is
        sent again under the same key.

        ``decide`` gets each review and returns "approve", "deny" or "cancel", or a dict of it as ``decision`` with
        ``reason`` and ``editedArguments``; without it somebody else decides. What it raises is raised here, and what
        is no decision is INVALID_APPROVAL: nothing is decided then, and the stream is left, which cancels the run
        unless it was asked to be kept. ``on_event`` gets every event. ``reconnect`` is that of ``stream``.

        Raises INVALID_REQUEST, and nothing is sent; the run's own code when it failed or was cancelled; what a result
        or a decision was refused with, unless the stream tells it.
        """
        asked = request_of(request)
        known = functions_of(functions)
        carrying = self._carrying(on_failure)
        decider = optional_callback(decide, "`decide`")
        told = optional_callback(on_event, "`on_event`")
        stream = self.stream(served_request(asked, known), reconnect=reconnect)
        return Serving(stream, known, carrying, decider, self.decide_approval).follow(told)

    def work_tools(
        self,
        functions: Mapping[str, Function],
        *,
        stop: threading.Event | None = None,
        on_failure: OnFailure | None = None,
    ) -> None:
        """Executes the functions of all runs of this subject, whoever started them.

        It begins with what waits already, returns when ``stop`` is set or the client is closed, and connects again with
        growing pauses whenever the host is gone. Functions are as in ``serve_tools``; calls of names that are not there
        are left to others. One process of a subject serves a function, by this or by ``serve_tools``: two of them would
        both execute the same call. ``on_failure`` gets also what a result was refused with; without it that ends the
        worker.

        Raises INVALID_REQUEST, and nothing is sent; FORBIDDEN, UNAUTHORIZED, INVALID_STREAM.
        """
        known = functions_of(functions)
        if stop is not None and not isinstance(stop, threading.Event):
            raise refused("`stop` must be a threading.Event")
        Worker(self._link, known, self._carrying(on_failure)).work(stop)

    def reconcile(self, found: Mapping[str, Any]) -> Json:
        """Tells what was found out about an uncertain call: ``runId``, ``callId``, and ``found``.

        ``found`` is completed, failed or not_run; a ``note`` may say how it was found out.
        """
        sent = body_of(found, "The finding")
        return self._ask("POST", "/v1/calls/reconcile", sent, check=check_reconciled(sent))

    # Discovery

    def protocol(self) -> Json:
        """What the host can do, its limits, and what this token may do."""
        return self._ask("GET", "/v1/protocol", within=self._discovery_timeout, check=is_protocol)

    def providers(self) -> Json:
        """The providers that this token may use."""
        return self._ask("GET", "/v1/providers", within=self._discovery_timeout, check=has_list("providers"))

    # Sessions

    def create_session(self, session: Mapping[str, Any]) -> Json:
        """Makes a session at a ``provider``, and returns it."""
        sent = body_of(session, "The session")
        check = check_session(sent.get("id"), sent.get("provider"))
        return self._ask("POST", "/v1/sessions/create", sent, check=check)

    def read_session(self, session_id: str) -> Json:
        """A session with its newest messages."""
        sent: Json = {"id": id_of(session_id, "The id of the session")}
        return self._ask("POST", "/v1/sessions/read", sent, check=check_session(session_id))

    def delete_session(self, session_id: str, revision: int | None = None) -> Json:
        """Deletes a session; with a revision only when it is the newest."""
        body: Json = {"id": id_of(session_id, "The id of the session")}
        if revision is not None:
            body["revision"] = revision
        return self._ask("POST", "/v1/sessions/delete", body, check=check_deleted(session_id))

    def close(self) -> None:
        """Aborts every request that is open and ends streams and workers; later requests raise CLIENT_CLOSED."""
        self._link.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # How it is sent

    def _ask(
        self, method: str, path: str, body: Json | None = None, *, check: _Check, within: float | None = None
    ) -> Json:
        return self._link.ask(method, path, body, check=check, within=within)

    def _carrying(self, on_failure: OnFailure | None) -> Carrying:
        told = optional_callback(on_failure, "`on_failure`")
        return Carrying(self.complete_tool, self.report_tool_progress, self._link.pauses, told)


def _run(run_id: object) -> str:
    return segment(run_id, "The id of the run")


def _trusting(ca_file: str | os.PathLike[str] | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except (OSError, TypeError, ValueError) as fault:
        raise refused(f"ca_file is no file of PEM certificates that can be read ({type(fault).__name__})") from None
