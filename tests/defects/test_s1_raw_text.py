"""S1: text of a statement that sqlglot writes as it is must never become SQL."""

from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from veridical.check.checker import Checker
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.schema import Column, Schema, Table, ValueType
from veridical.ontology.compile import compile_catalog
from veridical.statement.emit import written
from veridical.statement.errors import EngineError
from veridical.statement.scope import Ground, apply_scope, scope_shape

CASES = Path(__file__).parent / "cases"
COLUMNS = {
    "tenant": ValueType.TEXT,
    "n": ValueType.INTEGER,
    "note": ValueType.TEXT,
    "total": ValueType.NUMBER,
    "day": ValueType.DATE,
}
CATALOG = compile_catalog(
    Schema.of([Table("invoice", tuple(Column(*each) for each in COLUMNS.items()), keys=(("n",),))])
)
ALPHA = Caller(scope=Scope({"tenant": ("alpha",)}))


def lines(name: str) -> list[tuple[str, str]]:
    """The dialect and the statement of each line."""
    text = (CASES / name).read_text("utf-8").splitlines()
    rows = [line.partition(" | ") for line in text if line and not line.startswith("#")]
    return [(dialect, sql) for dialect, _, sql in rows]


@pytest.mark.parametrize(("dialect", "sql"), lines("raw_text_reject.txt"))
def test_s1_the_check_refuses_it(dialect: str, sql: str) -> None:
    assert not Checker(CATALOG, dialect).check(SqlCall(sql=sql), ALPHA)


@pytest.mark.parametrize(("dialect", "sql"), lines("raw_text_accept.txt"))
def test_s1_its_honest_twin_passes_and_is_scoped(dialect: str, sql: str) -> None:
    verdict = Checker(CATALOG, dialect).check(SqlCall(sql=sql), ALPHA)
    assert verdict, verdict.violations
    assert "alpha" in verdict.parameters


@pytest.mark.parametrize(("dialect", "sql"), lines("raw_text_reject.txt"))
def test_s1_what_the_check_would_miss_is_stopped_when_it_is_written(dialect: str, sql: str) -> None:
    """Without the check: the text either stays what it was, or is not run."""
    tree = sqlglot.parse_one(sql, read=dialect)
    assert isinstance(tree, exp.Query)
    columns = {"invoice": frozenset(COLUMNS)}
    ground = Ground(("books",), columns, {"invoice": tuple(COLUMNS)})
    scoped = apply_scope(tree, scope_shape(ALPHA.scope, frozenset()), ground, 1)
    mentions = len(scoped.tables)
    try:
        text = written(scoped.tree, dialect)
    except EngineError:
        return  # not run
    read = sqlglot.parse(text, read=dialect)
    assert len(read) == 1
    assert read[0] is not None
    assert len([each for each in read[0].find_all(exp.Table) if each.db]) == mentions
