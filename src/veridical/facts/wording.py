"""Measures and conditions in words, of one language."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from veridical.contracts.language import Language
from veridical.evidence.column import TIMES, CellKind, Column
from veridical.evidence.dimension import NUMBER, SHARE, Dimension, Quantity
from veridical.evidence.unit import scale_factor, unit_dimension
from veridical.facts.fact import Label
from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.compare import lifted
from veridical.facts.kernel.evaluate import EvaluationScope, evaluate
from veridical.facts.kernel.frame import Frame
from veridical.facts.kernel.judged import judgement_of
from veridical.facts.kernel.value import FactError, Value
from veridical.facts.printing import Printer, language_data
from veridical.late_pattern import late_pattern
from veridical.ontology.printed import Noun

_MOST_HELD = 4
_EXPRESSION = late_pattern(r"\w\(.*\)|[*/]")
_FIGURE = late_pattern(r"(-?\d{1,15}(?:\.\d{1,9})?)\s*(%?)")
_COMPARED = {"=": "is", "!=": "is_not", ">": "above", "<": "below", ">=": "at_least",
             "<=": "at_most"}  # fmt: skip
_IN_TIME = {"=": "is", "!=": "is_not", ">": "after", "<": "before", ">=": "from", "<=": "until"}
_RATIOS = ("pct", "ratio", "growth")
_SIGNS = {"+": "plus", "-": "minus", "*": "times", "/": "by"}


class Wording:
    """Words expressions over the results of one answer."""

    def __init__(self, language: Language, frames: Mapping[str, Frame]) -> None:
        self.printer = Printer(language, _currencies(frames))
        data = language_data(language)
        self._words: dict[str, str] = data["words"]
        self._defined: dict[str, str] = self._words | data["definition"]
        self._frames = frames
        self._known: dict[str, str] = {}
        self._names = {" ".join(name.replace("_", " ").split())
                       for frame in frames.values() for name in frame.columns}  # fmt: skip
        self._nouns = noun_words(language, _common_noun(frames))

    def label(self, label: Label, *, short: bool = False) -> str:
        """The name of a measure; its author's own name with the expression behind it."""
        if label.formula is None:
            return label.text
        formula = self.expression(label.formula)
        name = " ".join(label.text.replace("_", " ").split())
        if not name or name.casefold() == formula.casefold():
            return formula
        return name if short else self._words["named"].format(name=name, formula=formula)

    def title(self, result: str) -> str:
        """The title of the known question that a result answers; empty for any other."""
        frame = self._frames.get(result)
        known = frame.table.known if frame is not None else None
        return known.title if known is not None else ""

    def result(self, name: str) -> str:
        """The words that identify a result: its title or the arguments of its call, else its
        name."""
        title = self.title(name)
        if title:
            return title
        frame = self._frames.get(name)
        held = frame.table.held if frame is not None else {}
        pairs = [f"{key} = {value}" for key, value in held.items() if value is not None]
        return self.printer.joined(pairs[:_MOST_HELD]) or name

    def column(self, name: str) -> str:
        """The name of a column: its owner's label, else its own name."""
        if name not in self._known:
            found = self._column(name)
            label = found.called(self.printer.language) if found is not None else ""
            self._known[name] = label or self._readable(name, found)
        return self._known[name]

    def _readable(self, name: str, column: Column | None) -> str:
        """A column's own name as words, without the unit that its figures are printed with."""
        if self.is_nameless(name):
            return self._words["value"]
        words = name.replace("_", " ").replace(".", " ").split()
        dimension = column.dimension if column is not None else None
        if dimension is None or dimension.quantity in (Quantity.COUNT, Quantity.NUMBER):
            return " ".join(words) or name
        while len(words) > 1 and _is_unit(words[-1], dimension):
            words = words[:-1]
        found = " ".join(words)
        alike = [each for each in self._names if each.casefold().startswith(found.casefold())
                 and each.casefold() != " ".join(name.split("_")).casefold()]  # fmt: skip
        return " ".join(name.replace("_", " ").split()) if found in alike else found

    def is_nameless(self, name: str) -> bool:
        """True if the name of a column is its expression, and no other column has such a name:
        ``COUNT(*)``."""
        if _EXPRESSION.search(name) is None:
            return False
        return sum(_EXPRESSION.search(each) is not None for each in self._names) == 1

    def judgement(self, name: str) -> str:
        """The name of a judgement: its label, else its own name."""
        for frame in self._frames.values():
            found = judgement_of(frame.table, name)
            label = found.label if found is not None else ""
            own = label if isinstance(label, str) else label.get(self.printer.language, "")
            if own:
                return own
        return name.replace("_", " ")

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
                return self.printer.value(Value(CellKind.FLAG, value))
            case ex.Column(name, result):
                return self.column(name) + (f" ({self.result(result)})" if result else "")
            case ex.Cell(result, row, column):
                text = words["of_row"].format(x=self.column(column), row=row)
                return f"{text} ({self.result(result)})"
            case ex.Arithmetic(operator, left, right):
                one, other = self._side(left), self._side(right)
                return words[_SIGNS[operator]].format(left=one, right=other)
            case ex.Call(function, arguments):
                return self._call(function, arguments)
            case _:
                return self.condition(expression)

    def _side(self, expression: ex.Expression) -> str:
        text = self.expression(expression)
        is_ratio = isinstance(expression, ex.Call) and expression.function in _RATIOS
        return f"({text})" if is_ratio or isinstance(expression, ex.Arithmetic) else text

    def _call(self, function: str, arguments: tuple[ex.Expression, ...]) -> str:
        words = self._words
        if function == "count":
            if not arguments:
                return words["count"].format(**self._nouns)
            inner = self.expression(arguments[0])
            if isinstance(arguments[0], ex.Column | ex.Arithmetic):
                return words["count_of"].format(x=inner, **self._nouns)
            key = "count_judged" if ex.is_judged(arguments[0]) else "count_where"
            return words[key].format(condition=inner, **self._nouns)
        texts = [self._side(each) for each in arguments]
        if function in ("wavg", *_RATIOS):
            return words[function].format(x=texts[0], w=texts[1])
        found = words[function].format(x=texts[0])
        return words["where"].format(x=found, condition=texts[1]) if len(texts) > 1 else found

    def condition(self, condition: ex.Expression, *, brief: bool = False) -> str:
        """A condition, with its constants in the units of what they are compared with; in brief as
        it stands behind the name of a judgement."""
        words = self._defined if brief else self._words
        match condition:
            case ex.Judged(name, inner):
                definition = self.condition(inner, brief=True)
                return words["judged"].format(name=self.judgement(name), definition=definition)
            case ex.Every(parts):
                return words["and"].join(self._inner(part, brief=brief) for part in parts)
            case ex.Either(parts):
                return words["or"].join(self._inner(part, brief=brief) for part in parts)
            case ex.Not(ex.Judged() as inner):
                return words["not_judged"].format(condition=self.condition(inner))
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

    def _inner(self, condition: ex.Expression, *, brief: bool) -> str:
        text = self.condition(condition, brief=brief)
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
            return self.printer.value(Value(CellKind.DAY, constant.value))
        if isinstance(constant, ex.Number) and self._is_time(beside):
            return f"{constant.value:g}"  # a year
        written = constant
        match = _FIGURE.fullmatch(constant.value) if isinstance(constant, ex.Text) else None
        if match is not None:  # compared as a figure, where its column is one
            share = bool(match[2])
            constant = ex.Number(float(match[1]) / (100 if share else 1), is_percent=share)
        if not isinstance(constant, ex.Number):
            return self.expression(constant)
        for frame in self._frames.values():
            literal = Value(CellKind.FIGURE, constant.value, _bare(constant), is_literal=True)
            try:
                found = evaluate(beside, EvaluationScope(frame, frame.members[:1], self._frames))
                if found is None or found.kind is not CellKind.FIGURE:
                    continue  # a code such as 5650 stays as it is written
                like = Value(CellKind.FIGURE, 0.0, found.dimension, found.scale)
                return self.printer.constant(lifted(literal, like))
            except FactError:  # not of this result; the next may have it
                continue
        return self.expression(written)

    def _number(self, value: float, *, is_percent: bool) -> str:
        return self.printer.constant(Value(CellKind.FIGURE, value, SHARE if is_percent else NUMBER))


def _is_unit(word: str, dimension: Dimension) -> bool:
    """True if a name ends in the unit that its figures are printed with."""
    unit = unit_dimension(word)
    return scale_factor(word) is not None or (
        unit is not None and unit.quantity is dimension.quantity
    )


def _currencies(frames: Mapping[str, Frame]) -> set[str]:
    """The currencies of all results: francs are written with other signs than euros."""
    found: set[str] = set()
    for table in (frame.table for frame in frames.values()):
        dimensions = (each.dimension for each in table.columns)
        found |= {each.unit for each in dimensions if each and each.quantity is Quantity.MONEY}
        found |= {str(row[at]) for at in table.unit_columns for row in table.rows}
    return found


def _common_noun(frames: Mapping[str, Frame]) -> Mapping[Language, Noun]:
    """The nouns for the rows of all results, if they are the same."""
    found = [frame.table.nouns for frame in frames.values()]
    return found[0] if found and all(each == found[0] for each in found) else {}


def _bare(constant: ex.Number) -> Dimension:
    return SHARE if constant.is_percent else NUMBER


def noun_words(language: Language, nouns: Mapping[Language, Noun]) -> dict[str, str]:
    """The forms of a noun by the places of templates. A noun without a gender, in a language
    where it matters, is ignored."""
    data: dict[str, Any] = language_data(language)["noun"]
    genders: dict[str, dict[str, str]] = data.get("gender", {})
    own = nouns.get(language)
    if own is not None and genders and own.gender is None:
        own = None
    noun = own or _default_noun(language)
    many = noun.many or noun.one
    is_dative = many.endswith(tuple(data.get("dative_ends", ()))) or "dative" not in data
    return {
        "one": noun.one,
        "many": many,
        "things": noun.one or data.get("things", ""),
        "accusative": noun.accusative or noun.one,
        "dative": many if is_dative else many + data["dative"],
        "counter": noun.counter or data.get("counter", ""),
        **genders.get(noun.gender or "", {}),
    }


@cache
def _default_noun(language: Language) -> Noun:
    return Noun.model_validate(language_data(language)["noun"]["default"])
