"""Reads measures and conditions as models write them: SQL's arithmetic, columns by any name."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from veridical.facts.kernel import expression as ex
from veridical.facts.kernel.judged import Named
from veridical.facts.kernel.value import FactError, Reason
from veridical.late_pattern import late_pattern

_LONGEST = 2_000
_DEEPEST = 40
_MOST_OPERATIONS = 40
_MOST_CONSTANTS = 200
_SPACE = late_pattern(r"\s*")
_NUMBER = late_pattern(r"\d{1,3}(?:[,_'’]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_QUOTED = late_pattern(r"'((?:[^']|'')*)'|\"([^\"]*)\"|`([^`]*)`|[“‘]([^”’]*)[”’]")
_WORD = late_pattern(r"[^\W\d]\w*")
_SIGN = late_pattern(r"<=|>=|<>|!=|==|&&|\|\||[-+*/=<>(),.\[\]%]|[≤≥≠×÷−–·]")
_SIGNS = {"==": "=", "<>": "!=", "≤": "<=", "≥": ">=", "≠": "!=", "×": "*", "·": "*", "÷": "/",
          "−": "-", "–": "-", "&&": "and", "||": "or"}  # fmt: skip
_COMPARATORS = frozenset({"=", "!=", "<", "<=", ">", ">="})
_FUNCTIONS = {
    "sum": "sum", "total": "sum", "avg": "avg", "mean": "avg", "average": "avg",
    "median": "median", "min": "min", "max": "max", "count": "count", "distinct": "distinct",
    "wavg": "wavg", "pct": "pct", "share": "pct", "ratio": "ratio", "growth": "growth",
    "contains": "contains", "abs": "abs", "year": "year", "month": "month",
}  # fmt: skip
_KEYWORDS = frozenset({"and", "or", "not", "in", "is", "between", "like", "as", "null", "true",
                       "false"})  # fmt: skip


class Token(NamedTuple):
    """One sign, word, name, number or text."""

    kind: str
    text: str
    end: int


def read_measure(
    text: str, columns: Sequence[str], results: Sequence[str], judged: Named = ()
) -> ex.Measure:
    """A measure, with its name where it has one. Raises ``FactError``."""
    return _read_measure(text, tuple(columns), tuple(results), judged)


def read_condition(
    text: str, columns: Sequence[str], results: Sequence[str], judged: Named = ()
) -> ex.Expression:
    """A condition, or the name of one. Raises ``FactError``."""
    return _read_condition(text, tuple(columns), tuple(results), judged)


@lru_cache(maxsize=4096)
def _read_measure(
    text: str, columns: tuple[str, ...], results: tuple[str, ...], judged: Named
) -> ex.Measure:
    reader = _Reader(text, columns, results, judged)
    found = reader.disjunction()
    written, alias = text[: reader.at].strip(), ""
    if reader.takes("as"):
        alias = reader.alias()
    reader.end()
    return ex.Measure(found, written, alias)


@lru_cache(maxsize=4096)
def _read_condition(
    text: str, columns: tuple[str, ...], results: tuple[str, ...], judged: Named = ()
) -> ex.Expression:
    reader = _Reader(text, columns, results, judged)
    found = reader.disjunction()
    reader.end()
    return found


def forget() -> None:
    """Clears the cache of texts that were read."""
    _read_measure.cache_clear()
    _read_condition.cache_clear()
    _longest_first.cache_clear()


class _Reader:
    """A descent over one text. Names of columns are taken whole, the longest first."""

    def __init__(
        self, text: str, columns: tuple[str, ...], results: tuple[str, ...], judged: Named = ()
    ) -> None:
        if len(text) > _LONGEST:
            raise FactError(Reason.SYNTAX, text[:60])
        self._text = text
        self._names = _longest_first(columns)
        self._results = frozenset(results)
        self._judged = {called: (name, condition) for called, name, condition in judged}
        self._judgements = _longest_first(tuple(self._judged))
        self._depth = 0
        self._operations = 0
        self._ahead: tuple[int, Token | None] | None = None
        self.at = 0

    def disjunction(self) -> ex.Expression:
        """Conditions with ``or`` between them."""
        self._deeper()
        found = [self._conjunction()]
        while self.takes("or"):
            found.append(self._conjunction())
        self._depth -= 1
        return found[0] if len(found) == 1 else ex.Either(tuple(found))

    def _conjunction(self) -> ex.Expression:
        found = [self._negation()]
        while self.takes("and"):
            found.append(self._negation())
        return found[0] if len(found) == 1 else ex.Every(tuple(found))

    def _negation(self) -> ex.Expression:
        if self.takes("not"):
            self._deeper()
            found = ex.Not(self._negation())
            self._depth -= 1
            return found
        return self._comparison()

    def _comparison(self) -> ex.Expression:
        self._longer()
        left = self._sum()
        operator = self._sign(_COMPARATORS)
        if operator:
            right = self._sum()
            if isinstance(right, ex.Judged):
                raise self._error(right.name)
            first = ex.Compare(operator, left, right)
            again = self._sign(_COMPARATORS)
            if again:  # 10 <= x < 20
                return ex.Every((first, ex.Compare(again, right, self._sum())))
            return first
        if self.takes("is"):
            negated = self.takes("not")
            if self.takes("null"):
                return ex.Blank(left, negated)
            other = ex.Compare("=", left, self._sum())
            return ex.Not(other) if negated else other
        negated = self.takes("not")
        if self.takes("in"):
            return ex.OneOf(left, self._constants(), negated)
        found = self._contained(left)
        if found is None:
            if negated:
                raise self._error()
            return left
        return ex.Not(found) if negated else found

    def _contained(self, left: ex.Expression) -> ex.Expression | None:
        if self.takes("between"):
            low = self._sum()
            self._expect("and")
            high = self._sum()
            return ex.Every((ex.Compare(">=", left, low), ex.Compare("<=", left, high)))
        if self.takes("like"):
            right = self._sum()
            if not isinstance(right, ex.Text):
                raise self._error()
            return ex.Contains(left, right.value.strip("%"))
        return None

    def _constants(self) -> tuple[ex.Constant, ...]:
        closing = "]" if self.takes("[") else ")"
        if closing == ")":
            self._expect("(")
        found: list[ex.Constant] = []
        while True:
            each = self._sum()
            if not isinstance(each, ex.Number | ex.Text | ex.Truth):
                raise self._error()
            found.append(each)
            if len(found) > _MOST_CONSTANTS:
                raise self._error()
            if not self.takes(","):
                break
        self._expect(closing)
        return tuple(found)

    def _sum(self) -> ex.Expression:
        found = self._product()
        while operator := self._sign(("+", "-")):
            self._longer()
            found = ex.Arithmetic(operator, found, self._product())
        return found

    def _product(self) -> ex.Expression:
        found = self._unary()
        while operator := self._sign(("*", "/")):
            self._longer()
            found = ex.Arithmetic(operator, found, self._unary())
        return found

    def _unary(self) -> ex.Expression:
        if self.takes("-"):
            self._deeper()
            found = self._unary()
            self._depth -= 1
            if isinstance(found, ex.Number):
                return ex.Number(-found.value, found.is_percent)
            return ex.Arithmetic("-", ex.Number(0.0), found)
        return self._primary()

    def _primary(self) -> ex.Expression:
        token = self._next()
        match token.kind:
            case "number":
                is_percent = self.takes("%")
                value = float(re.sub(r"[,_'’]", "", token.text))
                return ex.Number(value / 100 if is_percent else value, is_percent)
            case "text":
                return ex.Text(token.text)
            case "column":
                return ex.Column(token.text)
            case "judgement":
                name, condition = self._judged[token.text]
                columns = tuple(name for _, name in self._names)
                return ex.Judged(name, _read_condition(condition, columns, ()))
            case "word":
                return self._word(token.text)
            case _:
                pass
        if token.text != "(":
            raise self._error(token.text)
        found = self.disjunction()
        self._expect(")")
        return found

    def _word(self, word: str) -> ex.Expression:
        folded = word.casefold()
        if folded in ("true", "false"):
            return ex.Truth(folded == "true")
        following = self._peek()
        if word in self._results and following and following.text in (".", "["):
            return self._other(word)
        if following and following.text == "(" and folded in _FUNCTIONS:
            return self._call(_FUNCTIONS[folded])
        raise FactError(Reason.NO_COLUMN, word, [name for _, name in self._names])

    def _other(self, result: str) -> ex.Expression:
        """A column of another result, or one cell of it."""
        row = None
        if self.takes("["):
            token = self._next()
            row = token.text
            self._expect("]")
        self._expect(".")
        token = self._next()
        if token.kind not in ("word", "column", "text", "number"):
            raise self._error(token.text)
        name = token.text
        while self.takes("."):
            name += "." + self._next().text
        return ex.Column(name, result) if row is None else ex.Cell(result, row, name)

    def _call(self, function: str) -> ex.Expression:
        self._expect("(")
        if function == "count" and (self.takes("*") or self._is_next(")")):
            self._expect(")")
            return ex.Call("count", ())
        if function == "count" and self.takes("distinct"):
            function = "distinct"
        arguments = [self.disjunction()]
        while self.takes(","):
            arguments.append(self.disjunction())
        self._expect(")")
        if function == "contains":
            operand, text = arguments if len(arguments) == 2 else (None, None)
            if operand is None or not isinstance(text, ex.Text):
                raise self._error("contains")
            return ex.Contains(operand, text.value)
        return ex.Call(function, tuple(arguments))

    def alias(self) -> str:
        """The name behind ``as``: a word, a quoted text, or all that is left."""
        quoted = _QUOTED.match(self._text, _skip(self._text, self.at))
        if quoted:
            self.at = quoted.end()
            return next(group for group in quoted.groups() if group is not None)
        found = self._text[self.at :].strip()
        self.at = len(self._text)
        return found

    def end(self) -> None:
        """Raises ``FactError`` where something is left."""
        if self._text[self.at :].strip():
            raise self._error(self._text[self.at :].strip())

    def takes(self, text: str) -> bool:
        """True if this sign or word comes next; it is read then."""
        token = self._peek()
        if token is None or token.kind not in ("word", "sign") or token.text.casefold() != text:
            return False
        self.at = token.end
        return True

    def _sign(self, among: Collection[str]) -> str:
        """The sign that comes next, if it is one of these; it is read then."""
        token = self._peek()
        if token is None or token.kind != "sign" or token.text not in among:
            return ""
        self.at = token.end
        return token.text

    def _is_next(self, text: str) -> bool:
        token = self._peek()
        return token is not None and token.text == text

    def _expect(self, text: str) -> None:
        if not self.takes(text):
            raise self._error(text)

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._error()

    def _longer(self) -> None:
        """Each operation is one more over all rows, and a level more of the tree."""
        self._operations += 1
        if self._operations > _MOST_OPERATIONS:
            raise self._error()

    def _next(self) -> Token:
        token = self._peek()
        if token is None:
            raise self._error()
        self.at = token.end
        return token

    def _peek(self) -> Token | None:
        """The next token; it is looked at several times before it is taken."""
        if self._ahead is None or self._ahead[0] != self.at:
            self._ahead = (self.at, self._token())
        return self._ahead[1]

    def _token(self) -> Token | None:
        text, start = self._text, _skip(self._text, self.at)
        if start >= len(text):
            return None
        quoted = _QUOTED.match(text, start)
        if quoted:
            return self._quoted(quoted)
        named = self._named(start, self._names, "column") or (
            self._named(start, self._judgements, "judgement")
        )
        if named:
            return named
        for kind, pattern in (("number", _NUMBER), ("word", _WORD), ("sign", _SIGN)):
            match = pattern.match(text, start)
            if match:
                found = _SIGNS.get(match[0], match[0])
                return Token("word" if found in _KEYWORDS else kind, found, match.end())
        raise self._error(text[start:])

    def _quoted(self, match: re.Match[str]) -> Token:
        """Double quotes and backticks name a column where there is such, else all are texts."""
        single, *others = match.groups()
        if single is not None:
            return Token("text", single.replace("''", "'"), match.end())
        content = next(each for each in others if each is not None)
        name = next((name for folded, name in self._names if folded == content.casefold()), None)
        return Token("text" if name is None else "column", name or content, match.end())

    def _named(self, start: int, names: Sequence[tuple[str, str]], kind: str) -> Token | None:
        """The longest name of a column or a judgement that stands here as a whole."""
        text = self._text
        folded = text[start : start + 200].casefold()
        for name, spelt in names:
            if not name or not folded.startswith(name):
                continue
            end = start + len(spelt)
            after = text[end : end + 1]
            whole = not (name[-1].isalnum() or name[-1] == "_") or not (
                after.isalnum() or after == "_"
            )
            is_function = after == "(" and name in _FUNCTIONS
            if whole and not is_function and text[start:end].casefold() == name:
                return Token(kind, spelt, end)
        return None

    def _error(self, at: str = "") -> FactError:
        return FactError(Reason.SYNTAX, at.strip()[:40] or self._text[:80])


@lru_cache(maxsize=64)
def _longest_first(columns: tuple[str, ...]) -> list[tuple[str, str]]:
    return sorted(((each.casefold(), each) for each in columns), key=lambda each: -len(each[0]))


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at
