"""One thread stops whatever takes too long, and nothing that has ended."""

from threading import Event, active_count
from time import sleep

from veridical.engines.alarm import Alarms

PATIENCE = 30.0


def test_what_takes_too_long_is_stopped_once() -> None:
    alarms, stopped, calls = Alarms(), Event(), list[str]()
    with alarms.after(0.01, lambda: (calls.append("called"), stopped.set())):
        assert stopped.wait(PATIENCE)
    assert calls == ["called"]


def test_what_has_ended_is_left_alone() -> None:
    alarms, calls = Alarms(), list[str]()
    with alarms.after(0.05, lambda: calls.append("ended")):
        pass
    sleep(0.2)
    assert not calls


def test_the_sooner_one_does_not_wait_for_the_later_one() -> None:
    alarms, stopped = Alarms(), Event()
    with alarms.after(3600, Event().set), alarms.after(0.01, stopped.set):
        assert stopped.wait(PATIENCE)


def test_the_later_one_is_not_forgotten_after_the_sooner_one() -> None:
    alarms, first, second = Alarms(), Event(), Event()
    with alarms.after(0.2, second.set), alarms.after(0.01, first.set):
        assert first.wait(PATIENCE)
        assert second.wait(PATIENCE)


def test_all_share_one_thread() -> None:
    alarms = Alarms()
    before = active_count()
    for _ in range(20):
        with alarms.after(3600, Event().set):
            pass
    assert active_count() == before + 1
