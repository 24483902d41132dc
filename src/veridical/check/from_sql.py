"""A SQL statement to facts, with every name in its tree resolved."""

import logging
from dataclasses import dataclass

from sqlglot import exp

from veridical.check.dialects import Dialect
from veridical.check.facts import Facts, Problem
from veridical.check.sql.forms import refused_form
from veridical.check.sql.parse import forbidden_part, parse
from veridical.check.sql.query import read_query
from veridical.check.sql.scope import Work
from veridical.check.sql.sizes import unbounded_part
from veridical.contracts.input_budget import OverBudgetError
from veridical.contracts.violation import Code
from veridical.ontology.catalog import Catalog

_log = logging.getLogger("veridical.check")


@dataclass(frozen=True, slots=True)
class ReadStatement:
    """The facts of a statement, and its tree; no tree when it could not be read."""

    facts: Facts
    tree: exp.Query | None


def facts_of_sql(sql: str, catalog: Catalog, dialect: Dialect) -> ReadStatement:
    """The facts of this statement; its errors become problems among them."""
    parsed = parse(sql, dialect.name)
    if isinstance(parsed, Problem):
        return ReadStatement(Facts(problems=[parsed]), None)
    tree = parsed.tree
    work = Work(catalog, dialect, double_quoted=parsed.double_quoted, crosses=parsed.crosses)
    work.facts.functions = parsed.functions
    work.facts.sql = sql
    nodes = parsed.nodes
    types = parsed.types
    forbidden = (
        forbidden_part(nodes, types) or refused_form(nodes) or unbounded_part(tree, nodes, types)
    )
    if forbidden is not None:
        work.facts.problems.append(forbidden)
        return ReadStatement(work.facts, None)
    try:
        shown = read_query(work, tree, {}, None)
        work.facts.shown_terms = [(each.name, each.terms) for each in shown.outputs]
    except OverBudgetError as error:
        work.facts.problems.append(Problem(Code.TOO_COMPLEX, str(error)))
        return ReadStatement(work.facts, None)
    except RecursionError:
        work.problem(Code.TOO_COMPLEX, "nesting")
        return ReadStatement(work.facts, None)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        # A form of SQL that was not foreseen is refused; the fault is ours, so it is logged.
        _log.exception("can't read a statement that sqlglot parses")
        work.problem(Code.SYNTAX_ERROR, "?")
        return ReadStatement(work.facts, None)
    return ReadStatement(work.facts, tree)
