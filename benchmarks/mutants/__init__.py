"""Right calls must pass, wrong ones must be refused, and PostgreSQL says which are wrong.

Every mutant is a right call corrupted in one way. Both are run on the small books; a mutant counts
only when its result differs from the right one's, or when the database refuses it.
"""

import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks.mutants.legal import Case, legal_cases
from benchmarks.mutants.mutations import MUTATIONS, mutants_of
from benchmarks.mutants.oracle import Oracle, Rows
from veridical.check.checker import Checker
from veridical.contracts.violation import Refusal
from veridical.ontology.compile import compile_catalog
from veridical.packs.trustee import pack
from veridical.packs.trustee.load import load_postgres
from veridical.sample.postgres import local_postgres

Progress = Callable[[str, int], None]
"""Told what is counted and how many of it are done."""

SHOWN = 6
"""How many of the calls that were judged wrongly are listed, of each class."""
_REPORT_EVERY = 500


@dataclass
class Tally:
    """What was counted so far."""

    legal: int = 0
    rejected: list[str] = field(default_factory=list[str])
    differing: Counter[str] = field(default_factory=Counter[str])
    caught: Counter[str] = field(default_factory=Counter[str])
    equivalent: Counter[str] = field(default_factory=Counter[str])
    equivalent_refused: Counter[str] = field(default_factory=Counter[str])
    escaped: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    refused_by: Counter[str] = field(default_factory=Counter[str])
    rightly_by: Counter[str] = field(default_factory=Counter[str])


def run(limit: int | None = None, progress: Progress | None = None) -> dict[str, object]:
    """The figures over the first ``limit`` right calls of every kind, or over all."""
    started = time.perf_counter()
    tell = progress or _silent
    cases = list(legal_cases())
    if limit is not None:
        cases = cases[:: max(1, len(cases) // limit)][:limit]
    checker = Checker(compile_catalog(pack.schema, pack.ontology), "postgres")
    tally = Tally()
    seen = {case.text for case in cases}
    with books() as (_, oracle):
        for number, case in enumerate(cases):
            _judge_legal(tally, checker, case)
            truth = oracle.rows(case.sql, case.audience.name)
            for kind, mutant in mutants_of(case, number):
                if mutant.text in seen:
                    continue
                seen.add(mutant.text)
                found = oracle.rows(mutant.sql, mutant.audience.name)
                _judge_mutant(tally, checker, kind, mutant, is_same(truth, found, mutant))
            if number % _REPORT_EVERY == 0:
                tell("mutants", tally.differing.total())
    return _figures(tally) | {"seconds": round(time.perf_counter() - started, 1)}


@contextmanager
def books() -> Generator[tuple[str, Oracle]]:
    """The small books on a server of their own: its address, and who judges on them."""
    with local_postgres() as server:
        url = server.create_database("mutants")
        load_postgres("small", url)
        oracle = Oracle(url, pack.tenant_columns, pack.shared_tables)
        try:
            yield url, oracle
        finally:
            oracle.close()


def _codes(checker: Checker, case: Case) -> tuple[str, ...]:
    verdict = checker.check(case.call, case.audience.caller(case.language), case.question)
    if not isinstance(verdict, Refusal):
        return ()
    return tuple(dict.fromkeys(each.code.value for each in verdict.violations))


def _judge_legal(tally: Tally, checker: Checker, case: Case) -> None:
    tally.legal += 1
    codes = _codes(checker, case)
    if codes:
        tally.rejected.append(f"{'+'.join(codes)}: {case.text}")
        tally.refused_by.update(codes)


def _judge_mutant(tally: Tally, checker: Checker, kind: str, mutant: Case, same: bool) -> None:
    codes = _codes(checker, mutant)
    tally.refused_by.update(codes)
    if same:
        tally.equivalent[kind] += 1
        tally.equivalent_refused[kind] += bool(codes)
        return
    tally.differing[kind] += 1
    tally.rightly_by.update(codes)
    if codes:
        tally.caught[kind] += 1
    else:
        tally.escaped.setdefault(kind, []).append(f"{mutant.question} | {mutant.text}")


def is_same(truth: Rows | None, found: Rows | None, mutant: Case) -> bool:
    """Whether a mutant gives what the right call gives; one that the database refuses does not."""
    if truth is None or found is None:
        return False
    if mutant.kept is None:
        return truth == found
    kept = mutant.kept
    narrowed: Rows = Counter()
    for row, times in truth.items():
        narrowed[tuple(row[index] for index in kept)] += times
    return narrowed == found


def _figures(tally: Tally) -> dict[str, object]:
    total, caught = tally.differing.total(), tally.caught.total()
    return {
        "legal_total": tally.legal,
        "legal_rejected": len(tally.rejected),
        "mutants_total": total,
        "mutants_caught_count": caught,
        "mutants_caught": round(caught / total, 5) if total else None,
        "mutants_equivalent": tally.equivalent.total(),
        "mutants_equivalent_refused": tally.equivalent_refused.total(),
        "classes": {
            mutation.__name__: {
                "total": tally.differing[mutation.__name__],
                "caught": tally.caught[mutation.__name__],
                "equivalent": tally.equivalent[mutation.__name__],
                "equivalent_refused": tally.equivalent_refused[mutation.__name__],
            }
            for mutation in MUTATIONS
        },
        "rules": {
            code: {
                "caught": tally.rightly_by[code],
                "precision": round(tally.rightly_by[code] / refused, 4),
            }
            for code, refused in sorted(tally.refused_by.items())
        },
        "rejected": tally.rejected[:SHOWN],
        "escaped": {kind: texts[:SHOWN] for kind, texts in tally.escaped.items()},
    }


def _silent(_what: str, _done: int) -> None:
    pass
