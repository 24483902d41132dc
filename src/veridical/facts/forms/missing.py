"""``missing``, ``absent``, ``basis``, ``quote``: what the results lack, and what they rest on."""

from veridical.evidence.column import CellKind
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Claim, Fact, Part, Role, Touched, key_of, listed, plain
from veridical.facts.forms.built import Frames, claim_of, counted, fact_of, needs
from veridical.facts.kernel.frame import Frame
from veridical.facts.kernel.value import FactError, Reason, Value
from veridical.facts.naming import names_in
from veridical.facts.population import population
from veridical.facts.scope import (
    measured,
    measures_of,
    scoped,
)

_SHORTEST_QUOTE = 3


def missing(arguments: Arguments, frames: Frames) -> Fact:
    """The rows without a value, or that a result has none. Raises ``FactError``."""
    scope = scoped(arguments, frames)
    if not arguments.measures:
        return _empty(arguments, frames)
    measures = measures_of(scope)
    found = measured(measures[0], scope)
    pairs = zip(scope.rows, found.vector.values, strict=True)
    rows = [row for row, cell in pairs if cell is None]
    names = names_in(scope, rows)
    parts = {"n": counted(len(rows)), "of": counted(len(scope.rows)), "rows": listed(names),
             "rest": counted(len(scope.rows) - len(rows))}  # fmt: skip
    if len(names) == 1:
        parts["row"] = names[0]
    claim = claim_of(
        "missing", scope, {"measure": measures[0].text},
        {"n": len(rows), "of": len(scope.rows), "rows": [key_of(name) for name in names]},
        ("none", "missing"),
    )  # fmt: skip
    words = {**parts, "label": found.label, "population": population(scope)}
    template = "missing.none" if not rows else "missing.some"
    return fact_of(scope, claim, template, words, parts, measures)


def _empty(arguments: Arguments, frames: Frames) -> Fact:
    """Whether a result has rows at all."""
    scope = scoped(arguments, frames)
    count = len(scope.rows)
    parts = {"n": counted(count), "of": counted(len(scope.of))}
    shown = ((), ("none",)) if count else (("none", "missing"), ())
    claim = claim_of("missing", scope, {}, {"n": count, "of": len(scope.of)}, *shown)
    words = {**parts, "population": population(scope), "frame": scope.frame,
             "condition": scope.condition}  # fmt: skip
    return fact_of(scope, claim, "empty.no" if count else "empty.yes", words, parts, ())


def absent(arguments: Arguments, frames: Frames) -> Fact:
    """That no result has a column for something; its name is its author's. Raises
    ``FactError``."""
    needs(arguments, "what")
    wanted = plain(arguments.what)
    columns = [(frame.table.name, name) for frame in frames.values() for name in frame.columns]
    if any(plain(name) == wanted for _, name in columns):
        raise FactError(Reason.PRESENT, arguments.what)
    what = Part(Role.NAME, Value(CellKind.NAME, arguments.what))
    names = [name for _, name in dict.fromkeys(columns)]
    claim = Claim("absent", "", {"what": arguments.what}, {}, frozenset({"none", "missing"}))
    words = {"what": what, "columns": tuple(dict.fromkeys(names))}
    return Fact("absent", claim, "absent", words, {"what": what}, results=frozenset(frames))


def basis(arguments: Arguments, frames: Frames) -> Fact:
    """The basis of the figures: rows, filters, period. Raises ``FactError``."""
    scope = scoped(arguments, frames)
    parts = {"n": counted(len(scope.rows)), "of": counted(len(scope.of))}
    parts |= _held(scope.frame)
    claim = claim_of("basis", scope, {}, {"n": len(scope.rows)})
    words = {"n": parts["n"], "population": population(scope), "frame": scope.frame}
    return fact_of(scope, claim, "basis", words, parts, ())


def _held(frame: Frame) -> dict[str, Part]:
    return {plain(key): Part(Role.NAME, Value(CellKind.NAME, str(cell)))
            for key, cell in frame.table.held.items() if cell is not None}  # fmt: skip


def quote(arguments: Arguments, frames: Frames) -> Fact:
    """The words of a document, copied from it. Raises ``FactError``."""
    needs(arguments, "text")
    wanted = " ".join(arguments.text.split())
    if len(wanted) < _SHORTEST_QUOTE:
        raise FactError(Reason.ARGUMENT, "text")
    among = [frames[arguments.result]] if arguments.result in frames else list(frames.values())
    for frame in among:
        for row, at, text in _texts(frame):
            start = text.casefold().find(wanted.casefold())
            if start >= 0:
                return _quoted(frame, row, at, text[start : start + len(wanted)])
    raise FactError(Reason.NO_ROW, wanted[:60])


def _texts(frame: Frame) -> list[tuple[int, int, str]]:
    return [
        (row, at, " ".join(cell.split()))
        for row, cells in enumerate(frame.table.rows)
        for at, cell in enumerate(cells)
        if isinstance(cell, str)
    ]


def _quoted(frame: Frame, row: int, at: int, text: str) -> Fact:
    name = frame.columns[at]
    quoted = Part(Role.NAME, Value(CellKind.NAME, text))
    source = next((str(cell) for place, cell in enumerate(frame.table.rows[row])
                   if place != at and isinstance(cell, str)), frame.table.title)  # fmt: skip
    where = Part(Role.NAME, Value(CellKind.NAME, source or frame.table.name))
    claim = Claim("quote", frame.table.name, {"text": text}, {"row": row, "column": name})
    parts = {"text": quoted, "value": quoted, "source": where}
    return Fact(
        "quote", claim, "quote", {**parts}, parts, results=frame.results,
        cells=(Touched(frame.table.name, (row,), frozenset({name})),),
    )  # fmt: skip
