"""The tenant's ids that a file for others leaves out, wherever the host put them beside an answer:
in queries, calls, receipts, results and grounds. What the answer itself says stays."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from sqlglot import exp, parse_one

from veridical.console.answer_view import AnswerView
from veridical.contracts.answer import Source
from veridical.contracts.caller import ScopeValue
from veridical.messages import message
from veridical.statement.reader import GRAMMARS, PARSE_ERRORS

_SHORTEST = 3
"""A shorter text, or a number, is an id only beside its column: it may be anything else."""
_BESIDE = frozenset({"sql", "lineage", "parameters"})
"""What a receipt leaves out: the query stands beside it, with its values in it."""


@dataclass(frozen=True, slots=True)
class Withheld:
    """Leaves out the ids of a tenant."""

    mark: str
    """What stands in place of an id."""
    columns: frozenset[str]
    """The tenant columns, folded."""
    shown: frozenset[str]
    """The ids that the answer says itself."""
    anywhere: re.Pattern[str] | None
    """An id that is one wherever it stands."""
    beside: re.Pattern[str] | None
    """A value that stands beside a tenant column."""

    def text(self, text: str) -> str:
        """The text without ids."""
        if self.anywhere is not None:
            text = self.anywhere.sub(self.mark, text)
        return self.beside.sub(self._value, text) if self.beside is not None else text

    def sql(self, text: str, dialect: str) -> str:
        """The statement without ids: as it was written where it has none."""
        try:
            tree = parse_one(text, dialect=dialect) if dialect in GRAMMARS else None
        except PARSE_ERRORS:
            tree = None
        if tree is None or not self._replace(tree):
            return self.text(text)
        return self.text(tree.sql(dialect=dialect, pretty=True))

    def call(self, arguments: Any, dialect: str) -> Any:
        """The arguments of a call without ids."""
        if isinstance(arguments, str):
            has_clauses = "select" in arguments.casefold()
            return self.sql(arguments, dialect) if has_clauses else self.text(arguments)
        if isinstance(arguments, list):
            return [self.call(each, dialect) for each in cast("list[Any]", arguments)]
        if not isinstance(arguments, dict):
            return arguments
        found = cast("dict[str, Any]", arguments)
        if self._is_tenant(found.get("field")):
            kept = {key: self._every(each) for key, each in found.items() if "value" in key}
            return {**found, **kept}
        return {
            key: self._every(each) if self._is_tenant(key) else self.call(each, dialect)
            for key, each in found.items()
        }

    def receipt(self, source: Source, dialect: str) -> dict[str, Any]:
        """What the host recorded about a call, without its query, which stands beside it. The
        digest of a call with ids is left out too: whoever knows the rest could try them all."""
        recorded = source.receipt.model_dump(
            mode="json", by_alias=True, exclude_none=True, exclude=set(_BESIDE)
        )
        if self.call(source.arguments, dialect) != source.arguments:
            del recorded["queryHash"]
        return self.call(recorded, dialect)

    def rows(self, source: Source, dialect: str) -> list[list[Any]]:
        """The rows of a result without ids."""
        hidden = {*self.columns, *self._aliases(source.receipt.sql, dialect)}
        is_hidden = [name.casefold() in hidden for name in source.columns]
        return [
            [
                self._every(value)
                if here
                else self.text(value)
                if isinstance(value, str)
                else value
                for value, here in zip(row, is_hidden, strict=True)
            ]
            for row in source.rows
        ]

    def _is_tenant(self, name: object) -> bool:
        return isinstance(name, str) and name.rpartition(".")[2].casefold() in self.columns

    def _every(self, value: Any) -> Any:
        """A value of a tenant column."""
        if isinstance(value, list):
            return [self._every(each) for each in cast("list[Any]", value)]
        return value if value is None or str(value) in self.shown else self.mark

    def _value(self, found: re.Match[str]) -> str:
        return found[0] if found["id"] in self.shown else f"{found['before']}{self.mark}"

    def _replace(self, tree: exp.Expr) -> bool:
        """Leaves out what is compared with a tenant column, and texts that are ids."""
        literals = {id(each): each for each in self._compared(tree)}
        for each in tree.find_all(exp.Literal):
            if self.anywhere is not None and self.anywhere.fullmatch(each.name):
                literals[id(each)] = each
        for each in literals.values():
            each.replace(exp.Var(this=self.mark))
        return bool(literals)

    def _compared(self, tree: exp.Expr) -> Iterator[exp.Literal]:
        for column in tree.find_all(exp.Column):
            if not self._is_tenant(column.name):
                continue
            around = column.find_ancestor(exp.Predicate, exp.Query)
            if isinstance(around, exp.Predicate):
                for each in around.find_all(exp.Literal):
                    if each.name not in self.shown and each.parent_select is column.parent_select:
                        yield each

    def _aliases(self, sql: str, dialect: str) -> set[str]:
        """The names of a result's columns that are tenant columns under another name."""
        try:
            tree = parse_one(sql, dialect=dialect) if dialect in GRAMMARS else None
        except PARSE_ERRORS:
            tree = None
        selects = tree.selects if isinstance(tree, exp.Query) else []
        return {
            each.alias_or_name.casefold()
            for each in selects
            if isinstance(each.unalias(), exp.Column) and self._is_tenant(each.unalias().name)
        }


def withheld(
    view: AnswerView, question: str, tenant: str, scope: Mapping[str, Iterable[ScopeValue]]
) -> Withheld:
    """What a file about this answer leaves out, for a tenant with this scope."""
    visible_text = "\n".join((question, tenant, *_answer_texts(view)))
    ids = {str(value) for values in scope.values() for value in values}
    unsaid = {each for each in ids if not _whole([each]).search(visible_text)}
    texts = {each for each in ids if len(each) >= _SHORTEST and not each.isdecimal()}
    return Withheld(
        mark=message("signed.withheld", view.answer.language),
        columns=frozenset(name.casefold() for name in scope),
        shown=frozenset(texts - unsaid),
        anywhere=_whole(texts & unsaid) if texts & unsaid else None,
        beside=_beside(scope, ids) if scope and ids else None,
    )


def _answer_texts(view: AnswerView) -> Iterator[str]:
    """The answer as it is read, without what is behind it."""
    yield view.answer.text
    pieces = [piece for each in view.passages for piece in each.pieces]
    yield from (each.text for each in pieces)
    lead = (view.lead.table,) if view.lead is not None else ()
    for table in (*lead, *(each.table for each in pieces)):
        if table is not None:
            yield from (each.text for row in table.rows for each in row)


def _whole(ids: Iterable[str]) -> re.Pattern[str]:
    """One of these texts, but no part of a longer word."""
    return re.compile(rf"(?<![\w-])(?:{_any(ids)})(?![\w-])")


def _beside(columns: Iterable[str], ids: Iterable[str]) -> re.Pattern[str]:
    """An id after its column: ``"tenant" = 7``, ``tenant[1020] = 7``, ``tenant IN (7``."""
    return re.compile(
        rf"(?P<before>(?<!\w)(?i:{_any(columns)})[\"'`\]]*(?:\[[^\]]*\])?\s*"
        rf"(?:=|:|(?i:in)\s*\()\s*[\"']?)(?P<id>{_any(ids)})(?![\w-])"
    )


def _any(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(texts, key=len, reverse=True)))
