"""What the pages say is in the reader's language: figures, outcomes, findings, decisions, days."""

import re

import pytest

from tests.console.pages import signed_in
from tests.runs.asked import asked
from tests.server.rights import belongings
from tests.server.standing import ACME, Standing
from veridical.console.page import LANGUAGE_COOKIE, environment, part
from veridical.console.step_view import step_of
from veridical.contracts.language import Language
from veridical.contracts.person import ItemKind, PersonNeeded, Waiting
from veridical.contracts.search_candidate import CoverageDimension
from veridical.contracts.trace import ModelCalled, Routed
from veridical.messages import message
from veridical.reading.shown import count

pytestmark = pytest.mark.postgres

FIGURES = {Language.DE: "1'193'798.41", Language.EN: "1,193,798.41", Language.ZH: "1,193,798.41"}
in_each = pytest.mark.parametrize("language", tuple(Language))


def _page(console: Standing, language: Language, where: str) -> str:
    with signed_in(console) as client:
        client.cookies.set(LANGUAGE_COOKIE, language.value)
        found = client.get(f"/console/{where}")
    assert found.status_code == 200, found.text
    return found.text.replace("&#39;", "'")


def _waiting(console: Standing, kind: ItemKind, subject: dict[str, object]) -> str:
    run = console.services.runs.start(asked(), ACME, "somebody").run_id
    needed = PersonNeeded(name=f"{kind}.1", kind=kind, subject=subject, reversible=True)
    with pytest.raises(Waiting) as waiting:
        console.services.inbox.settled(run, ACME, needed)
    return waiting.value.item


@in_each
def test_figures_that_wait_for_approval_are_written_as_in_an_answer(
    console: Standing, language: Language
) -> None:
    rows = [["CHF", 1193798.41, None], ["EUR", 0.5, "<b>"]]
    result = {"tool": "queryTable", "columns": ["currency", "total", "note"], "rows": rows}
    item = _waiting(console, ItemKind.EVIDENCE, {"question": "How much?", "results": [result]})
    page = _page(console, language, f"inbox/{item}")
    assert f'<td class="amount">{FIGURES[language]}</td>' in page
    assert '<td class="amount">0.50</td><td>&lt;b&gt;</td>' in page
    assert '<th scope="col" class="amount">total</th>' in page


@in_each
def test_a_question_back_is_answered_not_approved(console: Standing, language: Language) -> None:
    subject: dict[str, object] = {"question": "Fast?", "asked": "How fast?", "suggestedAnswers": []}
    page = _page(console, language, f"inbox/{_waiting(console, ItemKind.CLARIFICATION, subject)}")
    buttons = re.findall(r'<button class="(?:primary|danger)" name="decision"[^>]*>([^<]+)', page)
    assert buttons == [message(f"team_review.{key}", language) for key in ("answer", "skip")]


@in_each
def test_runs_that_are_not_finished_are_told_and_found(
    console: Standing, language: Language
) -> None:
    belongings(console)
    console.services.runs.start(asked(), ACME, "somebody")
    told = message("console.kind_open", language)
    listed = _page(console, language, "runs?outcome=open")
    quality = _page(console, language, "quality")
    assert f'<option value="open" selected>{told}</option>' in listed
    for badge in re.findall(r'href="/console/runs\?outcome=open">([^<]+)', quality):
        assert badge.strip() == told
    assert ">open <" not in quality


@in_each
def test_health_is_told_in_words(console: Standing, language: Language) -> None:
    page = _page(console, language, "admin")
    checks = re.findall(r'<li class="(?:good|bad|open)">[✓✗?] ([^<]+)', page)
    told = {
        message(f"administration.check_{name}", language)
        for name in ("database", "migrations", "storage", "workers", "reload", "feature")
    }
    assert {each.strip() for each in checks} == told


@in_each
def test_steps_say_why_a_question_took_its_way(language: Language) -> None:
    """A trace records the reasons in English."""
    told = {
        reason: step_of(Routed(at=0.0, route="agent", reason=reason), language).text
        for reason in ("no pattern", "several patterns", "several questions", "missing year")
    }
    assert not any(re.search(f"[:：] ?{reason}$", text) for reason, text in told.items())
    assert "year" in told["missing year"]
    called = ModelCalled(at=0.0, round=1, model="m", input_tokens=1200, output_tokens=34)
    assert message("console.tokens", language, count=count(1234, language)) in (
        step_of(called, language).text
    )


@in_each
def test_a_search_that_has_not_begun_says_what_it_shows(language: Language) -> None:
    named = ("csrf", "address", "typed_in", "here", "question", "mode")
    around: dict[str, object] = dict.fromkeys(named, "")
    around |= dict.fromkeys(("sections", "tour", "features", "modes"), ())
    around |= {"languages": {}, "identity": None, "chosen": "books", "view": None}
    page = part(language, "evidence.html", collections=("memos",), **around)
    assert message("console.evidence_start", language) in page


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2026-05-04T07:08:09+00:00", '<time datetime="2026-05-04T07:08:09+00:00">'),
        ("last <week>", "last &lt;week&gt;"),
    ],
)
def test_moments_from_a_file_are_shown_like_others(written: str, shown: str) -> None:
    assert shown in environment().from_string("{{ at | minute }}").render(at=written)


@in_each
def test_every_dimension_of_coverage_has_a_short_name(language: Language) -> None:
    names = [message(f"search.dimension_{each}", language) for each in CoverageDimension]
    assert len(set(names)) == len(CoverageDimension)
    assert all(len(name) <= 14 for name in names)
