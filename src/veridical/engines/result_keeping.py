"""Which results may be used again, under which key, and for how long."""

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlglot import exp

from veridical.contracts.checked import CheckedQuery
from veridical.contracts.keep import KeepSettings
from veridical.contracts.result import Emptiness
from veridical.contracts.statement import Statement
from veridical.engines.database import Database, HasVersion
from veridical.engines.kept_results import KeptResult, KeptResults, ResultKey
from veridical.engines.limits import Fetched, Limits

_FORM = 1
"""The form of keys and results: raised when either changes."""
_MEGABYTE = 1_000_000
_CERTAIN = frozenset({None, Emptiness.NO_MATCH, Emptiness.VALUE_UNKNOWN})
_CLOCK_WORD = re.compile(r"(?i)\b(now|today|yesterday|tomorrow)\b")
"""Texts that databases read as moments."""
_UNREPEATABLE = frozenset(
    {"now", "today", "yesterday", "age", "rand", "random", "randn", "uniform", "uuid"}
    | {"changes", "localtime", "localtimestamp"}
)
"""Functions with another value each time, beside those that take no arguments."""


@dataclass(frozen=True, slots=True)
class ResultUse:
    """One statement's use of what is kept."""

    results: KeptResults
    key: ResultKey
    longest: timedelta
    most_bytes: int

    def find(self) -> KeptResult | None:
        """The rows of the same statement, if they may be used again."""
        return self.results.find(self.key, self.longest)

    def keep(self, fetched: Fetched, emptiness: Emptiness | None, began: datetime) -> None:
        """Keep these rows if they are all of them, and certain."""
        if not fetched.truncated and emptiness in _CERTAIN:
            found = KeptResult(fetched, emptiness, began)
            self.results.keep(self.key, found, self.longest, self.most_bytes)


@dataclass(frozen=True, slots=True)
class ResultKeeping:
    """How the results of one feature on one database are kept."""

    results: KeptResults
    settings: KeepSettings
    feature: str
    source: str
    """The identity of the database: its address and the role, without a password."""

    def of(
        self, statement: Statement, checked: CheckedQuery, database: Database, limits: Limits
    ) -> ResultUse | None:
        """The use for this statement; none where its rows may not be used again."""
        if not self.settings.is_set or not is_repeatable(statement, checked.tree):
            return None
        version = database.data_version() if isinstance(database, HasVersion) else None
        minutes = self.settings.minutes_of(checked.columns, has_version=version is not None)
        if not minutes:
            return None
        content = (self.feature, self.source, version, limits.bytes)
        digest = _digest(statement, checked, *content)
        key = ResultKey(checked.caller.member_of, self.feature, digest)
        most_bytes = self.settings.most_megabytes * _MEGABYTE
        return ResultUse(self.results, key, timedelta(minutes=minutes), most_bytes)


def is_repeatable(statement: Statement, tree: exp.Query | None) -> bool:
    """True unless the statement may ask for the clock or for chance."""
    values: list[object] = list(statement.parameters)
    for node in tree.walk() if tree is not None else ():
        if isinstance(node, exp.Literal):
            values.append(node.this)
        elif isinstance(node, exp.Func) and _varies(node):
            return False
    return not any(isinstance(each, str) and _CLOCK_WORD.search(each) for each in values)


def _varies(function: exp.Func) -> bool:
    if isinstance(function, exp.AggFunc) or isinstance(function.parent, exp.Window):
        return False
    names = set(_names(function))
    if names & _UNREPEATABLE or any(name.startswith("current") for name in names):
        return True
    if isinstance(function, exp.Connector | exp.Case | exp.Array):
        return False
    return not any(function.iter_expressions())


def _names(function: exp.Func) -> list[str]:
    if isinstance(function, exp.Anonymous):
        return [function.name.casefold()]
    return [name.casefold() for name in type(function).sql_names()]


def _digest(statement: Statement, checked: CheckedQuery, *more: object) -> str:
    """The identity of everything that decides the rows, in one text that nothing else has."""
    caller = checked.caller
    scope, permissions = caller.scope, caller.permissions
    content = [
        _FORM,
        *more,
        statement.sql,
        [_typed(each) for each in statement.parameters],
        checked.ontology_hash,
        sorted((name, list(columns)) for name, columns in checked.columns.items()),
        caller.member_of,
        sorted((name, [_typed(each) for each in own]) for name, own in scope.allowed.items()),
        sorted(scope.shared),
        sorted(permissions.allow),
        sorted(permissions.deny),
    ]
    return hashlib.sha256(json.dumps(content).encode("utf-8", "surrogatepass")).hexdigest()


def _typed(value: object) -> list[str]:
    """1, true and "1" are three values."""
    return [type(value).__name__, str(value)]
