"""The report as one self-contained HTML page: no network, every text escaped.

Its content policy allows only the one script that is part of it, by its hash.
"""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from veridical.evals.report.charts import charts
from veridical.evals.report.markdown import CHARTS, as_markdown
from veridical.evals.report.number_format import SIMULATED, UNKNOWN
from veridical.evals.report.report_data import Report
from veridical.evals.report.runs_html import drill_down, matrix
from veridical.evals.report.svg import COLOURS, DRAWING_STYLE, safe
from veridical.evals.report.tables import (
    ReportTable,
    breakdown_tables,
    comparison_tables,
    mode_tables,
)

_PAGE = files(__package__ or "")
_STYLE = f"{COLOURS}\n{_PAGE.joinpath('page.css').read_text('utf-8')}{DRAWING_STYLE}"
_SCRIPT = "\n" + _PAGE.joinpath("page.js").read_text("utf-8")
_SECTIONS = (
    ("charts", "Charts"),
    ("modes", "Modes"),
    ("comparison", "Comparison"),
    ("groups", "By what was asked"),
    ("questions", "Questions"),
    ("runs", "Runs"),
)


def as_html(report: Report) -> str:
    """The whole page."""
    return "".join(_page(report))


def _page(report: Report) -> Iterator[str]:
    header = report.header
    title = safe(f"{header.gold}: {header.model}")
    yield '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width,initial-scale=1">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_policy()}">'
    yield f"<title>{title}{' (simulated)' if header.simulated else ''}</title>"
    yield f"<style>{_STYLE}</style></head><body><header><h1>{title}</h1>"
    if header.simulated:
        yield f'<p><span class="badge">simulated model</span> {SIMULATED}</p>'
    yield from _about(report)
    yield '<nav aria-label="Parts of the report">'
    yield "".join(f'<a href="#{name}">{label}</a>' for name, label in _SECTIONS)
    yield "</nav></header><main>"
    for name, label in _SECTIONS:
        yield f'<section id="{name}"><h2>{label}</h2>{_section(report, name)}</section>'
    yield f"</main><footer>{safe(report.about)} · Veridical {safe(header.version)}</footer>"
    yield f"<script>{_SCRIPT}</script></body></html>\n"


def _policy() -> str:
    style, script = (_hash(text) for text in (_STYLE, _SCRIPT))
    return f"default-src 'none'; style-src '{style}'; script-src '{script}'; base-uri 'none'"


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _about(report: Report) -> Iterator[str]:
    header = report.header
    facts: dict[str, object] = {
        "gold set": header.gold,
        "model": header.model_label,
        "questions": header.cases,
        "repeats": header.repeats,
        "runs": len(report.records),
        "version": header.version,
    }
    facts |= {name: header.settings[name] for name in sorted(header.settings)}
    yield '<dl class="about">'
    for name, value in facts.items():
        yield f"<dt>{safe(name)}</dt><dd>{safe(UNKNOWN if value is None else value)}</dd>"
    yield "</dl>"


def _section(report: Report, name: str) -> str:
    match name:
        case "charts":
            drawn = (f"<figure>{chart.svg(alone=False)}</figure>" for chart in charts(report))
            return f'<div class="charts">{"".join(drawn)}</div>'
        case "modes":
            return "".join(map(_table, mode_tables(report)))
        case "comparison":
            return "".join(map(_table, comparison_tables(report)))
        case "groups":
            return "".join(map(_table, breakdown_tables(report)))
        case "questions":
            return matrix(report)
        case _:
            return drill_down(report)


def _table(table: ReportTable) -> str:
    headings = "".join(f'<th scope="col">{safe(heading)}</th>' for heading in table.headings)
    rows = "".join(
        f'<tr><th scope="row">{safe(row[0])}</th>'
        + "".join(f"<td>{safe(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in table.rows
    )
    note = f'<p class="note">{safe(table.note)}</p>' if table.note else ""
    return (
        f'<div class="scroll"><table class="sortable"><caption>{safe(table.title)}</caption>'
        f"<thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table></div>{note}"
    )


def write_report(folder: Path, report: Report) -> None:
    """Write ``report.md``, ``report.html`` and ``charts/*.svg``; alike for the same report."""
    (folder / CHARTS).mkdir(parents=True, exist_ok=True)
    _write(folder / "report.md", as_markdown(report))
    _write(folder / "report.html", as_html(report))
    for chart in charts(report):
        _write(folder / CHARTS / f"{chart.name}.svg", chart.svg(alone=True) + "\n")


def _write(path: Path, text: str) -> None:
    path.write_text(text, "utf-8", errors="replace", newline="\n")
