"""``missing``, ``absent``, ``basis``, ``quote``: what the results lack, and what they rest on."""

from veridical.contracts.result import Emptiness
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Claim, Fact, Touched, key_of, listed, named, plain
from veridical.facts.forms.built import Frames, counted, fact_of, needs
from veridical.facts.kernel.frame import Frame
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.naming import names_in
from veridical.facts.scope import Scoped, measured, measures_of, scoped

_SHORTEST_QUOTE = 3
_NONE = ("none", "missing")
_WITHHELD = {
    Emptiness.NOT_PERMITTED: "missing.forbidden",
    Emptiness.VALUE_UNKNOWN: "missing.unknown",
}
"""Results that are empty although there may be data."""


def missing(arguments: Arguments, frames: Frames) -> Fact:
    """The rows without a value, or that a result has none. Raises ``FactError``."""
    scope = scoped(arguments, frames)
    if not arguments.measures:
        return _empty(scope)
    measures = measures_of(scope)
    found = measured(measures[0], scope)
    pairs = zip(scope.rows, found.vector.values, strict=True)
    rows = [row for row, cell in pairs if cell is None]
    names, n, of = names_in(scope, rows), len(rows), len(scope.rows)
    parts = {"n": counted(n), "of": counted(of), "rows": listed(names), "rest": counted(of - n)}
    if n == 1:
        parts["row"] = names[0]
    return fact_of(
        scope, "missing.some" if rows else "missing.none", parts, measures,
        {"measure": measures[0].text}, {"n": n, "of": of, "rows": [key_of(name) for name in names]},
        (_NONE, ()), label=found.label,
    )  # fmt: skip


def _empty(scope: Scoped) -> Fact:
    """Whether a result has any value at all, and if not, why."""
    table = scope.frame.table
    n = sum(any(cell is not None for cell in table.rows[row]) for row in scope.rows)
    of, why = len(scope.of), _WITHHELD.get(table.emptiness) if table.emptiness else None
    template = why or ("missing.filled" if n else "missing.empty")
    shows = (_NONE, ()) if template == "missing.empty" else ((), ("none",))
    return fact_of(
        scope, template, {"n": counted(n), "of": counted(of)}, (), {}, {"n": n, "of": of}, shows,
        frame=scope.frame, condition=scope.condition,
    )  # fmt: skip


def absent(arguments: Arguments, frames: Frames) -> Fact:
    """That no result has a column for something; its name is its author's. Raises
    ``FactError``."""
    needs(arguments, "what")
    columns = {plain(name) for frame in frames.values() for name in frame.columns}
    if plain(arguments.what) in columns:
        raise FactError(Reason.PRESENT, arguments.what)
    what = {"what": named(arguments.what)}
    claim = Claim("absent", "", {"what": arguments.what}, {}, frozenset(_NONE))
    return Fact("absent", claim, "absent", {}, what, results=frozenset(frames))


def basis(arguments: Arguments, frames: Frames) -> Fact:
    """The basis of the figures: rows, filters, period. Raises ``FactError``."""
    scope = scoped(arguments, frames)
    held = scope.frame.table.held
    parts = {"n": counted(len(scope.rows)), "of": counted(len(scope.of))}
    parts |= {plain(key): named(str(cell)) for key, cell in held.items() if cell is not None}
    return fact_of(scope, "basis", parts, (), {}, {"n": len(scope.rows)}, frame=scope.frame)


def quote(arguments: Arguments, frames: Frames) -> Fact:
    """The words of a document, copied from it. Raises ``FactError``."""
    needs(arguments, "text")
    wanted = " ".join(arguments.text.split())
    if len(wanted) < _SHORTEST_QUOTE:
        raise FactError(Reason.ARGUMENT, "text")
    among = [frames[arguments.result]] if arguments.result in frames else list(frames.values())
    for frame in among:
        for row, cells in enumerate(frame.table.rows):
            for at, cell in enumerate(cells):
                text = " ".join(cell.split()) if isinstance(cell, str) else ""
                start = text.casefold().find(wanted.casefold())
                if start >= 0:
                    return _quoted(frame, row, at, text[start : start + len(wanted)])
    raise FactError(Reason.NO_ROW, wanted[:60])


def _quoted(frame: Frame, row: int, at: int, text: str) -> Fact:
    name, table = frame.columns[at], frame.table
    source = next((str(cell) for place, cell in enumerate(table.rows[row])
                   if place != at and isinstance(cell, str)), table.title)  # fmt: skip
    claim = Claim("quote", table.name, {"text": text}, {"row": row, "column": name})
    parts = {"text": named(text), "value": named(text), "source": named(source or table.name)}
    cells = (Touched(table.name, (row,), frozenset({name})),)
    return Fact("quote", claim, "quote", {}, parts, results=frame.results, cells=cells)
