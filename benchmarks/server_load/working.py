"""A worker of the benchmark: the real one, at sessions with the scripted model.

python -m benchmarks.server_load.working ORDERS
"""

import asyncio
import signal
import sys

from benchmarks.scripted_balances import PACK
from benchmarks.server_load.ground import Orders
from benchmarks.server_load.processes import say_ready
from benchmarks.server_load.script import sessions_at
from veridical.answering.feature import open_feature
from veridical.runs.worker import Worker
from veridical.sample.books import Sample


async def work(orders: Orders) -> None:
    """Work until told to stop."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    feature = open_feature(PACK, Sample(orders.books_url, 0).database())
    say_ready()
    await Worker(orders.settings, sessions_at(feature)).work(stop)
    feature.engine.database.close()


if __name__ == "__main__":
    asyncio.run(work(Orders.model_validate_json(sys.argv[1])))
