"""The figures of a fact as a page shows them: rows with printed cells, values and units."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from veridical.contracts.facts_answer import ShownColumn, ShownFact
from veridical.evidence.column import TIMES, CellKind
from veridical.evidence.dimension import NUMBER, Quantity, paid
from veridical.evidence.unit import unit_name
from veridical.facts.fact import Fact, Grid, Label, Part, Role
from veridical.facts.kernel.value import Value
from veridical.facts.printing import SIGNED
from veridical.facts.sentence import capitalised
from veridical.facts.wording import Wording

_MOST_ROWS = 200
_PERCENT = "%"
_FIGURES = (Role.FIGURE, Role.COUNT)


def shown_fact(fact: Fact, wording: Wording) -> ShownFact:
    """The fact's rows where it has some, else its figures under their labels."""
    title = wording.title(fact.claim.result)
    found = _of_rows(fact.grid, wording) if fact.grid is not None else _alone(fact, wording)
    return found.model_copy(
        update={"title": capitalised(title), "figures": tuple(_printed(fact, wording))}
    )


def _of_rows(grid: Grid, wording: Wording) -> ShownFact:
    parts = grid.names[:_MOST_ROWS]
    names = tuple(map(wording.printer.part, parts))
    columns = [
        _column(each.label, [each.vector.at(at) for at in range(len(parts))], wording)
        for each in grid.measures
    ]
    kinds = {part.value.kind if part.value else None for part in parts}
    return ShownFact(
        names=names if any(names) else (),
        over_time=bool(kinds) and kinds <= set(TIMES),
        columns=tuple(columns),
        left_out=len(grid.names) - len(parts),
    )


def _alone(fact: Fact, wording: Wording) -> ShownFact:
    """A fact without rows: two values that are compared, values under their labels, or one."""
    parts, labels = fact.parts, fact.words.get("labels", ())
    if "a" in parts and "b" in parts and len(fact.words.get("compared", ())) == 1:
        label: Label | None = fact.words["compared"][0]["label"]
        names = (_text(parts, "row", wording), _text(parts, "other", wording))
        if not all(names):
            names = (*map(wording.label, labels),)
            label = None
        column = _column(label, [parts["a"].value, parts["b"].value], wording)
        return ShownFact(names=names if all(names) else (), columns=(column,))
    pairs: Sequence[tuple[Label, Part]] = fact.words.get("pairs", ())
    if pairs:
        columns = (_column(label, [part.value], wording) for label, part in pairs)
        return ShownFact(columns=tuple(columns))
    main = parts.get("value")
    if main is None or main.role not in _FIGURES or main.value is None:
        return ShownFact()
    name = _text(parts, "row", wording)
    column = _column(fact.words.get("label"), [main.value], wording)
    return ShownFact(names=(name,) if name else (), columns=(column,))


def _text(parts: Mapping[str, Part], name: str, wording: Wording) -> str:
    part = parts.get(name)
    return wording.printer.part(part) if part is not None else ""


def _column(label: Label | None, cells: Sequence[Value | None], wording: Wording) -> ShownColumn:
    texts = tuple(wording.printer.evened(cells))
    head = capitalised(wording.label(label, short=True)) if label is not None else ""
    known = [each for each in cells if each is not None]
    if not known or any(each.kind is not CellKind.FIGURE for each in known):
        return ShownColumn(label=head, texts=texts)
    units = tuple("" if each is None else _unit(each) for each in cells)
    distinct = {unit for unit, each in zip(units, cells, strict=True) if each is not None}
    if len(distinct) == 1:
        units = tuple(filter(None, distinct))
    values = tuple(None if each is None else _number(each) for each in cells)
    return ShownColumn(label=head, texts=texts, values=values, units=units)


def _number(value: Value) -> float:
    if _is_share(value):
        return value.number * 100
    return value.number / value.scale


def _unit(value: Value) -> str:
    """The unit of a printed figure; empty for counts and bare numbers."""
    if _is_share(value):
        return _PERCENT
    dimension = paid(value.dimension or NUMBER)
    if dimension.quantity in (Quantity.DURATION, Quantity.MEASURE):
        return unit_name(replace(dimension, factor=value.scale))
    return dimension.unit


def _is_share(value: Value) -> bool:
    return value.dimension is not None and value.dimension.quantity is Quantity.SHARE


def _printed(fact: Fact, wording: Wording) -> Iterator[str]:
    """The figures of its sentences, each once, the longest first."""
    found = {
        text
        for part in _parts(fact)
        if part.role in _FIGURES and part.value is not None
        for text in (wording.printer.part(part), wording.printer.part(part, SIGNED))
    }
    yield from sorted(found, key=lambda text: (-len(text), text))


def _parts(fact: Fact) -> Iterable[Part]:
    for part in fact.parts.values():
        yield part
        for item in part.items:
            yield from item
    for _, part in fact.words.get("pairs", ()):
        yield part
    for pair in fact.words.get("compared", ()):
        yield from (part for part in pair.values() if isinstance(part, Part))
