"""One look at a database: profiles table by table, then all proposals from them."""

import signal
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import current_thread, main_thread
from types import FrameType

from veridical.contracts.schema import Table
from veridical.engines.database import Database
from veridical.onboarding.budget import Budget, Meter
from veridical.onboarding.findings import Findings
from veridical.onboarding.mine import mine
from veridical.onboarding.profile import TableProfile
from veridical.onboarding.profiler import profile_table
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.onboarding.record import (
    append_profile,
    read_profiles,
    read_proposals,
    with_decisions,
    write_profiles,
    write_proposals,
)
from veridical.onboarding.sample_label import labelled
from veridical.onboarding.source import Source
from veridical.onboarding.stakes import with_stakes

_COUNTING, _MINING = 0.55, 0.35
"""Shares of time and bytes; the rest is for figures of the errors."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Look:
    """The profiles and proposals of a database."""

    tables: Mapping[str, TableProfile]
    proposals: tuple[Proposal, ...]
    interrupted: bool = False

    @property
    def uncounted(self) -> int:
        """Tables known by their schema only."""
        return sum(not each.counted for each in self.tables.values())

    @property
    def sampled(self) -> tuple[TableProfile, ...]:
        """Tables of which only a sample was read, the largest first."""
        found = (each for each in self.tables.values() if each.counted and each.is_sampled)
        return tuple(sorted(found, key=lambda each: -each.rows))


def look_at(
    database: Database, project: Path, budget: Budget, progress: Progress, *, again: bool = False
) -> Look:
    """Profiles and proposals, kept in the project's folder. ``again`` counts everything anew.

    Ctrl+C ends the counting; what was counted is mined and kept, and the next look goes on there.
    """
    counting = Source(database, Meter(_share(budget, _COUNTING)))
    before = {} if again else read_profiles(project)
    tables: dict[str, TableProfile] = {}
    wanted = list(counting.schema.tables.values())
    if again:
        write_profiles(project, ())
    with _stops() as stops:
        for number, table in enumerate(wanted, 1):
            known = before.get(table.name)
            if known is not None and _is_same(known, table):
                tables[table.name] = known
            else:
                tables[table.name] = found = _profiled(counting, table, stops)
                if found.counted:
                    append_profile(project, found)
            progress(number, len(wanted))
    write_profiles(project, (each for each in tables.values() if each.counted))
    earlier = read_proposals(project)
    stated = (each for each in earlier if each.kind is ProposalKind.STATED)
    proposals = with_decisions((*_mined(database, tables, budget), *stated), earlier)
    write_proposals(project, proposals)
    return Look(tables, tuple(proposals), bool(stops))


def _profiled(counting: Source, table: Table, stops: list[int]) -> TableProfile:
    """The table's profile; that of its schema alone after the counting was stopped."""
    try:
        found = profile_table(counting, table)
    except KeyboardInterrupt:
        if not stops:
            stops.append(signal.SIGINT)
        counting.meter.stop()
        return profile_table(counting, table)
    if stops:
        counting.meter.stop()
    return found


@contextmanager
def _stops() -> Generator[list[int]]:
    """Catches each Ctrl+C, also in SQLite's driver, which ends the statement silently."""
    seen: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or current_thread() is not main_thread():
        yield seen
        return

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        signal.default_int_handler(number, frame)

    signal.signal(signal.SIGINT, note)
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)


def _mined(
    database: Database, tables: Mapping[str, TableProfile], budget: Budget
) -> list[Proposal]:
    mining = Source(database, Meter(_share(budget, _MINING)))
    large = (each.name for each in tables.values() if each.rows > budget.rows)
    mining.large.update(map(mining.table, large))
    found = (labelled(each, tables) for each in mine(mining, tables))
    figuring = Source(database, Meter(_share(budget, 1 - _COUNTING - _MINING)), mining.large)
    figures = Findings(figuring, tables)
    figures.add(found)
    return with_stakes(figures)


def _share(budget: Budget, share: float) -> Budget:
    return replace(budget, seconds=budget.seconds * share, bytes=round(budget.bytes * share))


def _is_same(known: TableProfile, table: Table) -> bool:
    """True if the table still has the columns of its profile."""
    columns = [(each.name, each.type) for each in table.columns]
    return known.counted and [(each.name, each.type) for each in known.columns] == columns
