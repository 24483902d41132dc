"""``compare``: two rows, two columns of a row, or two computed values against each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veridical.evidence.column import CellKind
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, Part, figure, key_of, named, plain
from veridical.facts.forms.built import (
    Claims,
    Frames,
    Parts,
    fact_of,
    needs,
    over_rows,
    plain_value,
    stated_parts,
    texts_of,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.arithmetic import computed
from veridical.facts.kernel.compare import compared
from veridical.facts.kernel.value import FactError, Reason, Value
from veridical.facts.naming import names_in
from veridical.facts.scope import (
    Scoped,
    label_of,
    measure_of,
    measured,
    measures_of,
    population,
    scoped,
    sets_cells_beside,
    single_of,
)

_BOTH = 2
_DAYS = (CellKind.DAY, CellKind.MOMENT)


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    needs(arguments, *(("a", "b") if arguments.a or arguments.b else ("rows",)))
    if not arguments.a and len(arguments.rows) > 1:
        return _rows(arguments, frames)
    scope = scoped(arguments, frames)
    if arguments.a:
        return _two(scope, (measure_of(arguments.a, scope), measure_of(arguments.b, scope)))
    measures = measures_of(scope)
    if len(measures) != _BOTH or len(scope.rows) != 1:
        raise FactError(Reason.ARGUMENT, "measures")
    return _two(scope, measures)


def _rows(arguments: Arguments, frames: Frames) -> Fact:
    """Two rows, by every measure."""
    scope, measures = in_groups(scoped(replace(arguments, rows=()), frames))
    wanted = list(arguments.rows[:_BOTH])
    places = [scope.frame.find(name, scope.rows if arguments.where else None) for name in wanted]
    for place, name in zip(places, wanted, strict=True):
        if len(place) != 1:
            raise FactError(Reason.SEVERAL_ROWS, name)
    pair = scope.having([place[0] for place in places])
    names = names_in(pair, pair.rows)
    parts: Parts = {"row": names[0], "other": names[1]}
    values: dict[str, Any] = {}
    pairs: list[dict[str, Any]] = []
    for measure in measures:
        found = measured(measure, pair)
        one, other = found.vector.at(0), found.vector.at(1)
        if one is None or other is None:
            raise FactError(Reason.NO_VALUE, measure.text)
        own = _parts(one, other, list(map(key_of, names)), names)
        parts |= {f"{name}.{key}": part for name in found.names for key, part in own.items()}
        parts |= own if not pairs else {}
        values[measure.text] = [plain_value(one), plain_value(other)]
        pairs.append({"label": found.label, **own})
    _, denies = _claims(pairs[0])
    return fact_of(
        pair, "compare.rows", parts, measures, {"rows": wanted, "measures": texts_of(measures)},
        {"measures": values} | stated_parts(parts, "row other"),
        (("same",) if "more" in denies else (), denies), compared=tuple(pairs),
        population=population(scope), over_rows=over_rows(measures),
    )  # fmt: skip


def _two(scope: Scoped, measures: tuple[ex.Measure, ...]) -> Fact:
    """Two measures of a row or of all rows."""
    is_beside = sets_cells_beside(measures)
    one, other = (single_of(each, scope, is_beside=is_beside) for each in measures)
    names = tuple(named(each.alias or each.text) for each in measures)
    own = _parts(one, other, ("a", "b"), names)
    claims = _claims(own)
    own |= {name: own[end] for end, each in zip(("a", "b"), measures, strict=True)
            for name in (plain(each.alias), plain(each.text))
            if name and name not in own}  # fmt: skip
    labels = tuple(map(label_of, _with_results(measures, scope)))
    template, rows_of, pair = "compare.values", population(scope), {"label": labels[0], **own}
    row = names_in(scope, scope.rows)[0] if len(scope.rows) == 1 else None
    if row is not None and key_of(row):
        own["row"] = row
        template = "compare.columns"
        if is_beside:
            template, rows_of = "compare.beside", population(scope.unnamed)
    return fact_of(
        scope, template, own, measures, {"a": measures[0].text, "b": measures[1].text},
        {"a": plain_value(one), "b": plain_value(other)}, claims, labels=labels, compared=(pair,),
        population=rows_of,
    )  # fmt: skip


def _with_results(measures: tuple[ex.Measure, ...], scope: Scoped) -> Iterator[ex.Measure]:
    """The measures for their labels: of two results, each names its own."""
    several = any(ex.result_names(each.expression) for each in measures)
    for each in measures:
        found = each.expression
        if several and isinstance(found, ex.Column) and not found.result:
            each = replace(each, expression=replace(found, result=scope.frame.table.name))
        yield each


def _parts(one: Value, other: Value, rows: Sequence[str], names: Sequence[Part]) -> Parts:
    """All parts about two values."""
    parts = {"a": figure(one, row=rows[0]), "b": figure(other, row=rows[1])}
    figures = one.kind is CellKind.FIGURE and other.kind is CellKind.FIGURE
    if figures or (one.kind in _DAYS and other.kind in _DAYS):
        parts["diff"] = figure(computed("-", one, other), unsigned=True)
    if not figures:
        return parts
    parts |= {
        "pct": figure(computed("growth", other, one), unsigned=True),
        "ratio": figure(computed("/", one, other)),
    }
    for larger, operator in enumerate("><"):
        if compared(operator, one, other):
            parts |= {"higher": names[larger], "lower": names[1 - larger]}
    return parts


def _claims(parts: Mapping[str, Any]) -> Claims:
    """Claims that a sentence may make about the first of two values."""
    one, other = parts["a"].value, parts["b"].value
    if one.kind is not CellKind.FIGURE or other.kind is not CellKind.FIGURE:
        return (), ()
    if one.value == other.value:
        return ("same",), ("more", "less")
    return ("up", "more") if one.value > other.value else ("down", "less"), ("same",)
