"""Measures and conditions in words, of one language."""

from collections.abc import Mapping

from veridical.contracts.language import Language
from veridical.evidence.column import Column, Kind
from veridical.evidence.dimension import NUMBER, SHARE, Dimension
from veridical.facts.fact import Label
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.compare import lifted
from veridical.facts.kernel.frame import TIMES, Frame
from veridical.facts.kernel.value import FactError, Value
from veridical.facts.printing import Printer, language_data

_COMPARED = {"=": "is", "!=": "is_not", ">": "above", "<": "below", ">=": "at_least",
             "<=": "at_most"}  # fmt: skip
_IN_TIME = {"=": "is", "!=": "is_not", ">": "after", "<": "before", ">=": "from", "<=": "until"}
_SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "by"}


class Wording:
    """Words expressions over the results of one answer."""

    def __init__(self, language: Language, frames: Mapping[str, Frame]) -> None:
        self.printer = Printer(language)
        self._words: dict[str, str] = language_data(language)["words"]
        self._frames = frames

    def label(self, label: Label, *, short: bool = False) -> str:
        """What a measure is called; a name of its author's with what stands behind it."""
        if label.formula is None:
            return label.text
        formula = self.expression(label.formula)
        name = " ".join(label.text.replace("_", " ").split())
        if not name or name.casefold() == formula.casefold():
            return formula
        return name if short else self._words["named"].format(name=name, formula=formula)

    def column(self, name: str) -> str:
        """What a column is called: by its owner's label, else by its own name."""
        found = self._column(name)
        labels = found.labels if found is not None else ()
        own = labels[0] if labels else name
        return " ".join(own.replace("_", " ").replace(".", " ").split()) or name

    def _column(self, name: str) -> Column | None:
        _, dot, tail = name.partition(".")
        for each in (name, tail) if dot else (name,):
            found = self._own(each)
            if found is not None:
                return found
        return None

    def _own(self, name: str) -> Column | None:
        for frame in self._frames.values():
            at = frame.place(name)
            if at is not None:
                return frame.table.columns[at]
        return None

    def expression(self, expression: ex.Expression) -> str:
        """A measure or a condition."""
        words = self._words
        match expression:
            case ex.Number(value, is_percent):
                return self._number(value, is_percent=is_percent)
            case ex.Text(text):
                return text
            case ex.Truth(value):
                return self.printer.value(Value(Kind.FLAG, value))
            case ex.Column(name, result):
                return self.column(name) + (f" ({result})" if result else "")
            case ex.Cell(_, row, column):
                return words["of_row"].format(x=self.column(column), row=row)
            case ex.Arithmetic(operator, left, right):
                one, other = self._side(left), self._side(right)
                return words[_SIGNS[operator]].format(left=one, right=other)
            case ex.Call(function, arguments):
                return self._call(function, arguments)
            case _:
                return self.condition(expression)

    def _side(self, expression: ex.Expression) -> str:
        text = self.expression(expression)
        return f"({text})" if isinstance(expression, ex.Arithmetic) else text

    def _call(self, function: str, arguments: tuple[ex.Expression, ...]) -> str:
        words = self._words
        if function == "count":
            if not arguments:
                return words["count"]
            inner = self.expression(arguments[0])
            if isinstance(arguments[0], ex.Column | ex.Arithmetic):
                return words["count_of"].format(x=inner)
            return words["count_where"].format(condition=inner)
        texts = [self.expression(each) for each in arguments]
        if function in ("wavg", "pct", "ratio", "growth"):
            return words[function].format(x=texts[0], w=texts[1])
        found = words[function].format(x=texts[0])
        return words["where"].format(x=found, condition=texts[1]) if len(texts) > 1 else found

    def condition(self, condition: ex.Expression) -> str:
        """A condition, with its constants in the units of what they are compared with."""
        words = self._words
        match condition:
            case ex.Every(parts):
                return words["and"].join(self._inner(part) for part in parts)
            case ex.Either(parts):
                return words["or"].join(self._inner(part) for part in parts)
            case ex.Not(inner):
                return words["not"].format(condition=self.condition(inner))
            case ex.Compare(operator, left, right):
                if isinstance(left, ex.Number | ex.Text | ex.Truth):
                    turned = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
                    operator, left, right = turned.get(operator, operator), right, left
                keys = _IN_TIME if self._is_time(left) else _COMPARED
                text = self._constant(right, left)
                return words[keys[operator]].format(left=self.expression(left), right=text)
            case ex.OneOf(operand, values, negated):
                texts = [self._constant(value, operand) for value in values]
                joint = words["neither" if negated else "either"]
                key = "none_of" if negated else "one_of"
                if negated and len(texts) == 1:
                    key = "is_not"
                return words[key].format(left=self.expression(operand), right=joint.join(texts))
            case ex.Blank(operand, negated):
                key = "not_blank" if negated else "blank"
                return words[key].format(left=self.expression(operand))
            case ex.Contains(operand, text):
                return words["contains"].format(left=self.expression(operand), right=text)
            case _:
                return self.expression(condition)

    def _inner(self, condition: ex.Expression) -> str:
        text = self.condition(condition)
        return f"({text})" if isinstance(condition, ex.Either | ex.Every) else text

    def _is_time(self, expression: ex.Expression) -> bool:
        if not isinstance(expression, ex.Column):
            return False
        found = self._column(expression.name)
        return found is not None and found.kind in TIMES

    def _constant(self, constant: ex.Expression, beside: ex.Expression) -> str:
        if isinstance(constant, ex.Number) and isinstance(beside, ex.Call):
            if beside.function == "year":
                return str(int(constant.value))
            if beside.function == "month" and constant.value in range(1, 13):
                return self.printer.months[int(constant.value) - 1]
        if isinstance(constant, ex.Text) and self._is_time(beside):
            return self.printer.value(Value(Kind.DAY, constant.value))
        if not isinstance(constant, ex.Number) or not isinstance(beside, ex.Column):
            return self.expression(constant)
        for frame in self._frames.values():
            at = frame.place(beside.name)
            if at is None:
                continue
            vector = frame.whole(at)
            if vector.kind is not Kind.FIGURE:
                break
            literal = Value(Kind.FIGURE, constant.value, _bare(constant), is_literal=True)
            like = Value(Kind.FIGURE, 0.0, vector.dimension, vector.scale)
            try:
                return self.printer.constant(lifted(literal, like))
            except FactError:
                break
        return self.expression(constant)

    def _number(self, value: float, *, is_percent: bool) -> str:
        return self.printer.constant(Value(Kind.FIGURE, value, SHARE if is_percent else NUMBER))


def _bare(constant: ex.Number) -> Dimension:
    return SHARE if constant.is_percent else NUMBER
