"""Words that describe rows: by a value, by a column, or by a gloss that says the condition."""

from collections.abc import Iterator

from veridical.evidence.concepts import value_words
from veridical.gate.kernel import expression as ex
from veridical.gate.references.label_index import LabelIndex
from veridical.ontology.terms import fold

_SHORTEST = 2
_SIGNS = {">=": "≥", "<=": "≤", "!=": "≠", "~": "≈"}


def names_its_value(found: ex.Expression, text: str) -> bool:
    """Whether the words have a value that the condition asks for, in any language."""
    folded = fold(text)
    for value in asked_values(found):
        forms = [value, *value_words(value)]
        if any(len(form) >= _SHORTEST and fold(form) in folded for form in forms):
            return True
    return False


def names_its_column(found: ex.Expression, text: str, index: LabelIndex) -> bool:
    """Whether the words have the column of which the condition only says that there is some."""
    having = set(_having(found))
    said = {name for label in index.find(text) for name in label.columns}
    words = {fold(word) for name in having for word in name.replace("_", " ").split()}
    return bool(having & said) or any(len(w) > _SHORTEST and w in fold(text) for w in words)


def gloss(found: ex.Expression) -> str | None:
    """The condition of rows as a reader can follow it; none for ranks and comparisons."""
    match found:
        case ex.Where(within, left, comparator, right):
            one, other = _side(left), _side(right)
            if one is None or other is None:
                return None
            sign = _SIGNS.get(comparator.value, comparator.value)
            return _joined(within, f"{one} {sign} {other}")
        case ex.Blank(within, column, is_blank):
            return _joined(within, f"{column} {'=' if is_blank else '≠'} –")
        case ex.Row(within, value):
            return _joined(within, value)
        case ex.Named(within, values):
            return _joined(within, ", ".join(values[1:]))
        case ex.Compare(left, comparator, right):
            one, other = _side(left), _side(right)
            sign = _SIGNS.get(comparator.value, comparator.value)
            return f"{one} {sign} {other}" if one and other and one != other else None
        case ex.Within(_, right):
            return gloss(right)
        case _:
            return None


def is_ordered(found: ex.Expression) -> bool:
    """Whether a condition says more or less, so that a not before an unknown word may be it."""
    match found:
        case ex.Compare(_, comparator, _) | ex.Where(_, _, comparator, _):
            return comparator not in (ex.Comparator.EQUAL, ex.Comparator.OTHER)
        case _:
            return False


def _joined(within: ex.Rows, text: str) -> str:
    outer = None if isinstance(within, ex.Table) else gloss(within)
    return f"{outer}, {text}" if outer else text


def _side(scalar: ex.Scalar) -> str | None:
    match scalar:
        case ex.Own(column) | ex.Cells(_, column):
            return column
        case ex.Number(value, unit):
            return f"{value:g}{' ' if unit and unit != '%' else ''}{unit}"
        case ex.Text(value):
            return value
        case ex.Arithmetic(operator, left, right):
            one, other = _side(left), _side(right)
            return f"{one} {operator.value} {other}" if one and other else None
        case _:
            return None


def asked_values(found: ex.Expression) -> Iterator[str]:
    """The values that a condition asks for."""
    match found:
        case ex.Row(within, value):
            yield value
            yield from asked_values(within)
        case ex.Named(within, values):
            yield from values
            yield from asked_values(within)
        case ex.Where(within, _, ex.Comparator.EQUAL, ex.Text(value)):
            yield value
            yield from asked_values(within)
        case ex.Where(within, _, _, _) | ex.Blank(within, _, _) | ex.Range(within, _, _):
            yield from asked_values(within)
        case ex.Compare(_, ex.Comparator.EQUAL, ex.Text(value)):
            yield value
        case ex.Quantified(_, rows, condition):
            yield from asked_values(rows)
            if condition and condition[1] is ex.Comparator.EQUAL:
                yield from asked_values(ex.Compare(*condition))
        case ex.Within(_, rows):
            yield from asked_values(rows)
        case _:
            return


def _having(found: ex.Expression) -> Iterator[str]:
    """The columns of which rows must have something: filled, true, above nothing."""
    match found:
        case ex.Blank(_, column, False):
            yield column
        case ex.Where(_, ex.Own(column), ex.Comparator.EQUAL, ex.Text(value)) if (
            value.casefold() in ("true", "yes")
        ):
            yield column
        case ex.Where(_, ex.Own(column), ex.Comparator.MORE, ex.Number(0.0, _)):
            yield column
        case ex.Where(_, ex.Own(column), ex.Comparator.AT_LEAST, ex.Number(1.0, _)):
            yield column
        case ex.Within(_, rows):
            yield from _having(rows)
        case _:
            return
