"""How a worker is told to end: once, and it finishes what goes on; twice, and it hands it back."""

import asyncio
import logging
import signal

_log = logging.getLogger("veridical.runs")


def told_to_end() -> tuple[asyncio.Event, asyncio.Event]:
    """What the first and the second SIGTERM or SIGINT set; a third one ends the process itself."""
    loop = asyncio.get_running_loop()
    stop, at_once = asyncio.Event(), asyncio.Event()

    def told() -> None:
        if not stop.is_set():
            _log.info("told to end: finishing what goes on")
            stop.set()
            return
        _log.info("told to end again: handing back what goes on")
        at_once.set()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told)
    return stop, at_once
