"""One HTTP request and its response, on a connection of its own."""

from __future__ import annotations

import errno
import http.client
import socket
import ssl
import threading
from dataclasses import dataclass
from typing import Any

from .address import Address
from .error import HostError
from .wire import (
    ERROR_BYTES_MAX,
    OPTIONAL_EVENTS_HEADER,
    RESPONSE_BYTES_MAX,
    VERSION,
    VERSION_HEADER,
    Json,
    decode_json,
    is_error,
)

#: What reading or writing raises when a connection breaks.
BROKEN = (OSError, http.client.HTTPException, UnicodeError)


@dataclass(frozen=True)
class Target:
    """Where requests go and as whom."""

    address: Address
    token: str
    tls: ssl.SSLContext | None


class Exchange:
    """A request. ``abort`` ends it from any thread, also while another one waits for bytes of it."""

    def __init__(self, target: Target, timeout: float | None, is_stream: bool = False) -> None:
        address = target.address
        self._target = target
        self._is_stream = is_stream
        self._is_connected = False
        self._is_late = False
        self._outcome: str | None = None
        self._aborted = threading.Event()
        self._socket: socket.socket | None = None
        self._response: http.client.HTTPResponse | None = None
        if address.secure:
            self._connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                address.host, address.port, timeout=timeout, context=target.tls
            )
        else:
            self._connection = http.client.HTTPConnection(address.host, address.port, timeout=timeout)

    @property
    def is_aborted(self) -> bool:
        return self._aborted.is_set()

    def send(self, method: str, path: str, body: bytes | None, accept: str, headers: dict[str, str]) -> None:
        """Sends the request and reads the head of its response; raises HostError for all but a 200 or 201."""
        try:
            self._connection.connect()
            self._socket = self._connection.sock
            self._is_connected = True
            if self.is_aborted:
                raise OSError
            if self._is_stream:
                self._socket.settimeout(None)
            self._outcome = "uncertain" if method != "GET" else None
            url = self._target.address.path + path
            self._connection.request(method, url, body, self._headers(accept, body, headers))
            self._response = self._connection.getresponse()
        except BROKEN as fault:
            raise self.failure(fault) from None
        self._check_head(self._response)

    def _headers(self, accept: str, body: bytes | None, more: dict[str, str]) -> dict[str, str]:
        sent = {
            "Authorization": f"Bearer {self._target.token}",
            "Accept": accept,
            VERSION_HEADER: VERSION,
            OPTIONAL_EVENTS_HEADER: "true",
            "Connection": "close",
            **more,
        }
        return sent if body is None else {**sent, "Content-Type": "application/json"}

    def _check_head(self, response: http.client.HTTPResponse) -> None:
        if 300 <= response.status < 400:
            text = "The host answered with a redirect, and redirects are not followed; name its real address."
            raise HostError("HTTP_ERROR", text, False, None, response.status)
        versions = response.headers.get_all(VERSION_HEADER) or [VERSION]
        if versions != [VERSION]:
            raise HostError(
                "UNSUPPORTED_PROTOCOL_VERSION",
                f"The host speaks version {', '.join(versions)} of the protocol, and this client {VERSION}.",
            )
        if response.status not in (200, 201):
            raise self._read_error(response.status)

    def _read_error(self, status: int) -> HostError:
        try:
            body = decode_json(self._read(ERROR_BYTES_MAX))
        except (HostError, ValueError):
            body = None
        error: Any = body.get("error") if isinstance(body, dict) else None
        if not is_error(error):
            retryable = status == 429 or status >= 500
            text = f"The host answered with status {status} and no error of the protocol."
            return HostError("HTTP_ERROR", text, retryable, None, status)
        return HostError(error["code"], error["message"], error["retryable"], error.get("outcome"), status)

    def _read(self, bytes_max: int) -> bytes:
        assert self._response is not None
        try:
            data = self._response.read(bytes_max + 1)
            if len(data) <= bytes_max and self._is_cut(self._response):
                raise http.client.IncompleteRead(data)
        except BROKEN as fault:
            raise self.failure(fault) from None
        if len(data) > bytes_max:
            raise HostError("RESPONSE_TOO_LARGE", f"The response has more than {bytes_max} bytes.")
        return data

    def _is_cut(self, response: http.client.HTTPResponse) -> bool:
        """Whether a body was given as if it were whole, though it broke off."""
        if response.length is not None:
            return response.length > 0
        return self.is_aborted and not response.chunked

    def read_json(self) -> Json:
        """The body of the response, a JSON object. Raises INVALID_RESPONSE or RESPONSE_TOO_LARGE."""
        self.expect_type("application/json")
        try:
            body = decode_json(self._read(RESPONSE_BYTES_MAX))
        except ValueError:
            raise HostError("INVALID_RESPONSE", "The response is no JSON in UTF-8.") from None
        if not isinstance(body, dict):
            raise HostError("INVALID_RESPONSE", "The response is no JSON object.")
        return body

    def expect_type(self, wanted: str) -> None:
        """Raises INVALID_RESPONSE unless the response has a content type, unencoded."""
        assert self._response is not None
        given = self._response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        encoded = self._response.headers.get("Content-Encoding", "identity").lower()
        if given != wanted or encoded != "identity":
            raise HostError("INVALID_RESPONSE", f"The response is {given or 'of no type'} and should be {wanted}.")

    def read_chunk(self) -> bytes:
        """The next bytes of the response; none at its end. Raises what a broken connection raises (``BROKEN``)."""
        assert self._response is not None
        return self._response.read1(65_536)

    def failure(self, fault: BaseException) -> HostError:
        """What a broken exchange is told as; once what may change something was sent, its outcome is uncertain."""
        if self._is_late or (isinstance(fault, TimeoutError) and fault.errno is None):
            return HostError("TIMEOUT", "The host did not answer in time.", True, self._outcome)
        if self.is_aborted:
            return HostError("CANCELLED", "The request was aborted.", False, self._outcome)
        if not self._is_connected:
            return self._unreached(fault)
        kind = type(fault).__name__
        text = f"The connection to the host broke off before its answer was there ({kind})."
        return HostError("HTTP_ERROR", text, True, self._outcome)

    def _unreached(self, fault: BaseException) -> HostError:
        """A connection that never came to be."""
        if isinstance(fault, ssl.SSLCertVerificationError):
            reason = fault.verify_message or fault.reason
            text = f"The host's certificate is not trusted ({reason}); nothing was sent. Give its authority as ca_file."
            return HostError("HTTP_ERROR", text)
        if isinstance(fault, ssl.SSLError):
            text = f"The host does not speak TLS as this client does ({fault.reason}); nothing was sent."
            return HostError("HTTP_ERROR", f"{text} Does it serve https at this port?")
        reason = type(fault).__name__
        if isinstance(fault, OSError):
            reason = errno.errorcode.get(fault.errno or 0) or fault.strerror or reason
        text = f"The host cannot be reached at {self._target.address.shown} ({reason}); nothing was sent."
        return HostError("HTTP_ERROR", f"{text} Start it, or correct the base URL, and try again.", True)

    def expire(self) -> None:
        """Ends the exchange because its time is over."""
        self._is_late = True
        self.abort()

    def abort(self) -> None:
        """Ends the exchange now."""
        self._aborted.set()
        if self._socket is None:
            return
        try:
            # The plain socket's own: that of TLS would first wait for the other side.
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        """Gives the connection back; only for the thread that reads."""
        self.abort()
        if self._response is not None:
            self._response.close()
        self._connection.close()
