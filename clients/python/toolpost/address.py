"""Where a host is, checked before anything is sent."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from .error import HostError

_LOOPBACK = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Address:
    """A host's address; ``path`` has no slash at its end."""

    secure: bool
    host: str
    port: int | None
    path: str

    @property
    def shown(self) -> str:
        """The host and its port, for people; a path may hold a secret."""
        port = self.port or (443 if self.secure else 80)
        return f"[{self.host}]:{port}" if ":" in self.host else f"{self.host}:{port}"


def read_address(base_url: str) -> Address:
    """Reads a base URL. Raises INSECURE_TRANSPORT unless it is https, or http to this machine, and nothing more."""
    if not isinstance(base_url, str):
        raise _insecure("must be a text")
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise _insecure("is no URL") from None
    if not host or "@" in parts.netloc:
        raise _insecure("must name a host and no user")
    if parts.query or parts.fragment or "?" in base_url or "#" in base_url:
        raise _insecure("must have no query and no fragment")
    if parts.scheme not in ("http", "https") or (parts.scheme == "http" and host not in _LOOPBACK):
        raise _insecure("must be https, or http to localhost, 127.0.0.1 or ::1")
    if re.search(r"[^\x21-\x7e]", base_url):
        raise _insecure("must be plain ASCII")
    return Address(parts.scheme == "https", host, port, parts.path.rstrip("/"))


def check_token(token: str) -> str:
    """Returns the token. Raises AUTH_REQUIRED unless it has 1 to 4,096 printable characters of ASCII."""
    if not isinstance(token, str) or not re.fullmatch(r"[\x21-\x7e]{1,4096}", token):
        raise HostError("AUTH_REQUIRED", "The token must have 1 to 4,096 characters of ASCII and no spaces.")
    return token


def _insecure(fault: str) -> HostError:
    return HostError("INSECURE_TRANSPORT", f"The base URL {fault}; nothing was sent.")
