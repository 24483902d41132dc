"""LookML as text: blocks, their parameters, and expressions that end with ``;;``."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_SPACE = re.compile(r"(?:\s|#[^\n]*)*")
_KEY = re.compile(r"([A-Za-z_]\w*)\s*:")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.S)
_BARE = re.compile(r"[^\s{}\[\],\":#]+(?::[^\s{}\[\],\":#]+)*")
_CODE = frozenset({"html", "expression", "expression_custom_filter"})
"""Parameters beside ``sql…`` whose text ends with ``;;``."""
_END = ";;"


class LookmlError(ValueError):
    """The text is no LookML from this line on."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(text)
        self.line = line
        self.text = text


@dataclass(frozen=True, slots=True)
class Pair:
    """One item of a list that has a name: ``status: "paid"``."""

    name: str
    value: str


Value = "str | Block | tuple[str | Pair, ...]"


@dataclass(slots=True)
class Block:
    """``view: orders { … }``: its kind, its name and its parameters in order."""

    kind: str = ""
    name: str = ""
    parts: list[tuple[str, "str | Block | tuple[str | Pair, ...]"]] = field(
        default_factory=list[tuple[str, "str | Block | tuple[str | Pair, ...]"]]
    )

    def text(self, key: str) -> str:
        """The last text of this parameter, or nothing."""
        return next(
            (
                value
                for name, value in reversed(self.parts)
                if name == key and isinstance(value, str)
            ),
            "",
        )

    def is_on(self, key: str) -> bool:
        """True if the parameter is ``yes``."""
        return self.text(key).strip().lower() == "yes"

    def blocks(self, *kinds: str) -> Iterator["Block"]:
        """The blocks of these kinds in it."""
        for name, value in self.parts:
            if name in kinds and isinstance(value, Block):
                yield value

    def items(self, key: str) -> Iterator[str | Pair]:
        """The items of all lists of this name."""
        for name, value in self.parts:
            if name == key and isinstance(value, tuple):
                yield from value

    def filters(self) -> Iterator[Pair]:
        """Field and value of each filter, in both spellings."""
        yield from (each for each in self.items("filters") if isinstance(each, Pair))
        for each in self.blocks("filters", "filter"):
            if each.text("field"):
                yield Pair(each.text("field"), each.text("value"))


def parse_lookml(text: str) -> Block:
    """The file as one block. Raises ``LookmlError``."""
    reader = _Reader(text)
    block = Block()
    reader.fill(block, is_file=True)
    return block


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0

    def fill(self, block: Block, *, is_file: bool) -> None:
        """Reads parameters up to the end of the block."""
        while True:
            self._skip()
            if self.at >= len(self.text):
                if not is_file:
                    raise self._error()
                return
            if self.text[self.at] == "}" and not is_file:
                self.at += 1
                return
            found = _KEY.match(self.text, self.at)
            if found is None:
                raise self._error()
            self.at = found.end()
            block.parts.append((found[1], self._value(found[1])))

    def _value(self, key: str) -> "str | Block | tuple[str | Pair, ...]":
        self._skip()
        if key.startswith("sql") or key in _CODE:
            return self._code()
        if self._next("{"):
            return self._block(key, "")
        if self._next("["):
            return tuple(self._list())
        word = self._word()
        before = self.at
        self._skip()
        if self._next("{"):
            return self._block(key, word)
        self.at = before
        return word

    def _block(self, kind: str, name: str) -> Block:
        block = Block(kind, name)
        self.fill(block, is_file=False)
        return block

    def _list(self) -> Iterator[str | Pair]:
        while True:
            self._skip()
            if self._next("]"):
                return
            if self._next(","):
                continue
            name = self._word(in_list=True)
            self._skip()
            if self._next(":"):
                self._skip()
                yield Pair(name, self._word())
            else:
                yield name

    def _code(self) -> str:
        end = self.text.find(_END, self.at)
        if end < 0:
            raise self._error()
        code = self.text[self.at : end].strip()
        self.at = end + len(_END)
        return code

    def _word(self, *, in_list: bool = False) -> str:
        if found := _STRING.match(self.text, self.at):
            self.at = found.end()
            return re.sub(r'\\(["\\])', r"\1", found[1])
        found = (_NAME if in_list else _BARE).match(self.text, self.at)
        if found is None:
            raise self._error()
        self.at = found.end()
        return found[0]

    def _next(self, sign: str) -> bool:
        if self.text.startswith(sign, self.at):
            self.at += len(sign)
            return True
        return False

    def _skip(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _error(self) -> LookmlError:
        before = self.text[: self.at]
        start = before.rfind("\n") + 1
        line = self.text[start:].partition("\n")[0].strip()
        return LookmlError(before.count("\n") + 1, line)


_NAME = re.compile(r"[^\s{}\[\],\":#]+")
