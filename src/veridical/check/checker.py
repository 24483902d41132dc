"""The check: facts, then rules, then a checked query or a refusal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any

from sqlglot import exp

from veridical.check.arguments import call_of
from veridical.check.context import Context
from veridical.check.dialects import Dialect, dialect_named
from veridical.check.facts import Facts, Problem
from veridical.check.from_call import facts_of_call, respelled
from veridical.check.from_sql import facts_of_sql
from veridical.check.metric_call import metric_violations
from veridical.check.question import index_purposes, purposes_of
from veridical.check.repair import repaired
from veridical.check.rules import RULES, Rule
from veridical.check.shape import Shape, shape_of
from veridical.check.verdict import worded
from veridical.contracts.call import Call, MetricCall, SqlCall, TableCall
from veridical.contracts.caller import Caller, Permissions
from veridical.contracts.checked import SEAL, CheckedQuery
from veridical.contracts.input_budget import DEFAULT_BUDGET, OverBudgetError, keep_time, time_limit
from veridical.contracts.statement import ParamStyle, Statement
from veridical.contracts.violation import Code, Mode, Refusal, Violation
from veridical.lineage.statement import lineage_of
from veridical.ontology.catalog import Catalog
from veridical.ontology.compile import restrict
from veridical.statement.host_statement import host_statement

DEFAULT_MODES: Mapping[Code, Mode] = {
    Code.UNDECLARED_JOIN: Mode.WARN,
    Code.REPEATED_COUNT: Mode.WARN,
    Code.MEAN_OF_MEANS: Mode.WARN,
    Code.MEAN_OF_RATIOS: Mode.WARN,
    Code.MEAN_OF_SNAPSHOTS: Mode.WARN,
    Code.SUM_OF_DISTINCT: Mode.WARN,
    Code.OUTER_JOIN_UNDONE: Mode.WARN,
    Code.COUNTS_EMPTY_ROW: Mode.WARN,
    Code.INTEGER_DIVISION: Mode.WARN,
    Code.DAY_FOR_TIMESTAMP: Mode.WARN,
    Code.UNION_DROPS_ROWS: Mode.WARN,
    Code.TEXT_AS_NUMBER: Mode.WARN,
    Code.TEXT_AS_DAY: Mode.WARN,
    Code.UNORDERED_LIMIT: Mode.WARN,
}
"""Modes that differ from block."""
ALWAYS_BLOCKING = frozenset(
    {
        Code.SYNTAX_ERROR,
        Code.NOT_READ_ONLY,
        Code.TABLE_NOT_FOUND,
        Code.FIELD_NOT_FOUND,
        Code.AMBIGUOUS_FIELD,
        Code.FUNCTION_NOT_ALLOWED,
        Code.NOT_PERMITTED,
        Code.TOO_COMPLEX,
    }
)
"""Codes that block in every mode: the query can't or must not run."""

Columns = dict[str, tuple[str, ...]]
"""The columns that a caller may see, by table."""
_ANYBODY = Caller()
_REMEMBERED_ROLES = 256
_REMEMBERED_QUESTIONS = 1024
_REMEMBERED_SHAPES = 8192
_REMEMBERED_TEXTS = 1024
_NO_PURPOSES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Role:
    """The catalog for one set of permissions, and the shapes of calls that passed under it."""

    catalog: Catalog
    passed: dict[Shape, Columns] = field(default_factory=dict[Shape, Columns])

    def remember(self, shape: Shape, verdict: CheckedQuery) -> None:
        """Calls of this shape pass, unless this one has warnings."""
        if verdict.warnings or verdict.shadowed:
            return
        if len(self.passed) >= _REMEMBERED_SHAPES:
            self.passed.clear()
        self.passed[shape] = verdict.columns


@dataclass(frozen=True)
class Checker:
    """Checks calls against one catalog, for one engine."""

    catalog: Catalog
    dialect: str = "postgres"
    modes: Mapping[Code, Mode] = field(default_factory=lambda: DEFAULT_MODES)
    rules: tuple[Rule, ...] = RULES
    """All of them, but for a trial of what one of them is good for."""
    strict_names: bool = False
    """Without an ontology, a sum of what is a balance or a total by its name is refused; else it
    only warns."""
    namespace: tuple[str, ...] = ()
    """Where the tables are, such as ``("public",)``: written before each in a handed-out statement.
    Without one, the connection decides."""
    _roles: dict[Permissions, _Role] = field(
        default_factory=dict[Permissions, _Role], init=False, repr=False, compare=False
    )

    _texts: dict[Any, Statement] = field(
        default_factory=dict[Any, Statement], init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        """Raises ``UnknownDialectError`` immediately, not with the first query."""
        dialect_named(self.dialect)

    def check(
        self, call: Call | str | Mapping[str, Any], caller: Caller = _ANYBODY, question: str = ""
    ) -> CheckedQuery | Refusal:
        """The call as a checked query, or all its faults. Never raises.

        A text is SQL, a mapping is a call as JSON has it; anything else is refused. A refusal is
        false, a checked query true.
        """
        request = call_of(call, caller.language)
        if isinstance(request, Refusal):
            return request
        try:
            verdict = self._judge(request, caller, question)
        except OverBudgetError as error:
            problem = Problem(Code.TOO_COMPLEX, str(error))
            return Refusal(violations=(self._worded(problem, Mode.BLOCK, caller),))
        if isinstance(verdict, CheckedQuery):
            return verdict
        return self._with_correction(request, verdict, caller, question)

    def _with_correction(
        self, call: Call, refusal: Refusal, caller: Caller, question: str
    ) -> Refusal:
        """The refusal with the call that would pass, where one is found in time."""
        found = self.corrected(call, refusal, caller, question)
        return refusal if found is None else refusal.model_copy(update={"corrected_call": found})

    def corrected(
        self, call: Call, refusal: Refusal, caller: Caller = _ANYBODY, question: str = ""
    ) -> Call | None:
        """The call with every violation mended, if it passes without a warning and is found in
        time."""

        def passes(fixed: Call) -> bool:
            verdict = self._judge(fixed, caller, question)
            return isinstance(verdict, CheckedQuery) and not verdict.warnings

        try:
            with time_limit(DEFAULT_BUDGET.seconds / 2):
                visible = self.visible_to(caller)
                return repaired(call, refusal, self.dialect, visible, passes)
        except OverBudgetError:
            return None

    def visible_to(self, caller: Caller) -> Catalog:
        """The part of the catalog that this caller may see."""
        return self._role(caller.permissions).catalog

    def _role(self, permissions: Permissions) -> _Role:
        known = self._roles.get(permissions)
        if known is None:
            if len(self._roles) >= _REMEMBERED_ROLES:
                self._roles.clear()
            known = self._roles[permissions] = _Role(restrict(self.catalog, permissions))
        return known

    def _judge(self, call: Call, caller: Caller, question: str) -> CheckedQuery | Refusal:
        role = self._role(caller.permissions)
        purposes = self._purposes(question) if question else _NO_PURPOSES
        if isinstance(call, MetricCall):
            return self._judge_metrics(call, role.catalog, caller)
        if isinstance(call, SqlCall):
            with time_limit(DEFAULT_BUDGET.seconds):
                statement = facts_of_sql(call.sql, role.catalog, self._traits)
                facts, tree = statement.facts, statement.tree
                return self._apply(call, caller, role, purposes, facts, tree, question)
        return self._judge_table(call, caller, role, purposes)

    def _judge_table(
        self, call: TableCall, caller: Caller, role: _Role, purposes: frozenset[str]
    ) -> CheckedQuery | Refusal:
        table = role.catalog.table(call.table_name)
        shape = shape_of(call, table, caller.scope) if table is not None else None
        key = (shape, purposes, caller.scope.kind)
        columns = role.passed.get(key)
        if columns is not None:
            return self._passed(call, caller, columns)
        spelled = respelled(call)
        with time_limit(DEFAULT_BUDGET.seconds):
            facts = facts_of_call(spelled, role.catalog)
            verdict = self._apply(spelled, caller, role, purposes, facts)
        if isinstance(verdict, CheckedQuery) and shape is not None and spelled is call:
            role.remember(key, verdict)
        return verdict

    def _apply(
        self,
        call: Call,
        caller: Caller,
        role: _Role,
        purposes: frozenset[str],
        facts: Facts,
        tree: exp.Query | None = None,
        question: str = "",
    ) -> CheckedQuery | Refusal:
        strict = self.strict_names
        context = Context(facts, role.catalog, caller, self._traits, purposes, question, strict)
        problems: list[Problem] = []
        for rule in self.rules:
            problems.extend(rule(context))
            keep_time(now=True)
        columns = {use.table.name: tuple(use.table.columns) for use in facts.uses}
        if not problems:
            return self._passed(call, caller, columns, tree)
        found = [self._worded(each, self._mode(each), caller) for each in problems]
        blocking = _of(found, Mode.BLOCK)
        warnings, shadowed = _of(found, Mode.WARN), _of(found, Mode.SHADOW)
        if blocking:
            return Refusal(violations=blocking, warnings=warnings, shadowed=shadowed)
        return self._passed(call, caller, columns, tree, warnings, shadowed)

    def _judge_metrics(
        self, call: MetricCall, catalog: Catalog, caller: Caller
    ) -> CheckedQuery | Refusal:
        if catalog.metrics is None:
            problem = Problem(Code.METRIC_NOT_FOUND, ", ".join(call.metrics))
            return Refusal(violations=(self._worded(problem, Mode.BLOCK, caller),))
        violations = metric_violations(call, catalog.metrics, caller.language)
        if violations:
            return Refusal(violations=tuple(violations))
        return self._passed(call, caller, {})

    def _passed(
        self,
        call: Call,
        caller: Caller,
        columns: Columns,
        tree: exp.Query | None = None,
        warnings: tuple[Violation, ...] = (),
        shadowed: tuple[Violation, ...] = (),
    ) -> CheckedQuery:
        ontology_hash = self.catalog.ontology_hash
        trace = None
        if tree is not None and isinstance(call, SqlCall):
            trace = partial(lineage_of, tree)  # worked out for those queries that are run
        return CheckedQuery(
            SEAL,
            call,
            caller,
            ontology_hash,
            columns,
            tree,
            warnings,
            shadowed,
            self._write,
            trace,
        )

    def _write(self, checked: CheckedQuery, style: ParamStyle | None) -> Statement:
        """The statement, cached by call, style and rights: writing it and reading it back takes
        longer than checking it."""
        scope = checked.caller.scope
        rights = (
            tuple(sorted(scope.allowed.items())),
            scope.shared,
            tuple(checked.columns.items()),
        )
        key = (checked.call.model_dump_json(), style, rights)
        found = self._texts.get(key)
        if found is None:
            if len(self._texts) >= _REMEMBERED_TEXTS:
                self._texts.clear()
            found = host_statement(checked, self.catalog, self.dialect, style, self.namespace)
            self._texts[key] = found
        return found

    def _worded(self, problem: Problem, mode: Mode, caller: Caller) -> Violation:
        return worded(problem, mode, caller.language, self.dialect_title)

    def _mode(self, problem: Problem) -> Mode:
        if problem.code in ALWAYS_BLOCKING:
            return Mode.BLOCK
        mode = self.modes.get(problem.code, Mode.BLOCK)
        return Mode.WARN if problem.soft and mode is Mode.BLOCK else mode

    @property
    def dialect_title(self) -> str:
        """The title of its SQL dialect."""
        return self._traits.title

    @cached_property
    def _traits(self) -> Dialect:
        return dialect_named(self.dialect)

    @cached_property
    def _purposes(self) -> Callable[[str], frozenset[str]]:
        """Cached, as every call for a question is checked with the same question."""
        index = index_purposes(self.catalog.purposes)
        return lru_cache(_REMEMBERED_QUESTIONS)(partial(purposes_of, index))


def _of(found: list[Violation], mode: Mode) -> tuple[Violation, ...]:
    return tuple(each for each in found if each.mode is mode)
