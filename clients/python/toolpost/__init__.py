"""A client for Toolpost hosts, made of the standard library."""

from .carry_out import Function, OnFailure
from .client import Client
from .decision import Decide
from .error import HostError
from .execution_stream import ExecutionStream
from .run_stream import RunStream
from .tool_context import ToolContext

__all__ = [
    "Client",
    "Decide",
    "ExecutionStream",
    "Function",
    "HostError",
    "OnFailure",
    "RunStream",
    "ToolContext",
]
