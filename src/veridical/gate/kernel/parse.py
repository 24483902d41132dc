"""The text of an expression to the expression: a small grammar, read by recursive descent."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from veridical.evidence.table import Table
from veridical.evidence.unit import unit_dimension
from veridical.gate.kernel import expression as ex
from veridical.gate.kernel.own_cells import own_cells
from veridical.gate.kernel.value import EvaluationError, Reason
from veridical.late_pattern import late_pattern
from veridical.reading.punctuation import LIST_MARKS, marks

_TOKEN = late_pattern(
    r"\s*(?:(?P<date>(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?(?![\w.-]))"
    r"|(?P<number>\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<percent>\s?["
    + marks("%")
    + r"])?"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<sign>>=|<=|!=|==|[≥≤≠><=~()\[\].,+*/×÷−-])"
    r"|(?P<quoted>\"[^\"]*\"|'[^']*'))"
)
_COMPARATOR = late_pattern(r">=|<=|!=|==|[≥≤≠><=~]")
_SPELT = {"==": "=", "≥": ">=", "≤": "<=", "≠": "!=", "×": "*", "÷": "/", "−": "-"}
_BARE = late_pattern(r"\s*([^()\[\]{}|,]+)")
_PLACE = late_pattern(r"#(\d{1,6})")
_RANGE = late_pattern(r"(.+?)\s*\.\.\s*(.+)")
_FUNCTIONS = {each.value: each for each in ex.Function}
_QUANTIFIERS = {each.value: each for each in ex.Quantifier}
_COURSES = {each.value: each for each in ex.Course}
_EMPTY = "empty"
_COUNT = "count"
_DEEPEST = 24
_LONGEST = 2_000
_ROWS = (ex.Table, ex.Row, ex.Named, ex.Nth, ex.Where, ex.Blank, ex.Range, ex.Ranked, ex.Sorted,
         ex.Group)  # fmt: skip
_CONDITIONS = (ex.Compare, ex.Same, ex.Within, ex.Quantified, ex.Runs, ex.Not)
_SERIES = (ex.Cells, ex.Own, ex.Arithmetic, ex.Share, ex.Change)


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


Names = Mapping[str, ex.Expression]


def parse(text: str, tables: Mapping[str, Table], names: Names) -> ex.Expression:
    """The expression or condition that a text says. Raises ``EvaluationError``."""
    if len(text) > _LONGEST:
        raise EvaluationError(Reason.SYNTAX, text[:40])
    reader = _Reader(text, tables, names)
    found = reader.condition()
    reader.end()
    return found


def is_rows(expression: ex.Expression) -> TypeGuard[ex.Rows]:
    """Whether it selects rows."""
    return isinstance(expression, _ROWS)


def is_scalar(expression: ex.Expression) -> TypeGuard[ex.Scalar]:
    """Whether it is one value."""
    return not isinstance(expression, (*_ROWS, *_CONDITIONS))


def is_condition(expression: ex.Expression) -> TypeGuard[ex.Condition]:
    """Whether it is true or false."""
    return isinstance(expression, _CONDITIONS)


class _Reader:
    """One text, read from left to right."""

    def __init__(
        self, text: str, tables: Mapping[str, Table], names: Names, *, own: bool = False,
        depth: int = 0,
    ) -> None:  # fmt: skip
        self._text = text
        self._tables = tables
        self._names = names
        self._own = own
        self._at = 0
        self._depth = depth
        self._deeper()

    def condition(self) -> ex.Expression:
        """An expression, or a comparison of two."""
        left = self.sum()
        token = self._peek()
        if token is not None and token.text == "in":
            self._next()
            return ex.Within(self._as_rows(left), self._as_rows(self.sum()))
        if token is None or not _COMPARATOR.fullmatch(token.text):
            return left
        self._next()
        comparator = ex.Comparator(_SPELT.get(token.text, token.text))
        if isinstance(left, ex.Cells) and self._at_empty():
            blank = ex.Blank(left.rows, left.column, comparator is ex.Comparator.EQUAL)
            return ex.Within(left.rows, blank)
        right = self._right(left)
        if is_rows(left) and is_rows(right):
            if comparator is ex.Comparator.EQUAL:
                return ex.Same(left, right)
            if comparator is ex.Comparator.OTHER:
                return ex.Not(ex.Same(left, right))
        return ex.Compare(self._scalar(left), comparator, self._scalar(right))

    def _at_empty(self) -> bool:
        """Whether the cell is compared with nothing: ``a.closed = empty``."""
        token = self._peek()
        if token is None or token.text.casefold() != _EMPTY:
            return False
        self._next()
        return True

    def _right(self, left: ex.Expression) -> ex.Expression:
        """What a value is compared with; words that are no expression are a text."""
        start = self._at
        try:
            return self.sum()
        except EvaluationError:
            bare = _BARE.match(self._text, start)
            if bare is None or is_rows(left):
                raise
            self._at = bare.end()
            return ex.Text(bare[1].strip())

    def sum(self) -> ex.Expression:
        """Products, added and subtracted."""
        return self._chain(self._product, ("+", "-", "−"))

    def _product(self) -> ex.Expression:
        return self._chain(self._factor, ("*", "/", "×", "÷"))

    def _chain(self, part: Callable[[], ex.Expression], signs: Sequence[str]) -> ex.Expression:
        left = part()
        while (token := self._peek()) is not None and token.text in signs:
            self._next()
            operator = ex.Operator(_SPELT.get(token.text, token.text))
            left = ex.Arithmetic(operator, self._scalar(left), self._scalar(part()))
        return left

    def _factor(self) -> ex.Expression:
        if self._own and (column := self._column()) is not None:
            return ex.Own(column)
        token = self._next()
        match token.kind:
            case "number":
                return self._number(token.text)
            case "date":
                return ex.Text(token.text)
            case "quoted":
                return ex.Text(token.text[1:-1])
            case "name":
                return self._named(token)
            case _:
                pass
        if token.text == "(":
            self._deeper()
            found = self.condition()
            self._expect(")")
            return found
        if token.text in ("-", "−"):
            return ex.Arithmetic(ex.Operator.MINUS, ex.Number(0.0), self._scalar(self._factor()))
        raise self._error()

    def _number(self, text: str) -> ex.Number:
        plain = re.sub(r"[,'’\s]", "", text)
        if plain[-1] in marks("%"):
            return ex.Number(float(plain[:-1]), "%")
        following = self._peek()
        if following is not None and following.kind == "name" and self._is_unit(following.text):
            self._next()
            return ex.Number(float(plain), following.text)
        return ex.Number(float(plain))

    def _is_unit(self, text: str) -> bool:
        known = text == "in" or text in self._names or text in self._tables
        return not known and unit_dimension(text) is not None

    def _named(self, token: _Token) -> ex.Expression:
        following = self._peek()
        if following is not None and following.text == "(" and following.start == token.end:
            self._next()
            self._deeper()
            return self._call(token)
        base = self._names.get(token.text)
        if base is None and token.text in self._tables:
            base = ex.Table(token.text)
        if base is None:
            raise self._error(token.text)
        return self._selected(base)

    def _selected(self, base: ex.Expression) -> ex.Expression:
        """What follows the name of rows: conditions in brackets, a column behind a point."""
        while (token := self._peek()) is not None and token.text in ("[", "."):
            self._next()
            rows = self._as_rows(base)
            if token.text == ".":
                column = self._column()
                if column is None:
                    raise EvaluationError(Reason.NO_COLUMN, self._text[self._at :][:30])
                return ex.Cells(rows, column)
            base = self._filter(rows, self._bracketed())
        return base

    def _column(self) -> str | None:
        """The longest name of a column that stands here."""
        rest = self._text[self._at :].lstrip()
        folded = rest.casefold()
        known = {each.name for table in self._tables.values() for each in table.columns}
        known |= {name for table in self._tables.values() for name in table.held}
        for name in sorted({*known, _COUNT}, key=len, reverse=True):
            behind = rest[len(name) : len(name) + 1]
            if folded.startswith(name.casefold()) and not re.match(r"\w", behind):
                if name == _COUNT and behind == "(":
                    continue
                self._at = len(self._text) - len(rest) + len(name)
                return name
        return None

    def _bracketed(self) -> str:
        """The text up to the bracket that closes."""
        depth, start = 1, self._at
        while self._at < len(self._text):
            sign = self._text[self._at]
            depth += (sign == "[") - (sign == "]")
            self._at += 1
            if depth == 0:
                return self._text[start : self._at - 1].strip()
        raise self._error()

    def _filter(self, rows: ex.Rows, text: str) -> ex.Rows:
        if place := _PLACE.fullmatch(text):
            return ex.Nth(rows, int(place[1]))
        if text[:1] in ("'", '"') and text[-1:] == text[:1] and len(text) > 1:
            return ex.Row(rows, text[1:-1])
        comparator = _COMPARATOR.search(text)
        if comparator is not None and comparator.start():
            return self._where(rows, text, comparator)
        if found := _RANGE.fullmatch(text):
            return ex.Range(rows, found[1], found[2])
        if isinstance(self._names.get(text), ex.Cells):
            raise self._error(text)
        values = tuple(
            each.strip().strip("'\"") for each in re.split(f"[{marks(',') + LIST_MARKS}]", text)
        )
        if len(values) > 1 and all(values):
            return ex.Named(rows, (text, *values))
        return ex.Row(rows, text)

    def _where(self, rows: ex.Rows, text: str, sign: re.Match[str]) -> ex.Rows:
        left = self._inner(text[: sign.start()])
        right_text = text[sign.end() :].strip()
        comparator = ex.Comparator(_SPELT.get(sign[0], sign[0]))
        equal = comparator is ex.Comparator.EQUAL
        if right_text.casefold() == _EMPTY and isinstance(left, ex.Own):
            return ex.Blank(rows, left.column, is_blank=equal)
        try:
            right = self._inner(right_text)
        except EvaluationError:
            right = ex.Text(right_text.strip("'\""))
        return ex.Where(rows, left, comparator, right)

    def _inner(self, text: str) -> ex.Scalar:
        reader = _Reader(text, self._tables, self._names, own=True, depth=self._depth)
        found = reader.sum()
        reader.end()
        return self._scalar(found)

    def _call(self, token: _Token) -> ex.Expression:
        if token.text in _QUANTIFIERS:
            return self._quantified(_QUANTIFIERS[token.text])
        arguments = self._arguments()
        made = self._function(token.text, arguments[0], arguments[1:])
        if made is None:
            raise self._error(token.text)
        return self._selected(made) if is_rows(made) else made

    def _function(
        self, name: str, one: ex.Expression, more: Sequence[ex.Expression]
    ) -> ex.Expression | None:
        if name in _FUNCTIONS and not more:
            return ex.Reduced(_FUNCTIONS[name], self._series(one))
        if name in _COURSES and not more:
            return ex.Runs(_COURSES[name], self._series(one))
        match name, len(more):
            case "not", 0 if is_condition(one):
                return ex.Not(one)
            case "count", 0:
                return ex.Count(one.rows if isinstance(one, ex.Cells) else self._as_rows(one))
            case "year", 0 if isinstance(one, ex.Cells | ex.Own):
                return ex.Year(one)
            case "share", 1:
                return ex.Share(self._scalar(one), self._scalar(more[0]))
            case "change", 1:
                return ex.Change(self._scalar(one), self._scalar(more[0]))
            case "top" | "bottom", 0 | 1:
                last = self._whole(more[0]) if more else 1
                sign = 1 if name == "top" else -1
                return ex.Ranked(self._series(one), sign, sign * last)
            case "nth", 1:
                rank = self._whole(more[0])
                return ex.Ranked(self._series(one), rank, rank)
            case "sort" | "rsort", 0:
                return ex.Sorted(self._series(one), descending=name == "sort")
            case "group", 0 if isinstance(one, ex.Cells):
                return ex.Group(one.rows, one.column)
            case _:
                return None

    def _quantified(self, quantifier: ex.Quantifier) -> ex.Expression:
        found = self.condition()
        self._expect(")")
        if isinstance(found, ex.Within) and isinstance(found.right, ex.Blank):
            is_all = quantifier is ex.Quantifier.ALL
            return found if is_all else ex.Quantified(quantifier, found.right)
        if isinstance(found, ex.Compare):
            rows, left = own_cells(found.left)
            if rows is not None:
                _, right = own_cells(found.right, rows)
                return ex.Quantified(quantifier, rows, (left, found.comparator, right))
        return ex.Quantified(quantifier, self._as_rows(found))

    def _arguments(self) -> list[ex.Expression]:
        found = [self.condition()]
        while (token := self._next()).text == ",":
            found.append(self.condition())
        if token.text != ")":
            raise self._error(token.text)
        return found

    def _as_rows(self, found: ex.Expression) -> ex.Rows:
        if not is_rows(found):
            raise self._error()
        return found

    def _series(self, found: ex.Expression) -> ex.Series:
        if not isinstance(found, _SERIES):
            raise self._error()
        return found

    def _scalar(self, found: ex.Expression) -> ex.Scalar:
        if not is_scalar(found):
            raise self._error()
        return found

    def _whole(self, found: ex.Expression) -> int:
        negative = isinstance(found, ex.Arithmetic)
        number = found.right if isinstance(found, ex.Arithmetic) else found
        if not isinstance(number, ex.Number) or not number.value.is_integer() or not number.value:
            raise self._error()
        return -int(number.value) if negative else int(number.value)

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error()

    def end(self) -> None:
        """Raises ``EvaluationError`` where something is left."""
        if self._text[self._at :].strip():
            raise self._error(self._text[self._at :])

    def _expect(self, sign: str) -> None:
        if self._next().text != sign:
            raise self._error(sign)

    def _error(self, at: str = "") -> EvaluationError:
        return EvaluationError(Reason.SYNTAX, at.strip()[:30] or self._text[:60])

    def _peek(self) -> _Token | None:
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            return None
        kind = "number" if match["number"] else str(match.lastgroup)
        start = match.start(kind)
        return _Token(kind, self._text[start : match.end()], start, match.end())

    def _next(self) -> _Token:
        token = self._peek()
        if token is None:
            raise self._error()
        self._at = token.end
        return token
