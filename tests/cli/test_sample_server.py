"""A server for trying out: one at a time, because each start has its own key."""

import multiprocessing
import os
import signal

import pytest

from veridical.cli.error_reporting import UsageError
from veridical.cli.sample_server import interrupts_held, the_only_one
from veridical.contracts.language import Language
from veridical.sample.postgres import LocalPostgres

pytestmark = pytest.mark.postgres


def test_a_second_one_is_told_of_the_first(postgres_server: LocalPostgres) -> None:
    for _ in range(2):  # who has ended stands in nobody's way
        with (
            the_only_one(postgres_server, Language.EN),
            pytest.raises(UsageError, match="already running"),
            the_only_one(postgres_server, Language.EN),
        ):
            pytest.fail("both run")


def interrupt_this() -> None:
    """As Ctrl+C does with every process of a terminal."""
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_does_not_break_into_a_worker_that_is_loading() -> None:
    process = multiprocessing.get_context("spawn").Process(target=interrupt_this)
    with interrupts_held():
        process.start()
    process.join(60)
    assert process.exitcode == 0
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())  # ours is as it was
