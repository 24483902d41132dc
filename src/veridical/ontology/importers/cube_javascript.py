"""Cube's data model in JavaScript: the literals in calls of ``cube`` and ``view``.

Nothing is run. What a program computes stays as its text (``Code``), to be reported.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

_CALL = re.compile(r"\b(cube|view)\s*\(\s*")
_CONSTANT = re.compile(r"\b(?:const|let|var)\s+(\w+)\s*=\s*")
_REWRITE = re.compile(r"\b(?:queryRewrite|query_rewrite)\s*:\s*")
_IGNORED = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w$]*")
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_CLOSING: Final = {"{": "}", "[": "]", "(": ")"}
_QUOTES: Final = "'\"`"
_ESCAPES: Final = {"n": "\n", "t": "\t"}
_PLAIN: Final[Mapping[str, Any]] = {"true": True, "false": False, "null": None, "undefined": None}
_MERGE: Final = "Object.assign("
_NAMED_LISTS: Final = frozenset({"measures", "dimensions", "joins", "segments"})
_DEEPEST: Final = 60


class JavascriptError(ValueError):
    """Brackets or quotes that don't close."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line
        self.text = ""


class Code(str):
    """An expression as it is written."""

    __slots__ = ()


def parse_cubes(text: str) -> dict[str, Any]:
    """Cubes and views as Cube's YAML has them, ``computed`` parts, and ``rewrites`` of queries.

    Empty where the file has none of them. Raises ``JavascriptError``.
    """
    source = _Source(text)
    found: dict[str, list[Any]] = {"cubes": [], "views": [], "computed": [], "rewrites": []}
    for call in _CALL.finditer(text):
        if source.is_inside(call.start()):
            continue
        name, at = source.value(call.end())
        at = source.skip(at)
        if at >= len(text) or text[at] != ",":
            continue
        body, _ = source.value(at + 1)
        if isinstance(body, dict) and not isinstance(name, Code):
            whole = {"name": name, **_with_lists(_snake(body), str(name), found["computed"])}
            found[f"{call[1]}s"].append(whole)
        else:
            found["computed"].append({"path": str(name), "code": str(name)})
    for rewrite in _REWRITE.finditer(text):
        if not source.is_inside(rewrite.start()):
            found["rewrites"].append(str(source.value(rewrite.end())[0]))
    return found if any(found.values()) else {}


def _with_lists(cube: dict[str, Any], name: str, computed: list[Any]) -> dict[str, Any]:
    """The cube with lists of named members; what is computed is set aside."""
    plain: dict[str, Any] = {}
    for key, value in cube.items():
        if key in _NAMED_LISTS and isinstance(value, dict):
            members = value.items()
            plain[key] = [
                {"name": each, **_typed(body)} for each, body in members if isinstance(body, dict)
            ]
            code = {each: body for each, body in members if not isinstance(body, dict)}
            computed += [{"path": f"{name}.{key}", "code": body} for body in code.values()]
        elif key in _NAMED_LISTS and isinstance(value, Code):
            computed.append({"path": f"{name}.{key}", "code": str(value)})
        else:
            plain[key] = value
    return plain


def _typed(member: dict[str, Any]) -> dict[str, Any]:
    kind = member.get("type")
    return {**member, "type": _snake_name(kind)} if isinstance(kind, str) else member


def _snake(value: Any, *, is_list: bool = False) -> Any:
    """Cube's own keys as YAML writes them; the names of members stay."""
    if isinstance(value, list):
        return [_snake(each) for each in value]
    if not isinstance(value, dict):
        return value
    names = {key: key if is_list else _snake_name(key) for key in value}
    return {
        names[key]: _snake(each, is_list=names[key] in _NAMED_LISTS and not is_list)
        for key, each in value.items()
    }


def _snake_name(name: str) -> str:
    return _CAPITAL.sub("_", name).lower() if _NAME.fullmatch(name) else name


@dataclass(frozen=True, slots=True)
class _Source:
    """A file's text, read from a place on."""

    text: str

    def skip(self, at: int) -> int:
        """The place after blanks and comments."""
        found = _IGNORED.match(self.text, at)
        return found.end() if found else at

    def is_inside(self, place: int) -> bool:
        """True within a comment."""
        line = self.text[self.text.rfind("\n", 0, place) + 1 : place]
        return "//" in line or self.text.rfind("/*", 0, place) > self.text.rfind("*/", 0, place)

    def value(self, at: int, depth: int = 0) -> tuple[Any, int]:
        """The value that starts here, and the place after it."""
        at = self.skip(at)
        if depth > _DEEPEST or at >= len(self.text):
            raise JavascriptError(self._line(at))
        sign = self.text[at]
        end = self.end_of(at)
        if (plain := self.text[at:end].strip()) in _PLAIN:
            return _PLAIN[plain], end
        if sign in "{[" or sign in _QUOTES:
            value, after = self._literal(at, depth)
            if self.skip(after) == self.skip(end):
                return value, end
        code = self.text[at:end].strip()
        if code.startswith(_MERGE):
            return self._merged(at + len(_MERGE), depth), end
        return self._constant(code, depth), end

    def _literal(self, at: int, depth: int) -> tuple[Any, int]:
        if self.text[at] == "{":
            return self._object(at, depth)
        if self.text[at] == "[":
            items, after = self._items(at + 1, "]", depth)
            return items, after
        end = self._closing_quote(at)
        return _unescaped(self.text[at + 1 : end]), end + 1

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self.skip(at + 1)
        while self.text[at : at + 1] != "}":
            start, at = at, self._key_end(at)
            key = self.text[start:at].strip("'\"`")
            at = self.skip(at)
            if self.text[at : at + 1] == ":":
                value, at = self.value(at + 1, depth + 1)
            else:  # a shorthand, a method or a spread
                at = self.end_of(start)
                value = Code(self.text[start:at].strip())
            found[key] = value
            at = self.skip(at)
            if self.text[at : at + 1] == ",":
                at = self.skip(at + 1)
            elif self.text[at : at + 1] != "}":
                raise JavascriptError(self._line(at))
        return found, at + 1

    def _key_end(self, at: int) -> int:
        if self.text[at : at + 1] in tuple(_QUOTES):
            return self._closing_quote(at) + 1
        if self.text[at : at + 1] == "[":
            return self._bracket_end(at)
        found = _NAME.match(self.text, at)
        return found.end() if found else self.end_of(at)

    def _items(self, at: int, closing: str, depth: int) -> tuple[list[Any], int]:
        items: list[Any] = []
        at = self.skip(at)
        while self.text[at : at + 1] != closing:
            value, at = self.value(at, depth + 1)
            items.append(value)
            at = self.skip(at)
            if self.text[at : at + 1] == ",":
                at = self.skip(at + 1)
            elif self.text[at : at + 1] != closing:
                raise JavascriptError(self._line(at))
        return items, at + 1

    def _merged(self, at: int, depth: int) -> dict[str, Any]:
        """The members of all literals that ``Object.assign`` merges; the rest is code."""
        items, _ = self._items(at, ")", depth)
        found: dict[str, Any] = {}
        for number, each in enumerate(items):
            found |= each if isinstance(each, dict) else {f"({number})": each}
        return found

    def _constant(self, code: str, depth: int) -> Any:
        """The text behind a name that the file itself gives; else the code."""
        if _NAME.fullmatch(code):
            for found in _CONSTANT.finditer(self.text):
                if found[1] == code and self.text[found.end()] in _QUOTES:
                    return self._literal(found.end(), depth)[0]
        return Code(code)

    def end_of(self, at: int) -> int:
        """The place after an expression: the comma, bracket or semicolon that ends it."""
        while at < len(self.text):
            at = self.skip(at)
            sign = self.text[at : at + 1]
            if not sign or sign in ",;)]}":
                return at
            if sign in _QUOTES:
                at = self._closing_quote(at) + 1
            elif sign in _CLOSING:
                at = self._bracket_end(at)
            else:
                at += 1
        return at

    def _bracket_end(self, at: int) -> int:
        """The place after the bracket that closes the one here."""
        closing, start = [_CLOSING[self.text[at]]], at
        at += 1
        while closing:
            at = self.skip(at)
            sign = self.text[at : at + 1]
            if not sign:
                raise JavascriptError(self._line(start))
            if sign in _QUOTES:
                at = self._closing_quote(at)
            elif sign in _CLOSING:
                closing.append(_CLOSING[sign])
            elif sign == closing[-1]:
                closing.pop()
            at += 1
        return at

    def _closing_quote(self, at: int) -> int:
        """The place of the quote that closes the one here; templates hold templates."""
        quote, start = self.text[at], at
        at += 1
        while at < len(self.text):
            sign = self.text[at]
            if sign == quote:
                return at
            if sign == "\\":
                at += 1
            elif quote == "`" and self.text.startswith("${", at):
                at = self._bracket_end(at + 1) - 1
            at += 1
        raise JavascriptError(self._line(start))

    def _line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text)
