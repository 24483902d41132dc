"""Stop signals of a worker: the first one drains it, the second one hands its runs back."""

import asyncio
import logging
import signal

_log = logging.getLogger("veridical.runs")


def stop_events() -> tuple[asyncio.Event, asyncio.Event]:
    """The events set by the first and the second SIGTERM or SIGINT; a third one kills the
    process."""
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
