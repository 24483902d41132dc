import asyncio
import os
import signal

import pytest

from veridical.runs.process_end import stop_events


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_second_time_means_at_once_and_the_third_is_not_ours(number: signal.Signals) -> None:
    async def story() -> None:
        stop, at_once = stop_events()
        seen = [(stop.is_set(), at_once.is_set())]
        for _ in range(2):
            os.kill(os.getpid(), number)
            await asyncio.sleep(0.05)
            seen.append((stop.is_set(), at_once.is_set()))
        assert seen == [(False, False), (True, False), (True, True)]
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    asyncio.run(story())
