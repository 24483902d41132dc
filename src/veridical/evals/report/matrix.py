"""The matrix of all questions and modes, with each run behind its cell."""

from collections.abc import Iterable, Iterator

from veridical.evals.report.escaping import fitted, safe
from veridical.evals.report.number_format import MARKS, amount, seconds
from veridical.evals.report.report_data import CaseRuns, Report
from veridical.evals.report.run_html import run_html
from veridical.evals.scoring.record import Outcome, RunRecord

_LONGEST_TIP = 240
FILTERS = (
    ("all", "all"),
    ("imperfect", "not always correct"),
    ("wrong", "wrong somewhere"),
    ("uneven", "modes differ"),
)


def matrix(report: Report) -> str:
    """The questions as rows, the modes as columns, a mark for each repeat."""
    return "".join(_matrix(report))


def _matrix(report: Report) -> Iterator[str]:
    yield '<div class="filter" role="group" aria-label="Which questions">'
    for name, label in FILTERS:
        pressed = str(name == "all").lower()
        yield f'<button type="button" data-show="{name}" aria-pressed="{pressed}">{label}</button>'
    yield '</div><div class="scroll"><table class="matrix"><caption>'
    yield f"{safe(report.titled('Each question in each mode'))}</caption><thead><tr>"
    yield '<th scope="col">question</th>'
    yield "".join(f'<th scope="col">{mode}</th>' for mode in report.modes)
    yield "</tr></thead><tbody>"
    for number, case in enumerate(report.cases):
        yield f'<tr data-is="{" ".join(_kinds(case))}"><th scope="row">'
        yield f"<b>{safe(case.case)}</b><span>{safe(case.question)}</span></th>"
        for mode in report.modes:
            cells = "".join(_cell(number, run) for run in case.runs.get(mode, ()))
            yield f'<td><span class="cells">{cells}</span></td>'
        yield "</tr>"
    yield "</tbody></table></div>"


def _kinds(case: CaseRuns) -> Iterator[str]:
    ended = [
        tuple(sorted((run.key.repeat, run.score.outcome) for run in runs))
        for runs in case.runs.values()
    ]
    seen = {outcome for outcomes in ended for _, outcome in outcomes}
    if seen != {Outcome.CORRECT}:
        yield "imperfect"
    if Outcome.WRONG in seen:
        yield "wrong"
    if len(set(ended)) > 1:
        yield "uneven"


def _cell(number: int, run: RunRecord) -> str:
    outcome = run.score.outcome
    name = f"{run.key.mode}, repeat {run.key.repeat + 1}: {outcome}"
    tip = fitted("\n".join((name, *run.score.reasons, run.text)), _LONGEST_TIP)
    return (
        f'<a class="cell {outcome}" href="#{anchor(number, run)}" title="{safe(tip)}" '
        f'aria-label="{safe(name)}">{MARKS[outcome]}</a>'
    )


def anchor(number: int, run: RunRecord) -> str:
    """The place of a run in the page; made of nothing that a case's author chose."""
    return f"run-{number}-{run.key.mode}-{run.key.repeat}"


def drill_down(report: Report) -> str:
    """Every run, folded up below its question."""
    return "".join(
        part for number, case in enumerate(report.cases) for part in _case(report, number, case)
    )


def _case(report: Report, number: int, case: CaseRuns) -> Iterator[str]:
    runs = [run for mode in report.modes for run in case.runs.get(mode, ())]
    yield f'<details id="case-{number}"><summary><b>{safe(case.case)}</b> '
    yield f"{safe(case.question)}</summary>"
    yield f'<p class="muted">{_expected(runs[0])}</p>'
    for run in runs:
        yield from _run(report, number, run)
    yield "</details>"


def _expected(run: RunRecord) -> str:
    traps = f" · traps: {safe(', '.join(run.traps))}" if run.traps else ""
    return f"{run.language} · {run.difficulty} · expected: {run.expected}{traps}"


def _run(report: Report, number: int, run: RunRecord) -> Iterator[str]:
    counted, outcome = run.counters, run.score.outcome
    yield f'<details class="run" id="{anchor(number, run)}"><summary>'
    yield f'<span class="tag {outcome}">{MARKS[outcome]} {outcome}</span> '
    yield f"<b>{run.key.mode}</b>, repeat {run.key.repeat + 1} "
    spent = amount(counted.input_tokens + counted.output_tokens)
    simulated = " · simulated" if report.header.simulated else ""
    yield f'<span class="muted">{spent} tokens · {seconds(counted.elapsed_ms)}{simulated}</span>'
    yield f'</summary><p>{safe(run.question)}</p><pre class="said">{safe(run.text)}</pre>'
    yield from _reasons(run)
    trace = report.traces.get(run.trace_id)
    if trace is not None:
        yield run_html(trace)
    yield "</details>"


def _reasons(run: RunRecord) -> Iterator[str]:
    told: Iterable[tuple[str, tuple[str, ...]]] = (
        ("why", run.score.reasons),
        ("refusals", run.failure_codes),
        ("forbidden tools", run.score.forbidden_tools),
        ("ended early", (run.detail,) if run.detail else ()),
    )
    for name, values in told:
        if values:
            codes = ", ".join(f"<code>{safe(value)}</code>" for value in values)
            yield f'<p><span class="muted">{name}:</span> {codes}</p>'
