"""Whatever shows an answer shows text: no markup, no link, no control sequence from data."""

import json
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veridical import gate
from veridical.cli import answer_view
from veridical.cli.check import show_verdict
from veridical.cli.error_reporting import Terminal, as_cell, printable
from veridical.cli.main import app
from veridical.contracts.answer import Answer, AnswerKind, Source
from veridical.contracts.language import Language
from veridical.contracts.result import Receipt
from veridical.contracts.violation import Code, Refusal, Violation

HOSTILE = (
    "[click](javascript:alert(1))",
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    '"><svg onload=alert(1)>',
    "<a href='javascript:alert(1)'>x</a>",
    "[link=javascript:alert(1)]x[/link]",
    "[bold red]x[/bold red] [/nonsense]",
    "\x1b]8;;javascript:alert(1)\x07x\x1b]8;;\x07",
    "\x1b[2J\x1b[31mred",
    "\x9b31mred",
    "a\rb\x08c\x07",
    "abc\u202egnp.exe",
)
STEERING = ("\x1b", "\x9b", "\x07", "\x08", "\r", "\u202e")
TAGS = {
    "html", "head", "meta", "title", "body", "style", "section", "p", "h2", "pre", "table", "tr",
    "td", "th", "thead", "tbody", "caption", "ul", "li", "code", "mark", "sup", "a", "details",
    "summary", "strong", "em",
}  # fmt: skip


class _Seen(HTMLParser):
    """What a browser makes of a page: its elements and where they lead."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("text", HOSTILE)
def test_e42_a_proof_as_html_has_only_its_own_elements(text: str) -> None:
    answer = f"{text}: 1,200 for {text}, and 9,999"
    evidence = [{"name": text, "amount": 1200}]
    proof = gate.check(answer, evidence)
    seen = _Seen()
    seen.feed(gate.as_page(proof, answer))
    assert seen.tags <= TAGS
    assert not any(name.startswith("on") for name, _ in seen.attributes)
    links = [value or "" for name, value in seen.attributes if name in ("href", "src")]
    assert all(link.startswith("#proof-") for link in links)
    assert not any(sign in seen.text for sign in STEERING)
    assert "script-src" not in gate.as_page(proof, answer)
    assert "default-src 'none'" in gate.as_page(proof, answer)


def _answer(text: str) -> Answer:
    receipt = Receipt(
        call_id=text, query_hash="q", ontology_hash="o", sql="", row_count=1, truncated=False,
        elapsed_ms=1.0,
    )  # fmt: skip
    source = Source(
        tool=text, arguments={}, columns=(text, "plain"), rows=((text, None),), receipt=receipt
    )
    return Answer(
        kind=AnswerKind.ASK_BACK,
        text=f"Answer {text}",
        language=Language.EN,
        trace_id="t",
        sources=(source,),
        suggested_answers=(text,),
        proof=gate.check(f"{text} has 1,200", [{"name": text, "amount": 1200}]),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_e42_a_terminal_shows_an_answer_as_text(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = StringIO()
    terminal = Terminal(file=written, force_terminal=True, color_system=None, width=400)
    monkeypatch.setattr(answer_view, "out", terminal)
    answer_view.show_answer(_answer(text), proof=True)
    shown = written.getvalue()
    assert "\x1b]8" not in shown  # no link
    plain = _without_styles(shown)
    assert not any(sign in plain for sign in STEERING)
    assert printable(text)[:12] in plain


def _without_styles(shown: str) -> str:
    """Without what the console itself writes for bold and dim."""
    for code in ("0", "1", "2", "3", "1;3"):
        shown = shown.replace(f"\x1b[{code}m", "")
    return shown


@pytest.mark.parametrize("text", HOSTILE)
def test_e42_a_refusal_is_shown_as_text(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written = StringIO()
    terminal = Terminal(file=written, width=400)
    monkeypatch.setattr("veridical.cli.check.out", terminal)
    violation = Violation(code=Code.FIELD_NOT_FOUND, field=text, hint=text, suggestion=text)
    show_verdict(Refusal(violations=(violation,)), Language.EN, as_json=False)
    assert not any(sign in written.getvalue() for sign in STEERING)
    assert printable(text)[:12] in written.getvalue()


@pytest.mark.parametrize("text", HOSTILE)
def test_e42_the_command_line_prints_no_control_sequence(text: str, tmp_path: Path) -> None:
    rows = tmp_path / "rows.json"
    rows.write_text(json.dumps([{"name": text, "amount": 1200}]), "utf-8")
    said = f"The name {text} has 1,250."
    run = CliRunner().invoke(app, ["gate", said, "--evidence", str(rows)])
    assert run.exit_code == 0, run.output  # shown with marks
    assert "1,250" in run.output
    assert not any(sign in run.output for sign in STEERING)


@pytest.mark.parametrize("text", HOSTILE)
def test_e42_a_cell_is_never_markup(text: str) -> None:
    assert as_cell(text).plain == printable(text).replace("\r", "")
    assert not as_cell(text).spans
