"""A client for Toolpost hosts, made of the standard library."""

from .client import Client
from .error import HostError
from .run_stream import RunStream
from .serve_tools import Decide, Function, ToolContext

__all__ = ["Client", "Decide", "Function", "HostError", "RunStream", "ToolContext"]
