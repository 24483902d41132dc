"""``compare``: two rows, two columns of a row, or two computed values against each other."""

from dataclasses import replace
from typing import Any

from veridical.evidence.column import Kind
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Label, Part, Role, figure, key_of, plain
from veridical.facts.forms.built import Frames, claim_of, fact_of, needs, plain_value
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.compare import compared
from veridical.facts.kernel.evaluate import computed, growth_of
from veridical.facts.kernel.frame import TIMES
from veridical.facts.kernel.value import FactError, Reason, Value, Vector
from veridical.facts.population import population
from veridical.facts.scope import (
    Scoped,
    label_of,
    measure_of,
    measured,
    measures_of,
    names_in,
    scoped,
    value_of,
)

_BOTH = 2


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
    compared_pairs: list[dict[str, Any]] = []
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
        compared_pairs.append({"label": found.label, **own})
    said = {"rows": [key_of(names[0]), key_of(names[1])],
            "measures": [each.text for each in measures]}  # fmt: skip
    first = compared_pairs[0]
    claim = claim_of("compare", pair, said, values, *_shown(first, either=True))
    words = {"row": names[0], "other": names[1], "compared": tuple(compared_pairs),
             "population": population(scope)}  # fmt: skip
    return fact_of(pair, claim, "compare.rows", words, parts, measures)


def _columns(arguments: Arguments, frames: Frames) -> Fact:
    """Two measures of one row."""
    scope = scoped(arguments, frames)
    measures = measures_of(scope)
    if len(measures) != _BOTH or len(scope.rows) != 1:
        raise FactError(Reason.ARGUMENT, "measures")
    name = names_in(scope, scope.rows)[0]
    both = [measured(each, scope) for each in measures]
    found = _two(scope, both[0].vector.at(0), both[1].vector.at(0),
                 (both[0].label, both[1].label), measures)  # fmt: skip
    return replace(
        found,
        template="compare.columns",
        words={**found.words, "row": name},
        parts={**found.parts, "row": name},
    )


def _values(arguments: Arguments, frames: Frames) -> Fact:
    needs(arguments, "a", "b")
    scope = scoped(arguments, frames)
    measures = (measure_of(arguments.a, scope), measure_of(arguments.b, scope))
    values = [_single(each, scope) for each in measures]
    labels = (label_of(measures[0]), label_of(measures[1]))
    return _two(scope, values[0], values[1], labels, measures)


def _single(measure: ex.Measure, scope: Scoped) -> Value | None:
    found = value_of(measure, scope)
    if isinstance(found, Vector):
        if len(found.values) != 1:
            raise FactError(Reason.SEVERAL_ROWS, measure.text)
        return found.at(0)
    return found


def _two(
    scope: Scoped, one: Value | None, other: Value | None, labels: tuple[Label, Label],
    measures: tuple[ex.Measure, ...],
) -> Fact:  # fmt: skip
    if one is None or other is None:
        raise FactError(Reason.NO_VALUE, measures[0 if one is None else 1].text)
    names = tuple(Part(Role.NAME, Value(Kind.NAME, each.alias or each.text)) for each in measures)
    own = _parts(one, other, "a", "b", names)
    own |= {name: own[end] for end, each in zip(("a", "b"), measures, strict=True)
            for name in (plain(each.alias), plain(each.text)) if name}  # fmt: skip
    said = {"a": measures[0].text, "b": measures[1].text}
    claim = claim_of("compare", scope, said, {"a": plain_value(one), "b": plain_value(other)},
                     *_shown(own))  # fmt: skip
    words = {"labels": labels, "compared": ({"label": labels[0], **own},),
             "population": population(scope)}  # fmt: skip
    return fact_of(scope, claim, "compare.values", words, own, measures)


def _parts(
    one: Value, other: Value, first: str, second: str, names: tuple[Part, ...]
) -> dict[str, Part]:
    """Everything that may be said of two values."""
    parts = {"a": figure(one, row=first), "b": figure(other, row=second)}
    if one.kind in TIMES or one.kind is not Kind.FIGURE:
        if one.kind in TIMES:
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
    """What a sentence may say; of two values either may stand first."""
    one, other = parts["a"].value, parts["b"].value
    if one.kind is not Kind.FIGURE or other.kind is not Kind.FIGURE:
        return (), ()
    if one.value == other.value:
        return ("same",), ("more", "less")
    way = ("up", "more") if one.value > other.value else ("down", "less")
    return (*way, *(("more", "less", "up", "down") if either else ())), ("same",)
