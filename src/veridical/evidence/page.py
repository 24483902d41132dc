"""Tables within running text: those that lost their lines, and prose sentence by sentence.

A page taken from a PDF gives a table as a label and then its figures, on one line or on a line
each, below lines that head the columns. Prose gives one row for each sentence, its figures as
cells. Figures that stand in a label are kept as prose too.
"""

import re
from collections.abc import Iterator

from veridical.contracts.input_budget import keep_time
from veridical.evidence.exhibit import Exhibit
from veridical.evidence.report import Block, Written, figure_cell, is_year, scale_in, tables_in_rows
from veridical.late_pattern import late_pattern
from veridical.reading.after import after
from veridical.reading.before import before
from veridical.reading.figure import DIGITS, Reading, read_digits
from veridical.reading.period_words import MONTH_NUMBERS
from veridical.reading.punctuation import marks, wide_marks
from veridical.reading.units import CURRENCY_SIGNS
from veridical.word_file import word_file

_SIGNS = late_pattern(r"[\s$€£¥%()|.*]*")
_PIECES = late_pattern(r"\s{2,}|\t|(?<=[\d)%])\s+(?=[-−–(\d$€£¥])|(?<=[$€£¥])\s+|\s+(?=[$€£¥])")
_CELL_LIKE = late_pattern(r"[$€£¥(\-−–—]*\d[\d,.'’]*[)%]*|[$€£¥%()—–]+")
_MONTHS = "|".join(sorted((name for name in MONTH_NUMBERS if name.isalpha()), reverse=True))
_PERIOD = late_pattern(
    rf"""(?: (?:19|20)\d\d | fy\s?\d\d(?:\d\d)? | q[1-4] | \d{{1,2}} | ,
        | {_MONTHS}
        | {word_file("veridical.evidence", "pages.toml")["period"]["words"]}
        | [.:()\s] )+""",
    re.VERBOSE | re.IGNORECASE,
)
_SENTENCE = late_pattern(rf"(?<=[.!?;])\s+(?=[^\Wa-z_\d])|(?<=[{wide_marks('.')}!?;])")
_HAS_YEAR = late_pattern(r"(?:19|20)\d\d")
_NOT_MEANT = late_pattern(r"\*|n[./]?[am]\.?|nil|none", re.IGNORECASE)
"""The content of a cell without a figure."""
_DAY = late_pattern(
    r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|note|page|item)[a-z]*\.?\s*$|^\(?$",
    re.IGNORECASE,
)
_DIGITS = late_pattern(rf"(?<![\w.,])(?:{DIGITS})(?![\d])")
_LEADS_ON = late_pattern(r"\b(?:[a-z]{1,4}|note|page|about|under|since|until)\s*\(?$")
"""A label that ends in such a word is a sentence that a figure happens to break off."""
_REACH = 30
_PROSE_LENGTH = 60
_ROW_LENGTH = 200


def tables_in_text(exhibit: Exhibit) -> Iterator[Exhibit]:
    """The tables of a text: its own, those that were drawn with strokes, and its prose."""
    reader = _Reader(exhibit.name)
    drawn: list[list[str]] = []
    for line in (*exhibit.text.splitlines(), ""):
        if line.count("|") > 1:
            drawn.append([cell.strip() for cell in line.strip().strip("|").split("|")])
            continue
        if drawn:
            reader.draw(drawn)
            drawn = []
        reader.read(line)
    yield from reader.tables()


class _Reader:
    """Goes through the lines once: what is a label is only known when figures follow."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._heads: list[str] = []
        self._block = Block()
        self._done: list[Exhibit] = []
        self._label: list[str] = []
        self._cells: list[Written] = []
        self._years = False
        self._money = ""
        self._prose: list[str] = []
        self._scale = 1.0
        self._reads_on = False

    def read(self, line: str) -> None:
        """Reads one line of any kind."""
        plain = line.strip()
        if _SIGNS.fullmatch(plain):
            self._sign(plain)
            return
        cells = _figures(plain)
        if cells:
            if not self._cells:
                self._years = True
            self._years = self._years and all(map(is_year, plain.split()))
            if self._money and isinstance(cells[0], Reading) and not cells[0].unit:
                cells[0] = cells[0]._replace(unit=self._money)
            self._money = ""
            self._cells += cells
            return
        if self._cells and _NOT_MEANT.fullmatch(plain):
            self._cells.append(None)
            return
        self._close_row()
        if _is_head(plain):
            self._head(plain)
            return
        scale = scale_in(plain)
        if scale is not None:
            self._scale = scale
        if not self._row(plain):
            self._add_prose(plain)
            self._label.append(plain)

    def _sign(self, plain: str) -> None:
        """A percent sign belongs to the figure before it, a row's first currency to the next."""
        last = self._cells[-1] if self._cells else None
        if plain == "%" and isinstance(last, Reading):
            self._cells[-1] = last._replace(unit="%")
        elif plain in CURRENCY_SIGNS and last is None:
            self._money = CURRENCY_SIGNS[plain]

    def _row(self, plain: str) -> bool:
        """A label and its figures on one line."""
        label, tail = _parted(plain) if len(plain) < _ROW_LENGTH else ("", "")
        cells = _figures(tail) if label else []
        if len(cells) == 1 and (len(plain) > _PROSE_LENGTH or _LEADS_ON.search(label)):
            return False
        if not cells:
            return False
        if any(map(str.isdigit, label)):
            self._add_prose(label)
        self._label.append(label)
        self._cells += cells
        self._years = all(map(is_year, tail.split()))
        self._close_row()
        return True

    def _add_prose(self, plain: str) -> None:
        """A line of prose goes on where it was long and no sentence ended."""
        if self._prose and self._reads_on and not self._prose[-1].endswith((":", *marks("."))):
            self._prose[-1] += " " + plain
        else:
            self._prose.append(plain)
        self._reads_on = len(plain) > _PROSE_LENGTH or (self._reads_on and plain[:1].islower())

    def draw(self, grid: list[list[str]]) -> None:
        """Reads a table drawn with strokes."""
        self._close_row()
        rows = [row for row in grid if not all(set(cell) <= set("-: ") for cell in row)]
        self._done += tables_in_rows(rows, self._label[-1] if self._label else "", self._scale)
        self._label.clear()

    def tables(self) -> Iterator[Exhibit]:
        """All tables that were read."""
        self._close_row()
        self._close_block()
        yield from self._done
        yield from self._tables_of_prose()

    def _head(self, plain: str) -> None:
        if self._block.rows:
            self._close_block()
        if not self._heads:
            self._block.title = " ".join(self._label[-3:])
        self._heads.append(plain)
        self._label.clear()

    def _close_row(self) -> None:
        cells, self._cells = self._cells, []
        if not cells:
            return
        if self._years:
            day = self._label[-1] if self._label and _PERIOD.fullmatch(self._label[-1]) else ""
            for cell in cells:
                year = f"{cell.value:.0f}" if isinstance(cell, Reading) else ""
                self._head(f"{day} {year}".strip())
            return
        if not self._block.rows:
            self._block.scale = self._scale
        wide = len(self._heads)
        step = wide if wide > 1 and len(cells) == 2 * wide else len(cells)
        for start in range(0, len(cells), step):
            self._block.labels.append("" if start else _joined(self._label))
            self._block.rows.append(cells[start : start + step])
        self._label.clear()

    def _close_block(self) -> None:
        """Rows that fill the head get its names; the others stay without."""
        block, heads, self._block, self._heads = self._block, self._heads, Block(), []
        headed = Block(block.title, heads, scale=block.scale)
        loose = Block(block.title, scale=block.scale)
        for label, row in zip(block.labels, block.rows, strict=True):
            chosen = headed if heads and len(row) == len(heads) else loose
            chosen.labels.append(label)
            chosen.rows.append(row)
        self._done += (*headed.tables(), *loose.tables())

    def _tables_of_prose(self) -> Iterator[Exhibit]:
        """The figures of the prose, one row for each sentence and scale."""
        blocks: dict[float, Block] = {}
        for paragraph in self._prose:
            for sentence in _SENTENCE.split(paragraph):
                found: dict[float, list[Written]] = {}
                for figure, scale in _figures_in(sentence):
                    found.setdefault(scale, []).append(figure)
                for scale, figures in found.items():
                    block = blocks.setdefault(scale, Block(self._name, scale=scale))
                    block.labels.append(sentence)
                    block.rows.append(figures)
        for block in blocks.values():
            yield from block.tables(tabular=False)


def _figures_in(sentence: str) -> Iterator[tuple[Reading, float]]:
    """The figures of a sentence, each with the scale that its words give it."""
    for match in _DIGITS.finditer(sentence):
        keep_time()
        readings = read_digits(match.group())
        if readings and not _DAY.search(sentence, max(0, match.start() - _REACH), match.start()):
            left = before(sentence, match.start())
            right = after(sentence, match.end(), currency=bool(left.unit))
            scale = 1.0 if right.unsure else right.scale
            value = readings[0][0] * right.factor
            unit = left.unit or right.unit
            yield Reading(-value if left.negative else value, unit=unit), scale


def _figures(plain: str) -> list[Written]:
    """The cells of a line that holds nothing but figures; nothing for any other line."""
    if not any(sign.isdigit() for sign in plain) and plain not in ("—", "–", "-"):
        return []
    whole = figure_cell(plain)
    if whole is not None:
        return [whole]
    cells: list[Written] = []
    for piece in _PIECES.split(plain):
        keep_time()
        if not piece or _SIGNS.fullmatch(piece):
            continue
        cell = figure_cell(piece)
        if cell is None:
            return []
        cells.append(cell)
    return cells


def _parted(plain: str) -> tuple[str, str]:
    """The words of a line and the figures that it ends with."""
    words = plain.split()
    start = len(words)
    while start and _CELL_LIKE.fullmatch(words[start - 1]):
        start -= 1
    label = " ".join(words[:start]).rstrip(".: ")
    return (label, " ".join(words[start:])) if any(map(str.isalpha, label)) else ("", "")


def _is_head(plain: str) -> bool:
    """A line that names a period and nothing else."""
    return _HAS_YEAR.search(plain) is not None and _PERIOD.fullmatch(plain) is not None


def _joined(label: list[str]) -> str:
    """The line before the figures, and those that it continues."""
    if not label:
        return ""
    start = len(label) - 1
    while start and (label[start][:1].islower() or label[start - 1].endswith((",", "-", "and"))):
        start -= 1
    return " ".join(label[start:])
