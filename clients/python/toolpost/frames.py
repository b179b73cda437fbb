"""Server-sent events, from bytes to the data of each event."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .error import HostError
from .wire import RESPONSE_BYTES_MAX

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Frame:
    """One event: its id when it had one, and its data lines joined."""

    id: str | None
    data: bytes


class FrameReader:
    """Takes bytes as they come and gives whole frames.

    LF, CRLF and CR end lines, wherever the bytes are cut; one byte order mark at the start is dropped.
    Raises RESPONSE_TOO_LARGE when a frame has more than 2,000,000 bytes, line ends left out; INVALID_STREAM for bytes
    that are no UTF-8.
    """

    def __init__(self) -> None:
        self._line: list[bytes] = []
        self._frame_bytes = 0
        self._after_cr = False
        self._head: bytes | None = b""
        self._id: str | None = None
        self._data: list[bytes] = []

    def feed(self, chunk: bytes) -> Iterator[Frame]:
        """Gives the frames that end in a chunk."""
        chunk = self._without_mark(chunk)
        if self._after_cr and chunk:
            self._after_cr = False
            if chunk.startswith(b"\n"):
                chunk = chunk[1:]
        if chunk.endswith(b"\r"):
            self._after_cr = True
        pieces = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for piece in pieces[:-1]:
            self._take(piece)
            yield from self._end_line()
        self._take(pieces[-1])

    def _without_mark(self, chunk: bytes) -> bytes:
        if self._head is None:
            return chunk
        head = self._head + chunk
        if len(head) < len(_MARK) and _MARK.startswith(head):
            self._head = head
            return b""
        self._head = None
        return head[len(_MARK) :] if head.startswith(_MARK) else head

    def _take(self, piece: bytes) -> None:
        self._frame_bytes += len(piece)
        if self._frame_bytes > RESPONSE_BYTES_MAX:
            raise HostError("RESPONSE_TOO_LARGE", f"An event of the stream has more than {RESPONSE_BYTES_MAX} bytes.")
        if piece:
            self._line.append(piece)

    def _end_line(self) -> Iterator[Frame]:
        line = b"".join(self._line)
        self._line.clear()
        if line:
            self._read_field(line)
            return
        frame = Frame(self._id, b"\n".join(self._data)) if self._data else None
        self._frame_bytes = 0
        self._id, self._data = None, []
        if frame is not None:
            yield frame

    def _read_field(self, line: bytes) -> None:
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError:
            raise HostError("INVALID_STREAM", "The stream has bytes that are no UTF-8.") from None
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value.encode("utf-8"))
        elif name == "id" and "\0" not in value:
            self._id = value
