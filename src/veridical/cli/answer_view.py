"""Prints on a terminal what comes of a question: the progress of its run, and its answer."""

from rich.table import Table

from veridical.cli.error_reporting import Terminal, as_cell, out, printable
from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof, Verdict
from veridical.contracts.step import Progress
from veridical.contracts.trace import Event, ModelCalled, Routed, ToolCalled
from veridical.messages import message
from veridical.reading.shown import plain
from veridical.trace.counters import rows_found

UNANSWERED = frozenset({AnswerKind.UNKNOWN, AnswerKind.FAILED})
_MOST_ROWS = 12


def show_answer(given: Answer, *, proof: bool = False) -> None:
    """Print an answer for a person."""
    style = "yellow" if given.kind in UNANSWERED else "bold"
    out.print(f"\n{printable(given.text)}", style=style)
    if given.kind is AnswerKind.ASK_BACK:
        for place, choice in enumerate(given.suggested_answers, 1):
            if choice not in given.text:
                out.print(f"{place}. {printable(choice)}")
    out.print()
    for source in given.sources:
        title = as_cell(f"{source.tool} · {source.receipt.call_id[:8]}")
        table = Table(title=title, title_style="dim")
        for column in source.columns:
            table.add_column(as_cell(column))
        for row in source.rows[:_MOST_ROWS]:
            table.add_row(*(as_cell(None if cell is None else plain(cell)) for cell in row))
        out.print(table)
    out.print(_took(given), style="dim")
    if proof and given.proof is not None:
        from veridical.gate.proof_text import as_text  # here: few ask for it

        out.print(as_text(given.proof, given.language))


def _verdict(proof: Proof, language: Language) -> str:
    """As it is on the wire; in words where there was nothing to prove."""
    if proof.proves or proof.verdict is not Verdict.PASS:
        return proof.verdict
    return message("gate.verdict_nothing", language).lower()


def _took(given: Answer) -> str:
    usage = given.usage
    proven = "" if given.proof is None else f"gate {_verdict(given.proof, given.language)} · "
    cost = "" if usage.cost is None else f" · ${usage.cost:.4f}"
    spent = message(
        "cli.ask_spent",
        given.language,
        models=usage.model_calls,
        tools=usage.tool_calls,
        tokens=usage.input_tokens + usage.output_tokens,
    )
    seconds = f"{usage.elapsed_ms / 1000:.2f} s"
    return f"{given.kind} · {proven}{spent} · {seconds}{cost} · trace {given.trace_id}"


class ProgressView:
    """Prints a run's events to standard error, so that standard output has only the answer."""

    def __init__(self, quiet: bool, language: Language) -> None:
        self._console = Terminal(stderr=True, quiet=quiet)
        self._language = language

    def see(self, event: Event | Progress) -> None:
        """Print one event or progress."""
        match event:
            case Progress(stage="asking"):
                self._tell(message("cli.ask_thinking", self._language), "dim")
            case Routed():
                self._tell(f"→ {event.route} ({event.intent or event.reason})", "dim")
            case ModelCalled() if event.error is not None:
                self._tell(f"✗ {event.model}: {event.error}", "red")
            case ModelCalled():
                seconds = event.elapsed_ms / 1000
                tokens = event.input_tokens + event.output_tokens
                self._tell(f"· {event.model}: {tokens} tokens, {seconds:.1f} s", "dim")
            case ToolCalled():
                self._tool(event)
            case _:
                pass

    def _tool(self, event: ToolCalled) -> None:
        table = event.arguments.get("tableName", "")
        if event.success:
            self._tell(f"✓ {event.tool} {table}: {rows_found(event, self._language)}", "green")
            return
        details = event.error_details or {}
        hint = details.get("hint") or details.get("code") or ""
        self._tell(f"✗ {event.tool} {table}: {event.validation_failure_code} {hint}", "red")

    def _tell(self, text: str, style: str) -> None:
        self._console.print(text, style=style)
