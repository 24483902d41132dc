"""Work that goes beyond every limit."""

import ctypes
import re
import time


def echo(request: bytes) -> bytes:
    """What it was given."""
    return request


def spin(request: bytes) -> bytes:
    """Never ends."""
    while True:
        pass


def match(request: bytes) -> bytes:
    """Never ends, and never looks at a signal meanwhile."""
    return b"1" if re.match(r"(a+)+$", "a" * 60 + "!") else b""


def sleep(request: bytes) -> bytes:
    """Waits."""
    time.sleep(100)
    return b""


def fill(request: bytes) -> bytes:
    """Takes more memory than there is for it."""
    return bytes(1_000_000_000)


def hide_that_memory_is_full(request: bytes) -> bytes:
    """The same, as a library does that calls every fault a damaged file."""
    try:
        return bytes(1_000_000_000)
    except MemoryError as error:
        raise ValueError("damaged") from error


def tell_much(request: bytes) -> bytes:
    """A large result."""
    return bytes(10_000)


def crash(request: bytes) -> bytes:
    """Ends its process, as a library in C does."""
    return ctypes.string_at(0)


def fail(request: bytes) -> bytes:
    """Raises what nobody foresaw."""
    raise KeyError(request)
