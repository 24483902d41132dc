"""A prompt in the making: lines under headings, within a budget of tokens."""

from collections.abc import Iterable
from functools import lru_cache

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.ontology.lines import Depth
from veridical.ontology.pieces import Piece, Section
from veridical.ontology.tokens import estimate_tokens

MORE = " …"
"""Ends a line without all of the owner's words."""
_REMEMBERED_COSTS = 20_000


class Page:
    """Lines within a budget. A line without room is not added, and a longer form not used."""

    def __init__(self, language: Language, budget: int) -> None:
        self._added: set[tuple[Section, str]] = set()
        self._language = language
        self._room = budget
        self._title: list[str] = []
        self._lines: dict[Section, dict[str, str]] = {section: {} for section in Section}

    def open(self, *titles: str) -> None:
        """Start with the first of these that has room, which is the longest."""
        fitting = (title for title in titles if title and self._pay(title))
        self._title += [title for title in (next(fitting, ""),) if title]

    def add(self, piece: Piece) -> bool:
        """Add a piece in its shortest form; False if there is no room."""
        lines = self._lines[piece.section]
        if piece.lean in lines:
            return True
        heading = "" if lines else f"{_heading(piece.section, self._language)}\n"
        line = _shown(piece, Depth.NAMES)
        if not self._title or not self._pay(heading + line):
            return False
        lines[piece.lean] = line
        self._added.add((piece.section, piece.name))
        return True

    def deepen(self, piece: Piece, depth: Depth) -> bool:
        """Lengthen a piece on the page, if there is room for it."""
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
        """Add these pieces as deep as possible, bare lists of values last; True if all fit."""
        wanted = (
            piece
            for piece in pieces
            if piece.section is not without and (depth is Depth.VALUES or not piece.only_values)
        )
        fates = [self.add(piece) and self.deepen(piece, depth) for piece in wanted]
        return all(fates)

    def lacks(self, pieces: Iterable[Piece]) -> set[str]:
        """The names of the pieces that are not on the page."""
        return {each.name for each in pieces if (each.section, each.name) not in self._added}

    def tells(self, entity: str) -> bool:
        """True if a table or a kind of rows is on the page."""
        return not self._added.isdisjoint(
            {(section, entity) for section in (Section.TABLES, Section.KINDS)}
        )

    @property
    def is_cut(self) -> bool:
        """True if a line ends before the owner's words do."""
        return any(line.endswith(MORE) for lines in self._lines.values() for line in lines.values())

    def text(self) -> str:
        """The whole text, in reading order."""
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
"""Cached, because pieces come again and again."""


def _shown(piece: Piece, depth: Depth) -> str:
    text = piece.at(depth)
    return text if text == piece.at(Depth.FIELDS) or depth > Depth.FIELDS else text + MORE


def _heading(section: Section, language: Language) -> str:
    return message(f"prompt.{section.name.lower()}", language)
