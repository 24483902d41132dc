from dataclasses import dataclass

import pytest

from tests.runs.asked import rows
from veridical.runs.lease import Lease, LeaseLost
from veridical.store.connection import Store

pytestmark = pytest.mark.postgres


def test_a_worker_is_seen_while_it_renews_its_lease(store: Store) -> None:
    lease = Lease(store, 30)
    lease.take()
    first = rows(store, "SELECT seen_at FROM veridical.workers")
    assert lease.is_sure
    assert lease.renew()
    assert rows(store, "SELECT seen_at FROM veridical.workers") > first
    lease.give_back()
    assert rows(store, "SELECT count(*) FROM veridical.workers") == [(0,)]
    assert lease.is_lost


def test_two_workers_never_share_an_id(store: Store) -> None:
    assert Lease(store, 30).executor_id != Lease(store, 30).executor_id


@dataclass
class Clock:
    """A clock that goes on when it is told to, however busy the machine is."""

    now: float = 0.0

    def monotonic(self) -> float:
        return self.now


def test_who_was_away_for_longer_than_the_lease_asks_before_going_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    monkeypatch.setattr("veridical.runs.lease.time", clock)
    lease = Lease(store, 10)
    lease.take()
    clock.now += 11
    assert not lease.is_sure
    lease.hold()  # nobody has taken over
    assert lease.is_sure
    rows(store, "DELETE FROM veridical.workers")
    lease.hold()  # it can't know yet
    clock.now += 11
    with pytest.raises(LeaseLost):
        lease.hold()
    with pytest.raises(LeaseLost):
        lease.hold()
    assert not lease.renew()
