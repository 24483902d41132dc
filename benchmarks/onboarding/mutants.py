"""Right calls and their mutants under an ontology that nobody wrote: mined, then confirmed.

The calls are those of ``benchmarks.mutants``: PostgreSQL says which mutants are wrong. The books
have their keys and nothing else; what is known about them is what ``init`` finds. As it comes there
are no tenants; once its proposals are confirmed, a caller belongs to one.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.mutants import books, is_same
from benchmarks.mutants.legal import Case, legal_cases
from benchmarks.mutants.mutations import MUTATIONS, mutants_of
from benchmarks.mutants.oracle import Oracle
from benchmarks.onboarding.mined import Mined, mined
from benchmarks.onboarding.sqlsure_beside import NAME, beside
from veridical.check.checker import Checker
from veridical.contracts.caller import WHOLE, Caller, scope_of
from veridical.contracts.violation import Refusal
from veridical.engines.postgres import Postgres
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.own_pack import pack_from

SAMPLE = 120
"""Right calls that are corrupted; all of them are judged themselves."""
SHOWN = 4
Judge = Callable[[Case], tuple[bool, bool]]
"""From a call: is it blocked, is anything said of it."""


@dataclass
class Verdicts:
    """What one judge said so far."""

    judge: Judge
    legal: Counter[str] = field(default_factory=Counter[str])
    blocked: Counter[str] = field(default_factory=Counter[str])
    told: Counter[str] = field(default_factory=Counter[str])
    rejected: list[str] = field(default_factory=list[str])
    escaped: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    seconds: float = 0.0
    calls: int = 0

    def _asked(self, case: Case) -> tuple[bool, bool]:
        started = time.process_time()
        found = self.judge(case)
        self.seconds += time.process_time() - started
        self.calls += 1
        return found

    def take_right(self, case: Case) -> None:
        """A right call: whatever is said of it is false."""
        blocked, told = self._asked(case)
        self.legal.update(total=1, blocked=blocked, told=told)
        if blocked:
            self.rejected.append(f"{case.question} | {case.text}")

    def take_wrong(self, kind: str, mutant: Case) -> None:
        """A mutant that gives another result."""
        blocked, told = self._asked(mutant)
        self.blocked[kind] += blocked
        self.told[kind] += told
        if not blocked:
            self.escaped.setdefault(kind, []).append(f"{mutant.question} | {mutant.text}")

    def figures(self, wrong: Counter[str]) -> dict[str, Any]:
        """The shares, in all and by kind."""
        every, right = wrong.total(), self.legal["total"]
        return {
            "mutants_caught": _share(self.blocked.total(), every),
            "mutants_told": _share(self.told.total(), every),
            "legal_rejected": _share(self.legal["blocked"], right),
            "legal_told": _share(self.legal["told"], right),
            "ms_each": round(1000 * self.seconds / self.calls, 3) if self.calls else None,
            "kinds": {
                kind: {"total": count, "caught": self.blocked[kind], "told": self.told[kind]}
                for kind, count in wrong.items()
            },
            "rejected": self.rejected[:SHOWN],
            "escaped": {kind: texts[:SHOWN] for kind, texts in self.escaped.items()},
        }


def run(sample: int = SAMPLE, seed: int = 1, legal: int | None = None) -> dict[str, Any]:
    """The figures over the books: untouched, confirmed, and the other package beside them.

    ``legal`` right calls are judged, spread over all; all of them unless it is said.
    """
    cases = list(legal_cases())
    cases = cases[:: max(1, len(cases) // legal)] if legal else cases
    with books() as (url, oracle):
        with closing(Postgres(url)) as database:
            found = mined("books", database)
        verdicts = {name: Verdicts(judge) for name, judge in _judges(found).items()}
        for case in cases:
            for each in verdicts.values():
                each.take_right(case)
        wrong: Counter[str] = Counter(dict.fromkeys((each.__name__ for each in MUTATIONS), 0))
        for kind, mutant in _wrong(cases, oracle, sample, seed):
            wrong[kind] += 1
            for each in verdicts.values():
                each.take_wrong(kind, mutant)
    figures = {name: each.figures(wrong) for name, each in verdicts.items()}
    untouched, confirmed = figures["untouched"], figures["confirmed"]
    return {
        "mutants_total": wrong.total(),
        "legal_total": len(cases),
        "mutants_caught": untouched["mutants_caught"],
        "legal_rejected": untouched["legal_rejected"],
        "mutants_caught_confirmed": confirmed["mutants_caught"],
        "legal_rejected_confirmed": confirmed["legal_rejected"],
        "mutants_by_judge": figures,
    }


def _judges(found: Mined) -> Mapping[str, Judge]:
    untouched = found.untouched()
    judges = {
        "schema_alone": _ours(found, None),
        "untouched": _ours(found, untouched),
        "confirmed": _ours(found, found.confirmed()),
    }
    for title, known in (("schema_alone", None), ("untouched", untouched)):
        other = beside(found.schema, known, "postgres")
        if other is not None:
            verdict = other.verdict
            judges[f"{NAME}_{title}"] = lambda case, verdict=verdict: verdict(case.sql)
    return judges


def _ours(found: Mined, ontology: OntologyDescriptor | None) -> Judge:
    checker = Checker(compile_catalog(found.schema, ontology), "postgres")
    tenants = pack_from(ontology).tenant_columns if ontology else {}
    shared = frozenset(found.schema.tables) - frozenset(tenants) if tenants else WHOLE

    def judge(case: Case) -> tuple[bool, bool]:
        known = case.audience.caller(case.language).scope.allowed if tenants else {}
        caller = Caller(scope_of(known, shared), language=case.language)
        verdict = checker.check(case.call, caller, case.question)
        blocked = isinstance(verdict, Refusal)
        return blocked, blocked or bool(verdict.warnings)

    return judge


def _wrong(cases: list[Case], oracle: Oracle, sample: int, seed: int) -> Iterator[tuple[str, Case]]:
    """Mutants of some calls, always the same ones, whose result is another one."""
    seen = {case.text for case in cases}
    chosen = sorted(Random(seed).sample(range(len(cases)), min(sample, len(cases))))
    for number, place in enumerate(chosen):
        case = cases[place]
        truth = oracle.rows(case.sql, case.audience.name)
        for kind, mutant in mutants_of(case, number):
            if mutant.text not in seen:
                seen.add(mutant.text)
                found = oracle.rows(mutant.sql, mutant.audience.name)
                if not is_same(truth, found, mutant):
                    yield kind, mutant


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 5) if whole else None
