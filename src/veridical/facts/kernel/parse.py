"""Reads measures and conditions as models write them: SQL's arithmetic, columns by any name."""

import re
from collections.abc import Callable, Collection, Sequence
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
_BOTH = 2
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


@lru_cache(maxsize=4096)
def read_measure(
    text: str, columns: tuple[str, ...], results: tuple[str, ...], judged: Named = (),
    own: frozenset[str] = frozenset(),
) -> ex.Measure:  # fmt: skip
    """A measure, with its name where it has one. The columns are those of the results ``own``.
    Raises ``FactError``."""
    reader = _Reader(text, columns, results, judged, own)
    found = reader.disjunction()
    written = text[: reader.at].strip()
    alias = reader.alias() if reader.takes("as") else ""
    reader.end()
    return ex.Measure(found, written, alias)


def read_condition(
    text: str, columns: tuple[str, ...], results: tuple[str, ...], judged: Named = (),
    own: frozenset[str] = frozenset(),
) -> ex.Expression:  # fmt: skip
    """A condition, or the name of one. Raises ``FactError``."""
    found = read_measure(text, columns, results, judged, own)
    if found.text != text.strip():
        raise FactError(Reason.SYNTAX, text.strip().removeprefix(found.text).strip()[:40])
    return found.expression


def forget() -> None:
    """Clears the cache of texts that were read."""
    read_measure.cache_clear()
    _longest_first.cache_clear()


class _Reader:
    """A descent over one text. Names of columns are taken whole, the longest first."""

    def __init__(
        self, text: str, columns: tuple[str, ...], results: tuple[str, ...], judged: Named,
        own: frozenset[str],
    ) -> None:  # fmt: skip
        if len(text) > _LONGEST:
            raise FactError(Reason.SYNTAX, text[:60])
        self._text = text
        self._names = _longest_first(columns)
        self._results, self._own = results, own
        self._judged = {called: (name, condition) for called, name, condition in judged}
        self._judgements = _longest_first(tuple(self._judged))
        self._depth = self._operations = self.at = 0
        self._ahead: tuple[int, Token | None] | None = None

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
        if self._peek() is None:
            return left
        if operator := self._sign(_COMPARATORS):
            return self._compared(operator, left)
        negated = False
        if self.takes("is"):
            negated = self.takes("not")
            if self.takes("null"):
                return ex.Blank(left, negated)
            found: ex.Expression = ex.Compare("=", left, self._sum())
        else:
            negated = self.takes("not")
            if self.takes("in"):
                return ex.OneOf(left, self._constants(), negated)
            if self.takes("between"):
                low = ex.Compare(">=", left, self._sum())
                self._expect("and")
                found = ex.Every((low, ex.Compare("<=", left, self._sum())))
            elif self.takes("like"):
                found = ex.Contains(left, self._pattern(self._sum()).strip("%"))
            elif negated:
                raise self._error()
            else:
                return left
        return ex.Not(found) if negated else found

    def _compared(self, operator: str, left: ex.Expression) -> ex.Expression:
        right = self._sum()
        if isinstance(right, ex.Judged):
            raise self._error(right.name)
        first = ex.Compare(operator, left, right)
        if again := self._sign(_COMPARATORS):  # 10 <= x < 20
            return ex.Every((first, ex.Compare(again, right, self._sum())))
        return first

    def _pattern(self, text: ex.Expression) -> str:
        if not isinstance(text, ex.Text):
            raise self._error()
        return text.value

    def _constants(self) -> tuple[ex.Constant, ...]:
        closing = "]" if self.takes("[") else ")"
        if closing == ")":
            self._expect("(")
        found: list[ex.Constant] = []
        while not found or self.takes(","):
            each = self._sum()
            if not isinstance(each, ex.Number | ex.Text | ex.Truth) or (
                len(found) == _MOST_CONSTANTS
            ):
                raise self._error()
            found.append(each)
        self._expect(closing)
        return tuple(found)

    def _sum(self) -> ex.Expression:
        return self._chain("+-", lambda: self._chain("*/", self._unary))

    def _chain(self, signs: str, operand: Callable[[], ex.Expression]) -> ex.Expression:
        """Operands with these signs between them, from left to right."""
        found = operand()
        while operator := self._sign(signs):
            self._longer()
            found = ex.Arithmetic(operator, found, operand())
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
                return ex.Judged(name, read_condition(condition, columns, ()))
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
            row = self._next().text
            self._expect("]")
        self._expect(".")
        token = self._next()
        if token.kind not in ("word", "column", "text", "number"):
            raise self._error(token.text)
        name = token.text
        while self.takes("."):
            name += "." + self._next().text
        if row is not None:
            return ex.Cell(result, row, name)
        if result not in self._own:
            return ex.Column(name, result)
        joined = f"{result}.{name}"
        is_joined = any(folded == joined.casefold() for folded, _ in self._names)
        return ex.Column(joined if is_joined else name)

    def _call(self, function: str) -> ex.Expression:
        self._expect("(")
        if function == "count":
            if self.takes("*"):
                self._expect(")")
                return ex.Call("count", ())
            if self.takes(")"):
                return ex.Call("count", ())
            function = "distinct" if self.takes("distinct") else "count"
        arguments = [self.disjunction()]
        while self.takes(","):
            arguments.append(self.disjunction())
        self._expect(")")
        if function != "contains":
            return ex.Call(function, tuple(arguments))
        if len(arguments) != _BOTH:
            raise self._error("contains")
        return ex.Contains(arguments[0], self._pattern(arguments[1]))

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
