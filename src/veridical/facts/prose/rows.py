"""Names of rows beside figures of others, and comparisons of two rows the wrong way round."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from veridical.evidence.column import TIMES
from veridical.facts.fact import Part, Role
from veridical.facts.prose.context import Context
from veridical.facts.prose.filled import Piece
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.prose.sentences import Sentence

_BOTH = 2


def paired(sentence: Sentence, _: Context) -> Iterator[ProseFinding]:
    """Names and figures that take turns, where the figures beside a name are of other rows.

    Read by themselves for each fact, and across the facts that are about one row each.
    """
    slots = [piece for piece in sentence.pieces if piece.source is not None and _is_of_row(piece)]
    several = dict.fromkeys(piece.fact for piece in slots)
    found: dict[int, ProseFinding] = {}
    for name in several:
        own = [piece for piece in slots if piece.fact == name]
        for finding in _mismatched(own, least=1):
            found.setdefault(finding.start, finding)
    if len(several) > 1:
        for finding in _mismatched(slots, least=_BOTH):
            found.setdefault(finding.start, finding)
    yield from found.values()


def _is_of_row(piece: Piece) -> bool:
    part = piece.part
    if part is None or (piece.is_name and part.items):
        return False
    return piece.is_name or (part.role is Role.FIGURE and bool(part.row))


def _mismatched(slots: list[Piece], *, least: int) -> Iterator[ProseFinding]:
    """Name, figures, name, figures …, or the other way round."""
    runs = [list(run) for _, run in groupby(slots, lambda piece: piece.is_name)]
    names = [run for run in runs if run[0].is_name]
    figures = [run for run in runs if not run[0].is_name]
    keys = {piece.row for run in figures for piece in run}
    named = {run[0].row for run in names}
    if len(names) != len(figures) or len(names) < least or any(len(run) > 1 for run in names):
        return
    for (name,), beside in zip(names, figures, strict=True):
        rows = {piece.row for piece in beside}
        if name.row in rows or not name.row or (len(names) == 1 and _is_time(name)):
            continue
        if len(names) > 1 and not (rows & named and name.row in keys):
            continue  # figures of a row that no name here stands for
        first = beside[0]
        yield ProseFinding(
            Code.PAIRING, Level.MARKED, first.text, first.start, first.end, first.row
        )


def _is_time(piece: Piece) -> bool:
    value = piece.part.value if piece.part is not None else None
    return value is not None and value.kind in TIMES


def compared(sentence: Sentence, context: Context) -> Iterator[ProseFinding]:
    """The row that is named first has more, or less, where the word stands before the other one;
    no sentence that begins with what it is compared with is read."""
    words, larger = context.words, _larger(sentence)
    named = [piece for piece in sentence.pieces if piece.is_name and piece.row in larger]
    opening = "".join(piece.text for piece in sentence.own
                      if named and piece.end <= named[0].start)  # fmt: skip
    if not named or words.against.search(opening) is not None:
        return
    subject = named[0].row
    end = next((piece.start for piece in named if piece.row != subject), sentence.end)
    for piece in sentence.own:
        if not named[0].end <= piece.start < end:
            continue
        pattern = words.less if larger[subject] else words.more
        for match in pattern.finditer(piece.text):
            if words.negation.search(piece.text[: match.start()][-words.near :]) is None:
                yield ProseFinding(
                    Code.OPPOSITE, Level.MARKED, match[0], piece.start + match.start(),
                    piece.start + match.end(),
                )  # fmt: skip


def _larger(sentence: Sentence) -> dict[str, bool]:
    """Two rows, each with whether its figure is the larger one; none where their figures are not
    of the same columns or do not all agree."""
    figures: dict[frozenset[str], dict[str, float]] = {}
    found: list[dict[str, bool]] = []
    for piece in sentence.pieces:
        fact, part = piece.source, piece.part
        if fact is not None and fact.template == "compare.rows":
            found += [_ordered({part.row: _number(part) or 0.0 for part in (pair["a"], pair["b"])})
                      for pair in fact.words["compared"]]  # fmt: skip
        elif fact is not None and part is not None and part.role is Role.FIGURE and part.row:
            number, tail = _number(part), piece.path.rpartition(".")[2]
            if number is not None:
                measure = fact.columns | {"" if tail == "value" else tail}
                figures.setdefault(measure, {})[part.row] = number
    found += [_ordered(each) for each in figures.values()]
    agreed = bool(found) and all(each == found[0] for each in found)
    return found[0] if agreed else {}


def _ordered(rows: Mapping[str, float]) -> dict[str, bool]:
    """Two rows with different figures."""
    if len(rows) != _BOTH or len(set(rows.values())) != _BOTH:
        return {}
    return {row: value == max(rows.values()) for row, value in rows.items()}


def _number(part: Part) -> float | None:
    value = part.value
    return value.value if value is not None and isinstance(value.value, float) else None
