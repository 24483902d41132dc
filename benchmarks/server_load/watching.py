"""Many watchers of live runs: what each of them sees, and how others are served meanwhile."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle, pairwise
from pathlib import Path
from statistics import median
from typing import Any

import psycopg

from benchmarks.scripted_balances import PACK, QUESTION
from benchmarks.server_load.comparison import percentile_ms
from benchmarks.server_load.ground import SMALL, TENANTS, Ground, Size
from benchmarks.server_load.line import Line, open_line
from benchmarks.server_load.processes import Started, started
from benchmarks.server_load.script import known_questions
from benchmarks.server_load.watcher import digest_of
from benchmarks.server_load.watchers import Plan, Sighting, Sightings, Watched

_PAUSE_SECONDS = 0.01
_FEWEST_PROBES = 10
_EVENTS = (
    "SELECT trace_id, sequence, event FROM veridical.events WHERE trace_id = ANY(%s) ORDER BY 1, 2"
)

Kept = Mapping[str, Sequence[str]]
"""By run: the digests of its events, in their order."""


@dataclass
class Tally:
    """What was found in all waves."""

    events: int = 0
    lost: int = 0
    duplicate: int = 0
    disordered: int = 0
    altered: int = 0
    reconnects: int = 0

    def add(self, sighting: Sighting, kept: Sequence[str]) -> None:
        """Hold what a watcher saw against what is in the database."""
        numbers = sighting.numbers
        self.events += len(kept)
        self.lost += len(set(range(len(kept))) - set(numbers))
        self.duplicate += len(numbers) - len(set(numbers))
        self.disordered += sum(one > other for one, other in pairwise(numbers))
        self.altered += sum(
            number >= len(kept) or kept[number] != digest
            for number, digest in zip(numbers, sighting.digests, strict=True)
        )
        self.reconnects += sighting.connections - 1


@dataclass
class Probes:
    """How long requests took that wait for nobody."""

    seconds: dict[str, list[float]] = field(default_factory=dict[str, list[float]])

    def take(self, line: Line, run_id: str, question: str) -> None:
        """One of each kind."""
        self._timed("run", lambda: line.get(f"/v1/runs/{run_id}"))
        self._timed("ontology", lambda: line.get(f"/v1/ontology/{PACK.name}"))
        body = {"feature": PACK.name, "question": question}
        self._timed("ask", lambda: line.post("/v1/ask", body))

    def _timed(self, kind: str, ask: Any) -> None:
        begun = time.perf_counter()
        ask()
        self.seconds.setdefault(kind, []).append(time.perf_counter() - begun)

    def figures(self) -> dict[str, Any]:
        """The half and the slowest of all, and of each kind."""
        everything = [each for taken in self.seconds.values() for each in taken]
        return {
            "p50_ms": round(1000 * median(everything), 1),
            "p95_ms": percentile_ms(everything, 95),
            **{f"p95_ms_{kind}": percentile_ms(taken, 95) for kind, taken in self.seconds.items()},
            "probes": len(everything),
        }


def watching(ground: Ground, size: Size) -> dict[str, Any]:
    """All waves: new runs, all watchers in their seats, then a worker that begins with the runs."""
    tally, probes = Tally(), Probes()
    with started("serving", ground.orders, ground.folder) as server:
        for _ in range(size.waves):
            for sighting, kept in _wave(ground, size, server, probes):
                tally.add(sighting, kept)
    return {
        "watchers": size.watchers,
        "watched_runs": size.watched_runs * size.waves,
        "watched_events": tally.events,
        "lost_events": tally.lost,
        "duplicate_events": tally.duplicate,
        "disordered_events": tally.disordered,
        "altered_events": tally.altered,
        "reconnects": tally.reconnects,
        **probes.figures(),
    }


def _wave(
    ground: Ground, size: Size, server: Started, probes: Probes
) -> Iterator[tuple[Sighting, Sequence[str]]]:
    runs = list(_runs(ground, size, server))
    plan = Plan(
        port=server.port,
        watched=tuple(run for run, _ in zip(cycle(runs), range(size.watchers), strict=False)),
        patience_seconds=size.patience_seconds,
        into=str(ground.folder / "sightings.json"),
    )
    with (
        started("watchers", plan, ground.folder) as watchers,
        started("working", ground.orders, ground.folder),
    ):
        _probe(ground, server, watchers, probes)
        if watchers.process.wait():
            raise RuntimeError("not every watcher saw the last event of its run")
    sightings = Sightings.model_validate_json(Path(plan.into).read_text())
    kept = _kept(ground, [run.run_id for run in runs])
    for each in sightings.seen:
        yield each, kept[each.run_id]


def _runs(ground: Ground, size: Size, server: Started) -> Iterator[Watched]:
    """New runs of all tenants, which nobody works on yet."""
    for number in range(size.watched_runs):
        key = ground.keys[TENANTS[number % len(TENANTS)]]
        with open_line(server.port, key) as line:
            body = {"feature": PACK.name, "question": QUESTION}
            started_run = json.loads(line.post("/v1/runs", body, status=202))
        yield Watched(run_id=started_run["runId"], key=key)


def _probe(ground: Ground, server: Started, watchers: Started, probes: Probes) -> None:
    """Requests of all kinds, one after the other, for as long as there are watchers."""
    questions = cycle(known_questions())
    with open_line(server.port, ground.keys[SMALL]) as line:
        run_id = json.loads(line.get("/v1/runs?limit=1"))["runs"][0]["runId"]
        taken = 0
        while not watchers.has_ended or taken < _FEWEST_PROBES:
            probes.take(line, run_id, next(questions).text)
            taken += 1
            time.sleep(_PAUSE_SECONDS)


def _kept(ground: Ground, run_ids: list[str]) -> Kept:
    """What each run's watchers should have seen."""
    kept: dict[str, list[str]] = {run_id: [] for run_id in run_ids}
    with psycopg.connect(ground.orders.runs_url) as connection:
        for run_id, _, event in connection.execute(_EVENTS, (run_ids,)):
            kept[run_id].append(digest_of(event))
    return kept
