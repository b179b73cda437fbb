"""The one error that this package raises."""

from __future__ import annotations


class HostError(Exception):
    """What went wrong, at the host or on the way.

    ``code`` is the host's code, or one that this client found out itself: INSECURE_TRANSPORT, AUTH_REQUIRED, HTTP_ERROR
    (no answer, or none of the protocol), TIMEOUT, UNSUPPORTED_PROTOCOL_VERSION, INVALID_REQUEST, INVALID_APPROVAL,
    BODY_TOO_LARGE, INVALID_RESPONSE, RESPONSE_TOO_LARGE, INVALID_STREAM, INCOMPLETE_STREAM, UNSUPPORTED_EVENT,
    CANCELLED, TOOL_STREAM_REQUIRED, APPROVAL_STREAM_REQUIRED, and CLIENT_CLOSED.
    ``retryable`` says whether the same request may succeed later.
    ``outcome`` is ``"uncertain"`` when something may have been done.
    ``status`` is the HTTP status that the host answered with; None when it gave no answer, or told it in a stream.
    """

    def __init__(
        self,
        code: str,
        message: str,
        retryable: bool = False,
        outcome: str | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.retryable = retryable
        self.outcome = outcome
        self.status = status
