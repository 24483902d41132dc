"""The database's own reason why a statement could not be run, made safe to show.

Only errors found while parsing a statement are used, before any row was read: such a text quotes
the statement alone. Hints, positions and candidates after the first line are left out, since they
may name hidden things. Quotations and names stay only if the statement has them; addresses and
paths never do.
"""

import re
from collections.abc import Collection, Iterator, Mapping

from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.statement.errors import EngineError

_LONGEST = 160
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"|`([^`]*)`|‘([^’]*)’")
_STRAY = re.compile(r"(?<![A-Za-z])['\"`‘’]|['\"`‘’](?![A-Za-z])")
_GLUED = re.compile(r"^\w['\"`‘]|['\"`’]\w$")
_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\S+")
_PLACE = re.compile(r"[/\\@]|\d+(?:\.\d+){2,}|\w:\d")
_NAMELIKE = re.compile(r"[\d_]|[^\x00-\x7f…]")
_SAYS_SOMETHING = re.compile(r"[A-Za-z]{3}")
_LOOSE = re.compile(r" ([.,:;!?)])")
_LEFT_OUT = "…"
_SEVERAL_LEFT_OUT = re.compile(rf"{_LEFT_OUT}(?:\s*{_LEFT_OUT})+")


def safe_reason(text: str, statement: str) -> str:
    """The first line of a database's text, limited to words of the statement; may be empty."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    known = frozenset(_WORD.findall(statement.casefold()))
    reason = _SEVERAL_LEFT_OUT.sub(_LEFT_OUT, " ".join(_pieces(first, known)))
    reason = _LOOSE.sub(r"\1", reason)[:_LONGEST].strip(" .!:;,")
    return reason if _SAYS_SOMETHING.search(reason) else ""


def for_caller(
    error: EngineError,
    checked: CheckedQuery,
    places: Mapping[str, tuple[str, ...]],
    columns: Mapping[str, Collection[str]],
) -> EngineError:
    """The error without the host's own names: namespaces, and tables and columns that this caller
    neither sees nor wrote."""
    if not error.reason:
        return error
    written = checked.call.sql if isinstance(checked.call, SqlCall) else ""
    seen = _folded(*checked.columns.items()) | set(_WORD.findall(written.casefold()))
    hidden = _folded(*columns.items(), *places.items()) - seen

    def shown(found: re.Match[str]) -> str:
        return _LEFT_OUT if found[0].casefold() in hidden else found[0]

    return EngineError(error.problem, reason=_WORD.sub(shown, error.reason), **error.values)


def _folded(*named: tuple[str, Collection[str]]) -> set[str]:
    return {word.casefold() for name, names in named for word in (name, *names)}


def _pieces(line: str, known: frozenset[str]) -> Iterator[str]:
    """The safe parts of a line: its quotations, and the words between them."""
    end = 0
    for found in (*_QUOTED.finditer(line), None):
        between = line[end : found.start() if found else len(line)]
        if _STRAY.search(between):  # of a quotation that has a quotation mark in it
            yield _LEFT_OUT
        else:
            yield from (_token(token, known) for token in _TOKEN.findall(between))
        if found is None:
            return
        if _GLUED.search(line[max(0, found.start() - 1) : found.end() + 1]):
            yield _LEFT_OUT  # the end of a quotation is unclear: 'it's'
            return
        yield _quoted(found, known)
        end = found.end()


def _quoted(found: re.Match[str], known: frozenset[str]) -> str:
    inner = next((group for group in found.groups() if group is not None), "")
    stands = not _PLACE.search(inner) and known.issuperset(_WORD.findall(inner.casefold()))
    return found[0] if stands else _LEFT_OUT


def _token(token: str, known: frozenset[str]) -> str:
    if _PLACE.search(token):
        return _LEFT_OUT
    unknown = (word for word in _WORD.findall(token) if word.casefold() not in known)
    return _LEFT_OUT if any(map(_NAMELIKE.search, unknown)) else token
