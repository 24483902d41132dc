"""``compare``: two rows, two columns of a row, or two computed values against each other."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from veridical.evidence.column import CellKind
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Part, Role, figure, key_of, plain
from veridical.facts.forms.built import Frames, claim_of, fact_of, needs, over_rows, plain_value
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import computed, growth_of
from veridical.facts.kernel.compare import compared
from veridical.facts.kernel.value import FactError, Reason, Value
from veridical.facts.naming import names_in
from veridical.facts.population import population
from veridical.facts.scope import (
    Scoped,
    label_of,
    measure_of,
    measured,
    measures_of,
    scoped,
    sets_cells_beside,
    single_of,
)

_BOTH = 2
_DAYS = (CellKind.DAY, CellKind.MOMENT)


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    if arguments.a or arguments.b:
        return _values(arguments, frames)
    needs(arguments, "rows")
    if len(arguments.rows) == 1:
        return _columns(arguments, frames)
    return _rows(arguments, frames)


def _rows(arguments: Arguments, frames: Frames) -> Fact:
    scope, measures = in_groups(scoped(replace(arguments, rows=()), frames))
    places = [scope.frame.find(name, scope.rows if arguments.where else None)
              for name in arguments.rows[:_BOTH]]  # fmt: skip
    for place, name in zip(places, arguments.rows, strict=False):
        if len(place) != 1:
            raise FactError(Reason.SEVERAL_ROWS, name)
    pair = scope.having([places[0][0], places[1][0]])
    names = names_in(pair, pair.rows)
    parts: dict[str, Part] = {"row": names[0], "other": names[1]}
    values: dict[str, Any] = {}
    pairs: list[dict[str, Any]] = []
    for at, measure in enumerate(measures):
        found = measured(measure, pair)
        one, other = found.vector.at(0), found.vector.at(1)
        if one is None or other is None:
            raise FactError(Reason.NO_VALUE, measure.text)
        own = _parts(one, other, key_of(names[0]), key_of(names[1]), names)
        for name in found.names:
            parts |= {f"{name}.{key}": part for key, part in own.items()}
        if not at:
            parts |= own
        values[measure.text] = [plain_value(one), plain_value(other)]
        pairs.append({"label": found.label, **own})
    inputs = {"rows": list(arguments.rows[:_BOTH]), "measures": [each.text for each in measures]}
    stated = {"measures": values, "row": key_of(names[0]), "other": key_of(names[1])}
    claim = claim_of("compare", pair, inputs, stated, *_shown(pairs[0], either=True))
    words = {"row": names[0], "other": names[1], "compared": tuple(pairs), "by": arguments.by,
             "population": population(scope), "over_rows": over_rows(measures)}  # fmt: skip
    return fact_of(pair, claim, "compare.rows", words, parts, measures)


def _columns(arguments: Arguments, frames: Frames) -> Fact:
    """Two measures of one row."""
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    if len(measures) != _BOTH or len(scope.rows) != 1:
        raise FactError(Reason.ARGUMENT, "measures")
    return _two(scope, measures)


def _values(arguments: Arguments, frames: Frames) -> Fact:
    needs(arguments, "a", "b")
    scope = scoped(arguments, frames)
    return _two(scope, (measure_of(arguments.a, scope), measure_of(arguments.b, scope)))


def _two(scope: Scoped, measures: tuple[ex.Measure, ...]) -> Fact:
    beside = sets_cells_beside(measures)
    one, other = (single_of(each, scope, beside=beside) for each in measures)
    names = tuple(
        Part(Role.NAME, Value(CellKind.NAME, each.alias or each.text)) for each in measures
    )
    own = _parts(one, other, "a", "b", names)
    shown = _shown(own)
    own |= {name: own[end] for end, each in zip(("a", "b"), measures, strict=True)
            for name in (plain(each.alias), plain(each.text))
            if name and name not in own}  # fmt: skip
    inputs = {"a": measures[0].text, "b": measures[1].text}
    values = {"a": plain_value(one), "b": plain_value(other)}
    claim = claim_of("compare", scope, inputs, values, *shown)
    labels = label_of(measures[0]), label_of(measures[1])
    words: dict[str, Any] = {"labels": labels, "compared": ({"label": labels[0], **own},),
                             "population": population(scope)}  # fmt: skip
    template = "compare.values"
    row = names_in(scope, scope.rows)[0] if len(scope.rows) == 1 else None
    if row is not None and key_of(row):
        own["row"] = words["row"] = row
        template = "compare.columns"
        if beside:
            words["population"] = population(scope.unnamed)
            template = "compare.beside"
    return fact_of(scope, claim, template, words, own, measures)


def _parts(
    one: Value, other: Value, first: str, second: str, names: Sequence[Part]
) -> dict[str, Part]:
    """All parts about two values."""
    parts = {"a": figure(one, row=first), "b": figure(other, row=second)}
    if one.kind is not CellKind.FIGURE or other.kind is not CellKind.FIGURE:
        if one.kind in _DAYS and other.kind in _DAYS:
            parts["diff"] = figure(computed("-", one, other), unsigned=True)
        return parts
    ratio = computed("/", one, other)
    parts |= {
        "diff": figure(computed("-", one, other), unsigned=True),
        "pct": figure(growth_of(other, one), unsigned=True),
        "ratio": figure(ratio),
    }
    if compared(">", one, other) or compared("<", one, other):
        larger = 0 if compared(">", one, other) else 1
        parts |= {"higher": names[larger], "lower": names[1 - larger]}
    return parts


def _shown(
    parts: dict[str, Any], *, either: bool = False
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Claims that a sentence may make; either value may stand first."""
    one, other = parts["a"].value, parts["b"].value
    if one.kind is not CellKind.FIGURE or other.kind is not CellKind.FIGURE:
        return (), ()
    if one.value == other.value:
        return ("same",), ("more", "less")
    way = ("up", "more") if one.value > other.value else ("down", "less")
    return way if not either else (), ("same",)
