"""The end of a worker's process: threads that wait for a database do not keep it alive."""

import os
import threading

_LAST_SECONDS = 5.0


def end_process(code: int) -> None:
    """End this process with this code in a moment, unless it has ended by itself.

    For when all that matters is done. The engine's threads ask for their database again and again,
    with long pauses and without end, and Python waits for them.
    """
    last = threading.Timer(_LAST_SECONDS, os._exit, (code,))
    last.daemon = True
    last.start()
