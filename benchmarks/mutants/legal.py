"""Right calls with the questions they answer: templates in ``legal/``, filled in many ways."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from random import Random
from string import Template

import sqlglot
from sqlglot import exp

from benchmarks.mutants.callers import AUDIENCES, SEVERAL, SINGLE, Audience
from benchmarks.mutants.oracle import naive_sql
from benchmarks.mutants.pools import Values, combinations
from benchmarks.mutants.spelling import STYLES, quoted
from veridical.contracts.call import AggregateCall, Call, Filter, QueryCall, SqlCall, parse_call
from veridical.contracts.language import Language
from veridical.packs.trustee import pack

TEMPLATES = Path(__file__).parent / "legal"
PER_TEMPLATE = 20
_LANGUAGES = (Language.DE, Language.EN, Language.ZH)


@dataclass(frozen=True)
class Case:
    """One call by one caller: the text the check sees, and the SQL that the oracle runs."""

    call: Call
    sql: str
    audience: Audience
    question: str
    about: str
    language: Language
    style: int = 0
    kept: tuple[int, ...] | None = None
    """For a mutant that shows fewer columns: those of the right result that it still shows."""

    @cached_property
    def tree(self) -> exp.Query:
        """The oracle's SQL, parsed. Copy before changing."""
        return sqlglot.parse_one(self.sql, dialect="postgres")  # type: ignore[return-value]

    @property
    def text(self) -> str:
        """What tells this call from others."""
        if isinstance(self.call, SqlCall):
            return self.call.sql
        return self.call.model_dump_json(by_alias=True)


@dataclass(frozen=True, slots=True)
class _Template:
    body: str
    heads: dict[str, str]
    over: tuple[str, ...] = field(default=())


def sql_case(case: Case, sql: str | exp.Expr, kept: tuple[int, ...] | None = None) -> Case:
    """The same question by the same caller, asked with this quoted SQL."""
    text = sql if isinstance(sql, str) else sql.sql("postgres")
    return replace(case, call=SqlCall(sql=STYLES[case.style](text)), sql=text, kept=kept)


def call_case(case: Case, call: Call, kept: tuple[int, ...] | None = None) -> Case:
    """The same question by the same caller, asked with this structured call."""
    return replace(case, call=call, sql=naive_sql(call), kept=kept)


def legal_cases() -> Iterator[Case]:
    """More than 2,000 distinct calls, the same in every run."""
    seen: set[str] = set()
    for file in sorted(TEMPLATES.glob("*.txt")):
        for template in _templates(file):
            for case in _filled(template):
                if case.text not in seen:
                    seen.add(case.text)
                    yield case


def _templates(file: Path) -> Iterator[_Template]:
    for block in file.read_text("utf-8").strip().split("\n\n"):
        *lines, body = block.splitlines()
        heads = dict(line.split(": ", 1) for line in lines)
        yield _Template(body, heads, tuple(heads.get("over", "").split()))


def _filled(template: _Template) -> Iterator[Case]:
    ways = combinations(template.over)
    chance = Random(template.body)  # a string seeds the same way in every run
    chance.shuffle(ways)
    audiences = _audiences(template.heads.get("tenants", "any"))
    for index in range(min(PER_TEMPLATE, len(ways) * len(STYLES))):
        values = ways[index % len(ways)]
        style = (index + index // len(ways)) % len(STYLES)
        yield _case(template, values, audiences[index % len(audiences)], index, style)


def _audiences(tenants: str) -> tuple[Audience, ...]:
    if tenants == "one":
        return SINGLE
    return SEVERAL if tenants == "grouped" else tuple(AUDIENCES.values())


def _case(template: _Template, values: Values, audience: Audience, index: int, style: int) -> Case:
    language = _LANGUAGES[index % len(_LANGUAGES)]
    heads = template.heads
    question = Template(heads[language.value]).substitute(values)
    body = Template(template.body).substitute(values)
    pins = audience.pins if heads.get("tenants") != "grouped" else ()
    pin = pins[index // len(AUDIENCES) % len(pins)] if pins else {}
    if body.startswith("{"):
        call = _pinned_call(parse_call(json.loads(body)), pin)
        return Case(call, naive_sql(call), audience, question, heads["about"], language)
    sql = quoted(body)
    if pin:
        sql = _pinned_sql(sql, pin)
    call = SqlCall(sql=STYLES[style](sql))
    return Case(call, sql, audience, question, heads["about"], language, style)


def _pinned_call(call: Call, pin: dict[str, str]) -> Call:
    if not isinstance(call, QueryCall | AggregateCall) or call.table_name in pack.shared_tables:
        return call
    chosen = tuple(Filter(field=name, value=value) for name, value in pin.items())
    return call.model_copy(update={"filters": (*chosen, *call.filters)})


def _pinned_sql(sql: str, pin: dict[str, str]) -> str:
    """Each SELECT over a tenant's table says whose rows it means."""
    tree = sqlglot.parse_one(sql, dialect="postgres")
    for select in list(tree.find_all(exp.Select)):
        for source in _tenant_sources(select):
            for name, value in pin.items():
                column = exp.column(name, source.alias or None, quoted=True)
                if source.alias:
                    column.args["table"].set("quoted", False)
                _require(select, column.eq(exp.Literal.string(value)))
    return tree.sql("postgres")


def _require(select: exp.Select, condition: exp.Expr) -> None:
    where = select.args.get("where")
    if where is None:
        select.where(condition, copy=False)
        return
    before = exp.paren(where.this) if isinstance(where.this, exp.Or) else where.this
    where.set("this", exp.And(this=before, expression=condition))


def _tenant_sources(select: exp.Select) -> Iterator[exp.Table]:
    """What it reads from first, and every use of a table that demands one tenant."""
    first = select.args.get("from_")
    joined = [join.this for join in select.args.get("joins") or () if not join.side]
    for index, source in enumerate([first.this, *joined] if first else []):
        if isinstance(source, exp.Table) and source.name in pack.tenant_columns:
            demands = source.name == "TrusteeDataAccountBalance"
            if index == 0 or demands:
                yield source
