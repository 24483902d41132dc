"""Draws tables of docs/benchmarks.md as SVG in docs/images: the figures stand in the tables alone.

Every axis begins at nought and ends at the whole; a goal is a line across the bars that it is for.
With ``--check`` nothing is written, and a stale drawing fails.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

PAGE = Path(__file__).with_name("benchmarks.md")
IMAGES = Path(__file__).with_name("images")
WHOLE = 100.0
_WIDTH, _LEFT, _RIGHT, _BAR, _GAP = 760, 16, 70, 13, 3
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_STYLE = """
svg{font:13px system-ui,"Noto Sans",sans-serif}
.back{fill:#fff}.ink{fill:#1c2321}.soft{fill:#59645f}.grid{stroke:#d9d8d0}
.goal{stroke:#a3231f;stroke-width:2}.goal-text{fill:#a3231f}
.s0{fill:#0b5d57}.s1{fill:#c58b2a}.s2{fill:#7c8a85}.s3{fill:#4a77a8}
@media(prefers-color-scheme:dark){
.back{fill:#1c2220}.ink{fill:#e8ece9}.soft{fill:#a3aea8}.grid{stroke:#37403c}
.goal{stroke:#f3a29d}.goal-text{fill:#f3a29d}
.s0{fill:#4fb3a6}.s1{fill:#e0b45c}.s2{fill:#8b9994}.s3{fill:#7fa9d8}}
"""


@dataclass(frozen=True)
class Chart:
    """One drawing: the table under a heading, and which of its columns are bars."""

    name: str
    title: str
    heading: str
    bars: tuple[str, ...]
    first: str
    """How the first column of the table is headed: a heading may have several tables."""
    of: str = ""
    """The column that the bars are a part of; without one the cells are shares themselves."""
    goal: str = ""
    """``≤`` or ``≥``: only rows with such a goal are drawn."""


CHARTS = (
    Chart(
        "caught", "Wrong queries that are refused", "Public model output", ("caught",), "set", "of"
    ),
    Chart(
        "search",
        "Search, nDCG@10",
        "Search",
        ("`hybrid`", "`bm25`", "`ts_rank`", "`bm25s`"),
        "set",
    ),
    Chart("requirements", "Requirements, held out", "Requirements", ("",), "figure", goal="≥"),
    Chart("onboarding", "What init finds", "Onboarding", ("precision", "recall"), "databases"),
)
Row = dict[str, str]


def main(check: bool) -> int:
    """Draw all charts; the number of those that were stale."""
    page = PAGE.read_text("utf-8")
    stale = 0
    for chart in CHARTS:
        path = IMAGES / f"chart-{chart.name}.svg"
        drawn = draw(chart, rows(chart, page))
        if path.exists() and path.read_text("utf-8") == drawn:
            continue
        stale += 1
        print(f"{path.name}: {'stale, run `make charts`' if check else 'written'}")
        if not check:
            path.write_text(drawn, "utf-8")
    return stale if check else 0


def rows(chart: Chart, page: str) -> list[Row]:
    """The rows of the chart's table whose bars are shares. Raises where there is none."""
    table = next((each for each in tables(page, chart.heading) if chart.first in each[0]), [])
    found = [row for row in table if _is_drawn(chart, row)]
    if not found:
        raise SystemExit(f"docs/benchmarks.md has no table for the chart {chart.name}")
    return found


def _is_drawn(chart: Chart, row: Row) -> bool:
    value = share(chart, row, chart.bars[0])
    goal = row.get("goal", "")
    return value is not None and value <= WHOLE and (not chart.goal or goal.startswith(chart.goal))


def tables(page: str, heading: str) -> Iterator[list[Row]]:
    """The tables under a heading, up to the next one, each row by the heads of its columns; of two
    columns with the same head, the first."""
    section = re.search(rf"^#+ {re.escape(heading)}\n(.*?)(?=^#|\Z)", page, re.M | re.S)
    for block in re.findall(r"(?:^\|.*\n)+", section[1] if section else "", re.M):
        head, _, *body = (
            [cell.strip() for cell in line.split("|")[1:-1]] for line in block.splitlines()
        )
        yield [dict(zip(reversed(head), reversed(cells), strict=True)) for cells in body]


def share(chart: Chart, row: Row, column: str) -> float | None:
    """The cell as a part of a hundred; none where it is not a number."""
    value, text = number(row.get(column, "")), row.get(column, "")
    if value is None:
        return None
    if chart.of:
        return WHOLE * value / (number(row[chart.of]) or value)
    return value if "%" in text else WHOLE * value


def number(text: str) -> float | None:
    """The first number of a cell."""
    found = _NUMBER.search(text)
    return float(found[0].replace(",", "")) if found else None


def draw(chart: Chart, drawn: list[Row]) -> str:
    """The drawing, as text."""
    parts, top = list(_legend(chart)), 52 if len(chart.bars) > 1 else 34
    first = top
    for row in drawn:
        parts.append(_text(_LEFT, top + 14, _label(chart, row), "ink"))
        height = len(chart.bars) * (_BAR + _GAP)
        parts += _bars(chart, row, top + 20)
        parts += _goal(chart, row, top + 18, height)
        top += height + 32
    in_percent = bool(chart.of) or any("%" in row[chart.bars[0]] for row in drawn)
    grid = (_grid(part, first, top, in_percent) for part in (0, 25, 50, 75, 100))
    size = f'width="{_WIDTH}" height="{top + 24}" viewBox="0 0 {_WIDTH} {top + 24}"'
    title = f"<title>{escape(chart.title)}</title><style>{_STYLE}</style>"
    back = f'<rect class="back" width="{_WIDTH}" height="{top + 24}" rx="8"/>'
    body = "\n".join([back, *grid, *parts])
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{title}\n{body}\n</svg>\n'


def _legend(chart: Chart) -> Iterator[str]:
    yield f'<text class="ink" x="{_LEFT}" y="22" font-weight="600">{escape(chart.title)}</text>'
    x = _LEFT
    for place, name in enumerate(chart.bars if len(chart.bars) > 1 else ()):
        yield f'<rect class="s{place}" x="{x}" y="34" width="12" height="12" rx="2"/>'
        yield _text(x + 18, 45, _plain(name), "soft")
        x += 44 + 7 * len(_plain(name))


def _bars(chart: Chart, row: Row, top: int) -> Iterator[str]:
    for place, column in enumerate(chart.bars):
        value = share(chart, row, column)
        if value is None:
            continue
        y = top + place * (_BAR + _GAP)
        width = _x(value) - _LEFT
        yield f'<rect class="s{place}" x="{_LEFT}" y="{y}" width="{width:.1f}" height="{_BAR}"/>'
        goal = share(chart, row, "goal") or 0.0
        end = goal if value < goal < value + 7 else value  # no goal is drawn through a figure
        yield _text(_x(end) + 5, y + 11, _shown(chart, row, column, value), "soft")


def _label(chart: Chart, row: Row) -> str:
    named = row[chart.first]
    return _plain(f"{named}: {row['what']}" if "what" in row else named)


def _shown(chart: Chart, row: Row, column: str, value: float) -> str:
    """The value as the table has it."""
    if chart.of:
        return f"{value:.1f} %"
    text = _plain(row[column])
    return re.match(r"[\d.,]+(?: %)?", text)[0]  # type: ignore[index]


def _goal(chart: Chart, row: Row, top: int, height: int) -> Iterator[str]:
    goal = share(chart, row, "goal") if "goal" in row else None
    if goal is None or goal > WHOLE:
        return
    x = _x(goal)
    yield f'<line class="goal" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{top + height + 2}"/>'
    place = f'x="{_WIDTH - _LEFT}" y="{top - 4}" text-anchor="end"'
    yield f'<text class="goal-text" {place}>goal {row["goal"]}</text>'


def _grid(part: int, top: int, bottom: int, in_percent: bool) -> str:
    x = _x(part)
    line = f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>'
    place = f'x="{x:.1f}" y="{bottom + 16}" text-anchor="middle"'
    told = f"{part} %" if in_percent else f"{part / WHOLE:g}"
    return f'{line}<text class="soft" {place}>{told}</text>'


def _x(value: float) -> float:
    return _LEFT + value / WHOLE * (_WIDTH - _LEFT - _RIGHT)


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y}">{escape(text)}</text>'


def _plain(text: str) -> str:
    return re.sub(r"[*`]", "", text)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
