"""Whether figures may be put together at all: by what the ontology says of their columns."""

from collections.abc import Sequence

from veridical.contracts.language import Language
from veridical.gate.derive.known import PERCENT, Known
from veridical.gate.derive.operation import ADDING, Operation
from veridical.gate.evidence.evidence import Evidence
from veridical.gate.evidence.exhibit import Additivity, Measure
from veridical.gate.evidence.sheet import Place, Sheet
from veridical.gate.evidence.unit import is_currency
from veridical.messages import message

_SAME_UNIT = frozenset(
    {Operation.SUM, Operation.MEAN, Operation.DIFFERENCE, Operation.CHANGE, Operation.SHARE}
)


def objection(
    operation: Operation, operands: Sequence[Known], evidence: Evidence, language: Language
) -> str:
    """Why these figures must not be combined so; empty where nothing speaks against it."""
    units = sorted({each.unit for each in operands if is_currency(each.unit)})
    if len(units) > 1 and operation in _SAME_UNIT:
        return message("derivation.mixed_units", language, units=", ".join(units))
    if operation not in ADDING:
        return ""
    by_column: dict[tuple[int, int], list[Place]] = {}
    for each in operands:
        if each.place is not None:
            by_column.setdefault((each.place.sheet, each.place.column), []).append(each.place)
    for (at, number), together in by_column.items():
        sheet = evidence.sheets[at]
        column = sheet.columns[number]
        measure = sheet.source.measures.get(column)
        if len({other.row for other in together}) > 1:
            found = _over_rows(operation, sheet, column, measure, together, language)
            if found:
                return found
    return ""


def _over_rows(
    operation: Operation,
    sheet: Sheet,
    column: str,
    measure: Measure | None,
    places: Sequence[Place],
    language: Language,
) -> str:
    """What speaks against adding up these rows of one column."""
    if operation is Operation.SUM and sheet.source.truncated and len(places) == len(sheet.rows):
        return message("derivation.cut_list", language, column=column)
    if measure is None:
        return ""
    if measure.additivity is Additivity.NEVER:
        return message("derivation.never_adds_up", language, column=column)
    if measure.unit == PERCENT and measure.additivity is not Additivity.ADDITIVE:
        return message("derivation.never_adds_up", language, column=column)
    if measure.additivity is Additivity.SEMI and operation is Operation.SUM:
        over = next((name for name in measure.not_over if _differs(sheet, name, places)), "")
        if over:
            return message("derivation.not_over", language, column=column, over=over)
    return ""


def _differs(sheet: Sheet, name: str, places: Sequence[Place]) -> bool:
    """True unless all these rows are known to share what the column says."""
    if name in sheet.columns:
        at = sheet.columns.index(name)
        return len({str(sheet.rows[place.row][at]) for place in places}) > 1
    return name not in sheet.source.held
