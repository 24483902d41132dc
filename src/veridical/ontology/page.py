"""A prompt as it is filled: lines under headings, within a budget of tokens."""

from collections.abc import Iterable
from functools import lru_cache

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.lines import Depth
from veridical.ontology.pieces import Piece, Section
from veridical.ontology.tokens import estimate_tokens

MORE = " …"
"""Ends a line of which not all of the owner's words are told."""
_REMEMBERED_COSTS = 20_000


class Page:
    """Lines within a budget. What has no room is not added, and what is longer not deepened."""

    def __init__(self, language: Language, budget: int) -> None:
        self._told: set[tuple[Section, str]] = set()
        self._language = language
        self._room = budget
        self._title: list[str] = []
        self._lines: dict[Section, dict[str, str]] = {section: {} for section in Section}

    def open(self, *titles: str) -> None:
        """Begin with the first of these that has room, which is the longest."""
        fitting = (title for title in titles if title and self._pay(title))
        self._title += [title for title in (next(fitting, ""),) if title]

    def add(self, piece: Piece) -> bool:
        """Say a thing in its fewest words, unless there is no room for them."""
        lines = self._lines[piece.section]
        if piece.lean in lines:
            return True
        heading = "" if lines else f"{_heading(piece.section, self._language)}\n"
        told = _shown(piece, Depth.NAMES)
        if not self._title or not self._pay(heading + told):
            return False
        lines[piece.lean] = told
        self._told.add((piece.section, piece.name))
        return True

    def deepen(self, piece: Piece, depth: Depth) -> bool:
        """Say more of a thing that is told, if there is room for it."""
        lines = self._lines[piece.section]
        if piece.lean not in lines:
            return False
        shorter, longer = lines[piece.lean], _shown(piece, depth)
        if len(longer) <= len(shorter):
            return True
        self._room += _cost(shorter) + 1
        if self._pay(longer):
            lines[piece.lean] = longer
            return True
        self._pay(shorter)
        return False

    def tell(
        self, pieces: Iterable[Piece], depth: Depth, *, without: Section | None = None
    ) -> bool:
        """Say these things as deep as there is room for, bare lists of values last of all; whether
        there was room."""
        wanted = (
            piece
            for piece in pieces
            if piece.section is not without and (depth is Depth.VALUES or not piece.only_values)
        )
        fates = [self.add(piece) and self.deepen(piece, depth) for piece in wanted]
        return all(fates)

    def lacks(self, pieces: Iterable[Piece]) -> set[str]:
        """The names of those of which nothing is told."""
        return {each.name for each in pieces if (each.section, each.name) not in self._told}

    def tells(self, entity: str) -> bool:
        """Whether a table or a kind of rows is told."""
        return not self._told.isdisjoint(
            {(section, entity) for section in (Section.TABLES, Section.KINDS)}
        )

    @property
    def is_cut(self) -> bool:
        """Whether a line ends before the owner's words do."""
        return any(line.endswith(MORE) for lines in self._lines.values() for line in lines.values())

    def text(self) -> str:
        """All that was told, in the order in which it is read."""
        parts = list(self._title)
        for section, lines in self._lines.items():
            if lines:
                parts += [_heading(section, self._language), *sorted(lines.values())]
        return "\n".join(parts)

    def _pay(self, text: str) -> bool:
        cost = _cost(text) + 1
        if cost > self._room:
            return False
        self._room -= cost
        return True


_cost = lru_cache(_REMEMBERED_COSTS)(estimate_tokens)
"""Of pieces, which come again and again."""


def _shown(piece: Piece, depth: Depth) -> str:
    told = piece.at(depth)
    return told if told == piece.at(Depth.FIELDS) or depth > Depth.FIELDS else told + MORE


def _heading(section: Section, language: Language) -> str:
    return message(f"prompt.{section.name.lower()}", language)
