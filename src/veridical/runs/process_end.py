"""The end of a worker's process: its signals, and an exit that no thread can delay."""

import asyncio
import logging
import os
import signal
import threading

_LAST_SECONDS = 5.0

_log = logging.getLogger("veridical.runs")


def stop_events() -> tuple[asyncio.Event, asyncio.Event]:
    """The events set by the first and the second SIGTERM or SIGINT; a third one kills the
    process."""
    loop = asyncio.get_running_loop()
    stop, at_once = asyncio.Event(), asyncio.Event()

    def on_signal() -> None:
        if not stop.is_set():
            _log.info("asked to stop: finishing current runs")
            stop.set()
            return
        _log.info("asked to stop again: handing back current runs")
        at_once.set()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)
    return stop, at_once


def end_process(code: int) -> None:
    """End this process with this code in a moment, unless it has ended by itself.

    For when all that matters is done. The engine's threads ask for their database again and again,
    with long pauses and without end, and Python waits for them.
    """
    last = threading.Timer(_LAST_SECONDS, os._exit, (code,))
    last.daemon = True
    last.start()
