"""Tables of strings, such as those of annual reports, which have no named columns.

Heads are recognised by their content: a head has no figures but years and units; a row with nothing
but its first cell opens a section; brackets and dashes are figures as accountants write them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from veridical.contracts.input_budget import keep_time
from veridical.evidence.exhibit import Exhibit, Measure
from veridical.late_pattern import late_pattern
from veridical.reading.figure import Reading
from veridical.reading.numbers import read_figure
from veridical.reading.units import CURRENCIES, HAN_SCALES, SCALES
from veridical.word_file import word_file

Written = Reading | str | None
"""The content of a cell: a figure with its unit, other text, or nothing."""

_LABEL, _PERCENT = "label", "%"
_UNITS = frozenset({"", _PERCENT, *CURRENCIES.values()})
_NIL = late_pattern(r"[$€£¥]?\s*[-−–—]+\s*%?")
_FOOTNOTE = late_pattern(r"\s*(?:\*+|\(\w\)|\[\w\])$")
_PERCENT_ROW = late_pattern(
    r"(?:^|\()\s*(?:as\s+an?\s+|in\s+)?(?:%|percent)|(?:%|\bpercent(?:age)?)\)?\s*$", re.IGNORECASE
)
_YEAR = late_pattern(r"\s*(?:FY\s*)?(?:19|20)\d\d(?:\s*[A-Z*]{1,2}|\s*\(\w\))?\s*")
_DECIMAL_COMMA = late_pattern(r"\d\.\d{3},\d|(?<![\d,])\d+,\d{1,2}(?!\d)")
_WORDS = word_file("veridical.evidence", "pages.toml")["scale"]
_SCALE = late_pattern(
    rf"""(?: \b (?:{_WORDS["lead"]})
            \s+ (?:[a-z$€£.]+\s+(?:of\s+)?){{0,3}}?
          | \( \s* (?:[a-z$€£]{{1,4}}\s*)? | [$€£] \s? | (?:chf|eur|usd|rmb|hkd?|us)\s?[$']? )
        (?P<word> {_WORDS["word"]} )
        (?![a-z0-9,.]*[a-z0-9])
      | (?P<apostrophe> [$€£a-z] ['’]? 000 \b | ['’] 000s? \b )
      | (?P<coded> \b (?:tchf|teur|kchf|keur|kusd|mchf|meur|musd) \b )
      | (?P<han> {_WORDS["han"]} )""",
    re.VERBOSE,
)
_THOUSAND, _MILLION = 1e3, 1e6
_SCALES = {word.casefold(): scale for word, scale in SCALES.items()} | SCALES
_FOOTNOTES = ("(k", "(m")
_HAN = tuple((sign, HAN_SCALES[sign]) for sign in _WORDS["han_scales"].split())


def figure_cell(text: str) -> Reading | None:
    """The figure that fills a cell; a dash is zero, a percentage its number of percent."""
    if _NIL.fullmatch(text.strip()):
        return Reading(0.0)
    found = next(iter(read_figure(_FOOTNOTE.sub("", text.strip()))), None)
    plain = found is not None and found.scale == 1 and found.unit in _UNITS
    return found if plain else None


def is_year(text: str) -> bool:
    """True for a year that heads a column."""
    return _YEAR.fullmatch(text) is not None


def scale_in(text: str) -> float | None:
    """1000000 for ``(in millions)``; none if the text names no scale."""
    found = _SCALE.search(text.casefold())
    if found is None or found.group() in _FOOTNOTES:
        return None
    if found["word"]:
        return _SCALES.get(found["word"], _THOUSAND)
    if found["coded"]:
        return _MILLION if found["coded"].startswith("m") else _THOUSAND
    if found["han"]:
        return next(scale for sign, scale in _HAN if sign in found["han"])
    return _THOUSAND


def is_untyped(exhibit: Exhibit) -> bool:
    """True for a table whose cells are all text, and whose columns have no names."""
    return bool(exhibit.rows) and not any(name.strip() for name in exhibit.columns)


def tables_in_cells(exhibit: Exhibit) -> Iterator[Exhibit]:
    """The tables of such an exhibit: one below each head."""
    rows = [["" if cell is None else str(cell) for cell in row] for row in exhibit.rows]
    yield from tables_in_rows(rows, exhibit.name)


@dataclass(slots=True)
class Block:
    """Rows below one head, each with a label."""

    title: str = ""
    columns: Sequence[str] = ()
    labels: list[str] = field(default_factory=list[str])
    rows: list[Sequence[Written]] = field(default_factory=list[Sequence[Written]])
    scale: float = 1.0

    def tables(self, *, tabular: bool = True) -> Iterator[Exhibit]:
        """The rows of each unit as one table, since a page has percents among its amounts; the
        label of a row is a cell of its own. Sentences (not ``tabular``) share no units."""
        width = max(map(len, self.rows), default=0)
        columns = tuple(self.columns) or ("",) * width
        rows = [(*row, *(None,) * (width - len(row))) for row in self.rows]
        meant = _column_units(rows) if tabular else [""] * width
        by_unit: dict[str, list[tuple[float | str | None, ...]]] = {}
        for label, row in zip(self.labels, rows, strict=True):
            default = _PERCENT if tabular and _PERCENT_ROW.search(label) else ""
            units = {
                cell.unit or default or meant[at]
                for at, cell in enumerate(row)
                if isinstance(cell, Reading)
            } - {""}
            cells = (cell.value if isinstance(cell, Reading) else cell for cell in row)
            unit = units.pop() if len(units) == 1 else ""
            by_unit.setdefault(unit, []).append((label, *cells))
        for unit, mine in by_unit.items():
            measure = Measure(unit=unit, scale=1.0 if unit == _PERCENT else self.scale)
            measures = dict.fromkeys(columns, measure)
            yield Exhibit(self.title, (_LABEL, *columns), tuple(mine), measures=measures)


def _column_units(rows: Sequence[Sequence[Written]]) -> list[str]:
    """Only the first figure of a column and its totals carry the sign that is meant for all."""
    found: list[str] = []
    for column in zip(*rows, strict=True):
        keep_time()
        units = [cell.unit for cell in column if isinstance(cell, Reading)]
        moneys = {unit for unit in units if unit and unit != _PERCENT}
        alone = next(iter(moneys)) if len(moneys) == 1 else ""
        found.append(alone if moneys else next(iter(units), ""))
    return found


def tables_in_rows(
    rows: Iterable[Sequence[str]], title: str = "", scale: float = 1.0
) -> Iterator[Exhibit]:
    """The tables of rows of strings; ``scale`` applies unless their heads name another."""
    given = list(rows)
    decimal_comma = any(_DECIMAL_COMMA.search(cell) for row in given for cell in row)
    for heads, block in _blocks(given, decimal_comma):
        first, *block.columns = _columns(heads, max(map(len, block.rows)) + 1)
        block.title = " ".join(part for part in (title, first) if part)
        block.scale = scale_in(" ".join(cell for head in heads for cell in head)) or scale
        yield from block.tables()


def _blocks(
    rows: Iterable[Sequence[str]], decimal_comma: bool
) -> Iterator[tuple[list[Sequence[str]], Block]]:
    """The rows below each head, with the lines of that head."""
    heads, block, section = list[Sequence[str]](), Block(), ""
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if _is_head(row, begun=bool(block.rows)):
            if block.rows:
                yield heads, block
                heads, block, section = [], Block(), ""
            heads.append(row)
        elif not any(cell.strip() for cell in row[1:]):
            section = row[0].strip().rstrip(":")
            if not heads:
                heads.append(row)
        else:
            block.labels.append(": ".join(part for part in (section, row[0].strip()) if part))
            block.rows.append([_read(cell, decimal_comma) for cell in row[1:]])
    if block.rows:
        yield heads, block


def _is_head(row: Sequence[str], *, begun: bool) -> bool:
    """Years, dates, units and words only; below a head, also without a label of its own."""
    others = [cell for cell in row[1:] if cell.strip()]
    if not others or (begun and row[0].strip()):
        return False
    return all(is_year(cell) or figure_cell(cell) is None for cell in others)


def _read(cell: str, decimal_comma: bool) -> Written:
    if not cell.strip():
        return None
    figure = None if decimal_comma else figure_cell(cell)
    return cell.strip() if figure is None else figure


def _columns(heads: Iterable[Sequence[str]], width: int) -> list[str]:
    """One name for each column: the cells above it, and those that span it."""
    parts: list[list[str]] = [[] for _ in range(width)]
    for head in heads:
        filled = [at for at, cell in enumerate(head) if at and cell.strip()]
        if head and head[0].strip():
            parts[0].append(head[0].strip())
        if len(filled) == 1:
            for part in parts[1:]:
                part.append(head[filled[0]].strip())
            continue
        spans = bool(filled) and filled[0] == 1
        last = ""
        for at in range(1, min(width, len(head))):
            last = head[at].strip() or (last if spans else "")
            if last:
                parts[at].append(last)
    return [" ".join(part) for part in parts]
