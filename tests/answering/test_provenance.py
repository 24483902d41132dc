"""Values that nobody named are flagged before a call runs."""

import asyncio
from datetime import date
from typing import Any

import pytest

from veridical.answering.provenance import Provenance
from veridical.contracts.answer import Source
from veridical.contracts.language import Language
from veridical.contracts.question import Question, Turn
from veridical.contracts.result import Receipt, ToolResult
from veridical.contracts.violation import Code, Mode

TODAY = date(2026, 11, 15)


def known(text: str = "Open invoices of customer C-4711 in 2025?", **parts: Any) -> Provenance:
    return Provenance(Question(text=text, **parts), "account 1020 is the bank", TODAY)


def filtered(field: str, value: object) -> dict[str, Any]:
    return {"tableName": "t", "filters": [{"field": field, "op": "=", "value": value}]}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("customerId", "C-4711"),
        ("customerId", "c4711"),
        ("year", 2025),
        ("bookedOn", 1735689600),
        ("bookedOn", 1767225600),
        ("bookedOn", "2026-01-01"),
        ("bookedOn", 20251231),
        ("accountNumber", "1020"),
    ],
)
def test_what_question_and_ontology_name_is_known(field: str, value: object) -> None:
    assert known().untraced(filtered(field, value)) == ()


def test_a_limit_needs_no_source() -> None:
    assert known().untraced({"tableName": "t", "limit": 500}) == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [("customerId", "C-4712"), ("bookedOn", 1500000000), ("email", "billing@evil.test")],
)
def test_what_nobody_named_is_flagged(field: str, value: object) -> None:
    assert known().untraced(filtered(field, value))


def test_an_earlier_result_vouches_for_its_values_even_when_replayed() -> None:
    run = known()
    result = ToolResult(success=True, data={"columns": ["id"], "rows": [["INV-2025-0099"]]})

    async def recorded() -> Any:
        return {"arguments": {}, "result": result.model_dump(mode="json", by_alias=True)}

    async def replayed(name: str, action: Any) -> Any:
        return await recorded()

    assert run.untraced(filtered("invoiceId", "INV-2025-0099"))
    watched = run.watching(replayed)

    async def play() -> Any:
        return await watched("agent.tool.1.1", recorded)

    asyncio.run(play())
    assert not run.untraced(filtered("invoiceId", "INV-2025-0099"))


def test_earlier_turns_vouch() -> None:
    turn = Turn(question="Who owes most?", answer="Customer K-9001.")
    assert not known("And what?", thread=(turn,)).untraced(filtered("customerId", "K-9001"))


def test_a_flagged_call_carries_a_warning_or_is_refused() -> None:
    ran: list[str] = []

    def tools(name: str, arguments: dict[str, Any]) -> ToolResult:
        ran.append(name)
        return ToolResult(success=True, data={})

    call = filtered("customerId", "C-4712")
    warned = known().guarding(tools, Mode.WARN, Language.EN)("queryTable", call)
    assert [each.code for each in warned.warnings] == [Code.UNTRACED_VALUE]
    assert "C-4712" in warned.warnings[0].hint
    refused = known().guarding(tools, Mode.BLOCK, Language.DE)("queryTable", call)
    assert not refused.success
    assert known().guarding(tools, Mode.OFF, Language.EN) is tools
    assert ran == ["queryTable"]


def test_a_second_attempt_knows_what_the_first_one_read() -> None:
    receipt = Receipt(
        call_id="c",
        query_hash="q",
        ontology_hash="o",
        sql="",
        row_count=1,
        truncated=False,
        elapsed_ms=1.0,
    )
    source = Source(tool="queryTable", arguments={}, rows=(("INV-2025-0099",),), receipt=receipt)
    again = Provenance(Question(text="Open invoices?"), "", TODAY, (source,))
    assert again.untraced(filtered("invoiceId", "INV-2025-0099")) == ()
    assert known("Open invoices?").untraced(filtered("invoiceId", "INV-2025-0099"))
