from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.gate.strictly import strictly
from veridical import gate
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Proof, ProvenClaim, Standing, Verdict
from veridical.contracts.result import ToolRun
from veridical.contracts.violation import Mode

ROWS = [{"city": "Bern", "sales": 1200.5}, {"city": "Basel", "sales": 900.0}]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=10,
)
_WORDS = st.sampled_from(
    [
        "Bern", "Basel", "1'200.50", "1,200.5", "900", "12 %", "total", "alle", "User 1", "User 2",
        "用户1", "120万", "31.12.2025", "keine", "3 customers:", "- Bern\n- Basel\n", "X-4711",
        "Q3 2025", "Step 1", "(5)", "=", "+", "14:30", "CHF", ".", ":", ",", "und", "Mustermann",
        "\n\n", "|", "±",
    ]
)  # fmt: skip
_ANSWERS = st.text(max_size=60) | st.lists(_WORDS, max_size=12).map(" ".join)
_EXAMPLES = settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@example(":*:", [], "")
@_EXAMPLES
@given(_ANSWERS, _JSON, _ANSWERS)
def test_it_never_raises_and_says_the_same_twice(answer: str, evidence: Any, question: str) -> None:
    proof = strictly(answer, evidence, question=question)
    assert strictly(answer, evidence, question=question) == proof
    for claim in proof.claims:
        assert answer[claim.start : claim.end] == claim.text
    assert Proof.model_validate_json(proof.model_dump_json(by_alias=True)).verdict is proof.verdict
    assert gate.as_text(proof)
    assert gate.as_page(proof, answer)


@_EXAMPLES
@given(_ANSWERS, st.sampled_from([ROWS, [], (), {"columns": ["a"], "rows": [[1]]}]))
def test_blocked_means_a_finding_that_blocks(answer: str, evidence: Any) -> None:
    proof = gate.check(answer, evidence)
    modes = {each.mode for each in proof.findings}
    assert (proof.verdict is Verdict.BLOCK) == (Mode.BLOCK in modes)
    assert (proof.verdict is Verdict.PASS) == (not modes & {Mode.BLOCK, Mode.WARN})


@_EXAMPLES
@given(_ANSWERS, st.sampled_from(GateCode))
def test_a_rule_that_is_off_takes_exactly_its_findings_away(answer: str, code: GateCode) -> None:
    runs = [ToolRun(tool="inspectFile", success=True), ToolRun(tool="queryTable", success=False)]
    whole = strictly(answer, ROWS, runs=runs)
    without = strictly(
        answer,
        ROWS,
        runs=runs,
        policy=gate.Policy(modes={code: Mode.OFF}),
    )
    assert without.findings == tuple(each for each in whole.findings if each.code is not code)
    assert without.claims == whole.claims


def test_prepared_evidence_gives_the_same_proof() -> None:
    answer = "Bern sold 1,200.50 and Basel 900, together 2,100.50."
    assert strictly(answer, gate.prepare(ROWS)) == strictly(answer, ROWS)


def test_each_claim_points_at_its_cell() -> None:
    (first, second) = [
        claim
        for claim in strictly("Bern: 1'200.50, Basel: 900", ROWS).claims
        if claim.kind == "number"
    ]
    assert first.binding is not None
    assert (first.binding.row, first.binding.row_key, first.binding.column) == (0, "Bern", "sales")
    assert first.binding.value == 1200.5
    assert second.binding is not None
    assert second.binding.row_key == "Basel"


@_EXAMPLES
@given(_ANSWERS)
def test_what_the_gate_trusts_itself_with_would_stand_a_check(answer: str) -> None:
    claims = strictly(answer, ROWS, question="User 1 in Basel, 900?").claims
    for claim in claims:
        checked = ProvenClaim.model_validate(claim.model_dump())
        assert checked == claim
        assert checked.model_dump_json(by_alias=True) == claim.model_dump_json(by_alias=True)


def test_a_hint_speaks_the_users_language() -> None:
    proof = strictly("Der Umsatz in Bern beträgt 1'733.40.", ROWS)
    (finding,) = [each for each in proof.findings if each.claim == "1'733.40"]
    assert "1'733.40" in finding.hint
    assert "Ergebnis" in finding.hint


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("code", GateCode)
def test_every_reason_has_a_friendly_text_without_technical_words(
    code: GateCode, language: Language
) -> None:
    finding = Finding(code=code, mode=Mode.BLOCK, hint="x")
    told = gate.friendly(Proof(verdict=Verdict.BLOCK, findings=(finding,)), language)
    assert told
    assert not any(
        word in told.casefold() for word in ("sql", "tool", "json", "error", "null", "_")
    )


def test_runs_of_failed_results_count() -> None:
    results = [{"success": True, "data": ROWS}, {"success": False, "error": "timeout"}]
    proof = strictly("Sales in Chur were 1,733.40.", results)
    assert GateCode.AFTER_TOOL_ERROR in {each.code for each in proof.findings}


def test_an_answer_may_rest_on_what_an_earlier_one_proved() -> None:
    first = strictly("Bern 1,200.50 + Basel 900 = 2,100.50.", ROWS)
    assert first.verdict is Verdict.PASS
    alone = strictly(
        "The price was 2,100.50 CHF as agreed.",
        [{"city": "Chur", "sales": 3}],
    )
    assert alone.verdict is Verdict.BLOCK
    carried = (*gate.prepare([{"city": "Chur", "sales": 3}]).exhibits, *gate.proven_exhibits(first))
    assert strictly("The price was 2,100.50 as agreed.", carried).verdict is Verdict.PASS


def test_what_is_no_claim_is_not_shown() -> None:
    proof = strictly("1. Bern\n2. Basel", ROWS)
    assert all(claim.standing is not Standing.EXEMPT for claim in proof.claims)
