"""Names with capitals, quoted for PostgreSQL or written as models write them."""

import re
from collections.abc import Callable

_CAPITALISED = r"\b(?:[a-z]+[A-Z]\w*|TrusteeData\w+)\b"
_BARE = re.compile(rf"'(?:[^']|'')*'|\"[^\"]*\"|{_CAPITALISED}")
_QUOTED = re.compile(rf"'(?:[^']|'')*'|\"({_CAPITALISED})\"")
_CLAUSES = re.compile(r" (?=(?:FROM|WHERE|GROUP BY|ORDER BY|HAVING|UNION|LEFT JOIN|JOIN) )")


def quoted(sql: str) -> str:
    """Every name with a capital in double quotes."""
    return _BARE.sub(lambda found: _in_quotes(found[0]), sql)


def _in_quotes(word: str) -> str:
    return word if word[0] in "'\"" else f'"{word}"'


def bare(sql: str) -> str:
    """The same names without quotes."""
    return _QUOTED.sub(lambda found: found[1] or found[0], sql)


def lowered(sql: str) -> str:
    """The same names without quotes and without capitals, as PostgreSQL folds them."""
    return _QUOTED.sub(lambda found: found[1].lower() if found[1] else found[0], sql)


def laid_out(sql: str) -> str:
    """One clause a line, with a semicolon."""
    return _CLAUSES.sub("\n", sql) + ";"


def _as_it_is(sql: str) -> str:
    return sql


STYLES: tuple[Callable[[str], str], ...] = (_as_it_is, bare, laid_out, lowered)
"""How the text given to the check is spelled; the oracle always runs the quoted text."""
