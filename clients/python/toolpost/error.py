"""The one error that this package raises."""

from __future__ import annotations


class HostError(Exception):
    """What went wrong, at the host or on the way.

    ``code`` is the host's code, or one of this client's own: INSECURE_TRANSPORT, AUTH_REQUIRED, TRANSPORT_FAILED,
    REDIRECT_REFUSED, TIMEOUT, HTTP_ERROR, UNSUPPORTED_PROTOCOL_VERSION, INVALID_REQUEST, BODY_TOO_LARGE,
    INVALID_RESPONSE, RESPONSE_TOO_LARGE, INVALID_STREAM, INCOMPLETE_STREAM, UNSUPPORTED_EVENT, CANCELLED,
    CLIENT_CLOSED, TOOL_STREAM_REQUIRED, APPROVAL_STREAM_REQUIRED.
    ``retryable`` says whether the same request may succeed later.
    ``outcome`` is ``"uncertain"`` when something may have been done.
    """

    def __init__(self, code: str, message: str, retryable: bool = False, outcome: str | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.retryable = retryable
        self.outcome = outcome
