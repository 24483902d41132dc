"""The check: facts, then rules, then a checked query or a refusal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial

from sqlglot import exp

from veridical.check.context import Context
from veridical.check.dialects import Dialect, dialect_named
from veridical.check.facts import Facts, Problem
from veridical.check.from_call import facts_of_call
from veridical.check.from_sql import facts_of_sql
from veridical.check.metric_call import metric_violations
from veridical.check.purposes import index_purposes, purposes_of
from veridical.check.repair import repaired
from veridical.check.rules import RULES
from veridical.check.wording import worded
from veridical.contracts.call import Call, MetricCall, SqlCall
from veridical.contracts.caller import EVERYTHING, Caller, Permissions
from veridical.contracts.checked import SEAL, CheckedQuery
from veridical.contracts.violation import Code, Mode, Refusal, Violation
from veridical.ontology.catalog import Catalog
from veridical.ontology.compile import restrict

DEFAULT_MODES: Mapping[Code, Mode] = {Code.UNDECLARED_JOIN: Mode.WARN}
"""Modes that differ from block."""

_ANYBODY = Caller()
_REMEMBERED_ROLES = 256
_REMEMBERED_QUESTIONS = 1024
_UNASKED: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Checker:
    """Checks calls against one catalog, for one engine."""

    catalog: Catalog
    dialect: str = "postgres"
    modes: Mapping[Code, Mode] = field(default_factory=lambda: DEFAULT_MODES)
    _roles: dict[Permissions, Catalog] = field(default_factory=dict[Permissions, Catalog])

    def check(
        self, call: Call, caller: Caller = _ANYBODY, question: str = ""
    ) -> CheckedQuery | Refusal:
        """The call as a checked query, or all that is wrong with it. Never raises."""
        verdict = self._judge(call, caller, question)
        if isinstance(verdict, CheckedQuery):
            return verdict

        def passes(fixed: Call) -> bool:
            return isinstance(self._judge(fixed, caller, question), CheckedQuery)

        corrected = repaired(call, verdict.violations, self.dialect, passes)
        if corrected is None:
            return verdict
        return verdict.model_copy(update={"corrected_call": corrected})

    def visible_to(self, caller: Caller) -> Catalog:
        """The part of the catalog that this caller may see; remembered per set of permissions."""
        permissions = caller.permissions
        if permissions is EVERYTHING or permissions == EVERYTHING:
            return self.catalog
        known = self._roles.get(permissions)
        if known is None:
            if len(self._roles) >= _REMEMBERED_ROLES:
                self._roles.clear()
            known = self._roles[permissions] = restrict(self.catalog, permissions)
        return known

    def _judge(self, call: Call, caller: Caller, question: str) -> CheckedQuery | Refusal:
        catalog = self.visible_to(caller)
        tree: exp.Query | None = None
        if isinstance(call, MetricCall):
            return self._judge_metrics(call, catalog, caller)
        if isinstance(call, SqlCall):
            statement = facts_of_sql(call.sql, catalog, self._traits)
            facts, tree = statement.facts, statement.tree
        else:
            facts = facts_of_call(call, catalog)
        asked = self._purposes(question) if question else _UNASKED
        context = Context(facts, catalog, caller, self._traits, asked)
        problems: list[Problem] = []
        for rule in RULES:
            problems.extend(rule(context))
        if not problems:
            return self._passed(call, caller, facts, tree)
        return self._decide(call, caller, facts, tree, problems)

    def _judge_metrics(
        self, call: MetricCall, catalog: Catalog, caller: Caller
    ) -> CheckedQuery | Refusal:
        if catalog.metrics is None:
            problem = Problem(Code.METRIC_NOT_FOUND, ", ".join(call.metrics))
            return Refusal(violations=(worded(problem, Mode.BLOCK, caller.language),))
        violations = metric_violations(call, catalog.metrics, caller.language)
        if violations:
            return Refusal(violations=tuple(violations))
        return self._passed(call, caller, Facts(), None)

    def _decide(
        self,
        call: Call,
        caller: Caller,
        facts: Facts,
        tree: exp.Query | None,
        problems: list[Problem],
    ) -> CheckedQuery | Refusal:
        found = [worded(each, self._mode(each), caller.language) for each in problems]
        blocking = _of(found, Mode.BLOCK)
        warnings, shadowed = _of(found, Mode.WARN), _of(found, Mode.SHADOW)
        if blocking:
            return Refusal(violations=blocking, warnings=warnings, shadowed=shadowed)
        return self._passed(call, caller, facts, tree, warnings, shadowed)

    def _passed(
        self,
        call: Call,
        caller: Caller,
        facts: Facts,
        tree: exp.Query | None,
        warnings: tuple[Violation, ...] = (),
        shadowed: tuple[Violation, ...] = (),
    ) -> CheckedQuery:
        columns = {use.table.name: tuple(use.table.columns) for use in facts.uses}
        ontology_hash = self.catalog.ontology_hash
        return CheckedQuery(SEAL, call, caller, ontology_hash, columns, tree, warnings, shadowed)

    def _mode(self, problem: Problem) -> Mode:
        mode = self.modes.get(problem.code, Mode.BLOCK)
        return Mode.WARN if problem.soft and mode is Mode.BLOCK else mode

    @cached_property
    def _traits(self) -> Dialect:
        return dialect_named(self.dialect)

    @cached_property
    def _purposes(self) -> Callable[[str], frozenset[str]]:
        """A question is asked once and checked with every call that it leads to."""
        index = index_purposes(self.catalog.purposes)
        return lru_cache(_REMEMBERED_QUESTIONS)(partial(purposes_of, index))


def _of(found: list[Violation], mode: Mode) -> tuple[Violation, ...]:
    return tuple(each for each in found if each.mode is mode)
