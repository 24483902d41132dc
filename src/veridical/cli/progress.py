"""Prints the progress of a run: each call, each rejection, each repair, one line each."""

from veridical.cli.error_reporting import Terminal
from veridical.contracts.language import Language
from veridical.contracts.progress import Progress
from veridical.contracts.trace import Event, ModelCalled, Routed, ToolCalled
from veridical.messages import message


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
            rows = event.receipt.row_count if event.receipt else 0
            text = message("cli.ask_rows", self._language, rows=rows)
            self._tell(f"✓ {event.tool} {table}: {text}", "green")
            return
        details = event.error_details or {}
        hint = details.get("hint") or details.get("code") or ""
        self._tell(f"✗ {event.tool} {table}: {event.validation_failure_code} {hint}", "red")

    def _tell(self, text: str, style: str) -> None:
        self._console.print(text, style=style, highlight=False, markup=False)
