"""Hostile texts in questions, rows, names, findings and what people are shown: none is obeyed by
a real browser, wherever a page shows them."""

import time
from collections.abc import Iterator, Sequence
from urllib.parse import quote
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page

from tests.console.chromium import sign_in, window
from tests.console.payloads import payloads
from tests.console.stored import records, reported, setup
from tests.runs.asked import asked
from tests.server.standing import ACME, Standing
from veridical.contracts.answer import Answer, AnswerKind, Source
from veridical.contracts.language import Language
from veridical.contracts.person import ItemKind, PersonNeeded, Waiting
from veridical.contracts.proof import (
    Binding,
    CellRef,
    ClaimKind,
    Finding,
    GateCode,
    Ground,
    Proof,
    ProvenClaim,
    Verdict,
)
from veridical.contracts.proof import Standing as ClaimStanding
from veridical.contracts.question import Question
from veridical.contracts.result import Receipt
from veridical.contracts.trace import AgentTrace, Answered, Gated, RunStarted, ToolCalled
from veridical.evals.storage.folder import RunFolder
from veridical.server.identity import Role
from veridical.server.keys import create_key
from veridical.store.false_blocks import Ruling, add_review

pytestmark = pytest.mark.postgres

PAYLOADS = payloads()
NOW = time.time()


@pytest.fixture(scope="module")
def page(browser: Browser, console: Standing) -> Iterator[Page]:
    context = window(browser)
    context.add_init_script("window.pwned = () => { window.harmed = true; }")
    opened = context.new_page()
    opened.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
    sign_in(opened, console, Role.ADMIN)
    yield opened
    context.close()


def test_there_are_enough_of_them() -> None:
    assert len(set(PAYLOADS)) >= 200


def test_the_test_would_notice(browser: Browser) -> None:
    """Put into a page unescaped, most of them do run."""
    context = window(browser)
    context.add_init_script("window.pwned = () => { window.harmed = true; }")
    opened = context.new_page()
    opened.set_content(f"<body>{PAYLOADS[0]}{PAYLOADS[6]}</body>")
    opened.wait_for_timeout(200)
    assert opened.evaluate("window.harmed") is True
    context.close()


def test_questions_in_the_list_of_runs(page: Page, console: Standing) -> None:
    traces = [_trace([text]) for text in PAYLOADS[:200]]
    console.services.traces.save(traces)
    assert _is_harmless(page, f"{console.address}/console/runs?limit=200")
    assert page.locator("table.list tbody tr").count() == 200


def test_everything_that_one_run_shows(page: Page, console: Standing) -> None:
    for start in range(0, len(PAYLOADS), 60):
        texts = PAYLOADS[start : start + 60]
        trace = _trace(texts)
        console.services.traces.save([trace])
        for path in (f"runs/{trace.trace_id}", f"ask?t={trace.trace_id}"):
            assert _is_harmless(page, f"{console.address}/console/{path}")


def test_what_people_are_shown(page: Page, console: Standing) -> None:
    services = console.services
    run = services.runs.start(asked(), ACME, PAYLOADS[0]).run_id
    subject = {
        "question": PAYLOADS[1],
        "results": [
            {"tool": text, "columns": [text], "rows": [[text]], "snippet": text, "reason": text}
            for text in PAYLOADS
        ],
    }
    needed = PersonNeeded(
        name="evidence.1", kind=ItemKind.EVIDENCE, subject=subject, reversible=True
    )
    with pytest.raises(Waiting) as waiting:
        services.inbox.settled(run, ACME, needed)
    assert _is_harmless(page, f"{console.address}/console/inbox")
    assert _is_harmless(page, f"{console.address}/console/inbox/{waiting.value.item}")


def test_requirements_that_are_pasted(page: Page, console: Standing) -> None:
    few = 25  # a review has a limit of seconds, whatever else the machine does
    for start in range(0, len(PAYLOADS), few):
        page.goto(f"{console.address}/console/requirements")
        texts = (each.replace("\n", " ") for each in PAYLOADS[start : start + few])
        page.fill("#text", "\n".join(f"The system shall show {text} fast." for text in texts))
        page.click("button[value=rules]")
        page.locator("article.card").first.wait_for()
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert page.evaluate("window.harmed") is None


def test_steps_that_come_while_one_looks(page: Page, console: Standing) -> None:
    run = console.services.runs.start(asked(), ACME, PAYLOADS[0]).run_id
    page.goto(f"{console.address}/console/runs/{run}")
    trace = _trace(PAYLOADS[:60])
    events = trace.events[:-1]  # not the answer: the run goes on
    console.services.traces.save([AgentTrace(trace_id=run, events=events)])
    page.locator(f"#s{len(events) - 1}").wait_for()
    assert page.evaluate("window.harmed") is None
    console.services.runs.cancel(run, ACME, "somebody")


def test_names_of_keys(page: Page, console: Standing) -> None:
    with console.services.store.tenant(ACME) as connection:
        for text in PAYLOADS:
            if len(text) <= 100 and text.isprintable() and text == text.strip():
                create_key(connection, ACME, text, Role.VIEWER, actor=text)
    assert _is_harmless(page, f"{console.address}/console/admin")
    assert _is_harmless(page, f"{console.address}/console/admin/audit")


def test_what_is_reported_reviewed_and_proposed(page: Page, console: Standing) -> None:
    for text in PAYLOADS[:30]:
        report = reported(console, text, text, by=text)
        with console.services.store.tenant(ACME) as connection:
            gold = {"name": text, "cases": [{"question": text, "truth": {"sql": text}}]}
            add_review(connection, ACME, text, report, Ruling(True, text, gold))
    assert _is_harmless(page, f"{console.address}/console/quality/reviews?every=true")
    assert _is_harmless(page, f"{console.address}/console/ontology/upkeep")
    assert page.locator(".proposal").count() > 30


def test_what_an_eval_report_says(page: Page, console: Standing) -> None:
    for start in range(0, 60, 6):
        texts = tuple(PAYLOADS[start : start + 6])
        run = RunFolder(console.services.settings.evals / f"hostile-{start}")
        run.path.mkdir()
        header = setup("0.0.1").header.model_copy(
            update={"gold": texts[0], "model": texts[1], "version": f"0.0.1 {texts[2]}"}
        )
        run.write_setup(setup("0.0.1").model_copy(update={"header": header}))
        for record in records(0, texts):
            run.results.append(record)
        address = f"{console.address}/console/quality/evals?report=hostile-{start}"
        assert _is_harmless(page, address)
        for button in page.locator("button.explore").all():
            button.click()
        page.wait_for_selector(".explored canvas")
        assert page.evaluate("window.harmed") is None


@pytest.mark.parametrize("start", range(0, len(PAYLOADS), 40))
def test_what_an_address_says(page: Page, console: Standing, start: int) -> None:
    texts = quote("".join(PAYLOADS[start : start + 40])[:3_500])
    for path in (
        f"ask?q={texts}",
        f"ask?feature={texts}",
        f"runs?outcome={texts}&code={texts[:100]}&since={texts[:100]}&before={texts[:100]}",
        f"runs/{texts}",
        f"inbox/{texts}",
        f"ontology?q={texts}",
        f"ontology/upkeep?feature={texts}",
        f"quality/evals?report={texts}&which={texts[:100]}",
        f"signin?next={texts}",
        f"{texts}",
    ):
        assert _is_harmless(page, f"{console.address}/console/{path}")


def _is_harmless(page: Page, address: str) -> bool:
    page.goto(address)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    return page.evaluate("window.harmed") is None


def _trace(texts: Sequence[str]) -> AgentTrace:
    """A run in which whatever can be said is one of these."""
    first = texts[0]
    receipt = Receipt(
        call_id=first,
        query_hash=first,
        ontology_hash=first,
        sql=first,
        row_count=len(texts),
        truncated=False,
        elapsed_ms=1.0,
    )
    source = Source(
        tool=first,
        arguments={first: first},
        columns=(first, "amount"),
        rows=tuple((text, place) for place, text in enumerate(texts[:20])),
        receipt=receipt,
    )
    answer = "".join(texts)
    claims: list[ProvenClaim] = []
    start = 0
    for text in texts:
        cell = CellRef(result="r1", title=text, row_key=text, column=text, value=text, unit=text)
        binding = Binding(ground=Ground.CELL, words=text, cells=(cell,), period=text)
        claims.append(
            ProvenClaim(
                kind=ClaimKind.NUMBER,
                text=text,
                start=start,
                end=start + len(text),
                standing=ClaimStanding.GROUNDED,
                binding=binding,
            )
        )
        start += len(text)
    findings = tuple(
        Finding(code=GateCode.UNGROUNDED_CLAIM, hint=text, claim=text) for text in texts
    )
    given = Answer(
        kind=AnswerKind.AGENT,
        text=answer,
        language=Language.EN,
        trace_id=str(uuid4()),
        sources=(source,),
        suggested_answers=tuple(texts),
        proof=Proof(verdict=Verdict.WARN, claims=tuple(claims), findings=findings),
    )
    return AgentTrace(
        trace_id=given.trace_id,
        events=(
            RunStarted(
                at=NOW,
                question=Question(text=first, feature="trustee"),
                caller=first,
                tenant=ACME,
                model=first,
            ),
            *(
                ToolCalled(
                    at=NOW,
                    round=1,
                    tool=text,
                    arguments={"tableName": text},
                    success=False,
                    validation_failure_code="FIELD_NOT_FOUND",
                    error_details={"hint": text, "code": text},
                )
                for text in texts
            ),
            Gated(at=NOW, attempt=1, text=answer, verdict=Verdict.BLOCK, findings=findings),
            Answered(at=NOW, answer=given),
        ),
    )
