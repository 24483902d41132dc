from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.skills.written import skill
from veridical.contracts.language import Language
from veridical.contracts.proof import (
    CheckResult,
    Finding,
    GateCode,
    Outcome,
    Proof,
    QualityCheck,
    QualityReport,
    Verdict,
)
from veridical.contracts.result import ToolRun
from veridical.contracts.violation import Mode
from veridical.skills import Skill, Submission, run_quality_gate

HERE = "tests.skills.test_quality"
INTENT = {"keywords": ["goal"], "disambiguationKeywords": ["milestone"]}
FITTING, OFF = "The goal is reached.", "Nice weather."
PASSED, FAILED = Proof(verdict=Verdict.PASS), Proof(verdict=Verdict.BLOCK)
RAN = ToolRun(tool="queryTable", success=True)
BROKE = ToolRun(tool="queryTable", success=False, error="TYPE_MISMATCH")


def content(submission: Submission) -> None:
    assert submission.question == "Are we there?"


def objects(submission: Submission) -> list[str]:
    return [f"too short: {len(submission.answer)}", ""]


def says(submission: Submission) -> str:
    return "no"


def fails(submission: Submission) -> str:
    raise RuntimeError("out of ink")


def leaves(submission: Submission) -> str:
    raise SystemExit(3)


def counts(submission: Submission) -> int:
    return 0


async def waits(submission: Submission) -> None: ...


NO_FUNCTION = "text"


def judged(
    answer: str = FITTING,
    proof: Proof | None = PASSED,
    runs: tuple[ToolRun, ...] = (RAN,),
    rivals: tuple[Skill, ...] = (),
    **given_: Any,
) -> QualityReport:
    made = skill("goal-driven", intent=INTENT, **given_)
    return run_quality_gate(answer, made, "Are we there?", proof, runs, rivals=rivals)


def result(report: QualityReport, check: QualityCheck) -> CheckResult:
    return next(each for each in report.checks if each.check is check)


def validator(name: str, mode: str = "strict") -> dict[str, Any]:
    return {"validators": [{"path": f"{HERE}:{name}", "mode": mode}]}


# tools, proof, answer, validator → verdict; the words say how each went
TRUTH = """
ok    ok      fits  ok      pass
ok    ok      off   ok      warn
ok    ok      fits  warns   warn
ok    ok      fits  blocks  block
ok    warns   fits  ok      warn
ok    blocks  fits  ok      block
fail  ok      fits  ok      block
none  ok      fits  ok      pass
ok    none    fits  ok      warn
ok    none    off   ok      warn
ok    ok      off   warns   block
ok    warns   off   ok      block
ok    blocks  off   ok      block
fail  ok      off   ok      block
ok    ok      off   blocks  block
ok    warns   fits  warns   warn
fail  blocks  off   blocks  block
"""


def _warned() -> Proof:
    finding = Finding(code=GateCode.UNKNOWN_NAME, mode=Mode.WARN, hint="Who is Meier?")
    return Proof(verdict=Verdict.WARN, findings=(finding,))


_PROOFS = {"ok": PASSED, "warns": _warned(), "blocks": FAILED, "none": None}
_VALIDATORS = {
    "ok": validator("content"),
    "warns": validator("says", "warn"),
    "blocks": validator("says"),
}


@pytest.mark.parametrize("row", TRUTH.strip().splitlines())
def test_the_verdict_follows_from_the_checks(row: str) -> None:
    tools, proof, answer, own, verdict = row.split()
    report = judged(
        FITTING if answer == "fits" else OFF,
        _PROOFS[proof],
        (BROKE,) if tools == "fail" else (RAN,),
        requiredTools=[] if tools == "none" else ["queryTable"],
        **_VALIDATORS[own],
    )
    assert report.verdict == verdict


@pytest.mark.parametrize("proof", ["ok", "none"])
@pytest.mark.parametrize("tools", ["ok", "none"])
def test_being_off_the_matter_alone_never_blocks(tools: str, proof: str) -> None:
    required = ["queryTable"] if tools == "ok" else []
    report = judged(OFF, _PROOFS[proof], requiredTools=required, **_VALIDATORS["ok"])
    assert report.verdict is Verdict.WARN
    assert result(report, QualityCheck.SKILL_MATCH).reasons


def test_a_required_tool_must_have_succeeded_once() -> None:
    def check(*runs: ToolRun) -> CheckResult:
        report = judged(runs=runs, requiredTools=["queryTable"])
        return result(report, QualityCheck.REQUIRED_TOOLS)

    assert check(BROKE, RAN).outcome is Outcome.PASSED
    assert check(BROKE).reasons == ("queryTable failed.",)
    assert check().reasons == ("queryTable was not run.",)


def test_what_was_not_evaluated_has_no_score_and_no_verdict_of_its_own() -> None:
    report = run_quality_gate("", skill("bare"), "?", None, ())
    assert [each.outcome for each in report.checks] == [Outcome.NOT_EVALUATED] * 3
    assert [each.score for each in report.checks] == [None] * 3
    assert report.verdict is Verdict.WARN
    assert report.reasons == ("The answer was not checked against evidence.",)


def test_the_score_says_how_much_is_the_skills_own() -> None:
    rival = skill("rival", intent={"keywords": ["weather", "rain", "goal"]})
    assert result(judged(), QualityCheck.SKILL_MATCH).score == 1.0
    assert result(judged(OFF), QualityCheck.SKILL_MATCH).score == 0.0
    mixed = judged("goal, milestone, weather", rivals=(rival,))
    assert result(mixed, QualityCheck.SKILL_MATCH).score == 0.5
    assert result(mixed, QualityCheck.SKILL_MATCH).outcome is Outcome.PASSED
    other = result(judged("goal in weather and rain", rivals=(rival,)), QualityCheck.SKILL_MATCH)
    assert other.outcome is Outcome.WARNED
    assert other.reasons == ("The answer reads rather like one of rival.",)


@pytest.mark.parametrize(
    ("found", "allowed", "outcome"),
    [
        (Mode.BLOCK, Mode.WARN, Outcome.WARNED),
        (Mode.BLOCK, Mode.OFF, Outcome.PASSED),
        (Mode.WARN, Mode.SHADOW, Outcome.PASSED),
        (Mode.WARN, Mode.BLOCK, Outcome.WARNED),
        (Mode.BLOCK, Mode.BLOCK, Outcome.FAILED),
    ],
)
def test_the_proof_counts_under_the_skills_modes(
    found: Mode, allowed: Mode, outcome: Outcome
) -> None:
    finding = Finding(code=GateCode.UNKNOWN_NAME, mode=found, hint="Who is Meier?")
    proof = Proof(verdict=Verdict.BLOCK, findings=(finding,))
    report = judged(proof=proof, gate={"modes": {"UNKNOWN_NAME": allowed}})
    gate = result(report, QualityCheck.GATE)
    assert gate.outcome is outcome
    assert gate.reasons == (() if outcome is Outcome.PASSED else ("Who is Meier?",))


def test_other_findings_keep_their_mode() -> None:
    findings = (
        Finding(code=GateCode.UNKNOWN_NAME, hint="Who is Meier?"),
        Finding(code=GateCode.UNGROUNDED_CLAIM, hint="Where is 12 from?"),
    )
    proof = Proof(verdict=Verdict.BLOCK, findings=findings)
    report = judged(proof=proof, gate={"modes": {"UNKNOWN_NAME": "off"}})
    assert report.verdict is Verdict.BLOCK
    assert report.reasons == ("Where is 12 from?",)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("objects", "too short: 20"),
        ("says", "no"),
        ("fails", "The validator failed (RuntimeError: out of ink)."),
        ("leaves", "The validator failed (SystemExit: 3)."),
        ("counts", "The validator returned int instead of None, text or a list of texts."),
        ("waits", "The validator returned coroutine instead of None"),
        ("NO_FUNCTION", "The validator is not a function."),
        ("not_there", "The validator can't be imported (AttributeError"),
    ],
)
@pytest.mark.parametrize(
    ("mode", "outcome", "verdict"),
    [("strict", Outcome.FAILED, Verdict.BLOCK), ("warn", Outcome.WARNED, Verdict.WARN)],
)
def test_a_validator_is_never_silently_passed(
    name: str, told: str, mode: str, outcome: Outcome, verdict: Verdict
) -> None:
    report = judged(**validator(name, mode))
    own = result(report, QualityCheck.VALIDATOR)
    assert own.outcome is outcome
    assert own.subject == f"{HERE}:{name}"
    assert len(own.reasons) == 1
    assert own.reasons[0].startswith(told)
    assert report.verdict is verdict


def test_a_module_that_is_not_there_is_told() -> None:
    report = judged(validators=[{"path": "nowhere.at_all:check"}])
    assert report.verdict is Verdict.BLOCK
    assert "No module named 'nowhere'" in report.reasons[0]


def test_reasons_come_in_the_users_language() -> None:
    made = skill(requiredTools=["queryTable"])
    report = run_quality_gate("x", made, "?", PASSED, (), language=Language.DE)
    assert report.reasons == ("queryTable wurde nicht ausgeführt.",)


@given(
    st.sampled_from(list(_PROOFS)),
    st.booleans(),
    st.text(max_size=40),
    st.lists(st.sampled_from(["content", "says", "fails", "counts", "missing"]), max_size=3),
    st.sampled_from(["strict", "warn"]),
)
def test_more_that_goes_wrong_never_makes_the_verdict_milder(
    proof: str, ran: bool, answer: str, names: list[str], mode: str
) -> None:
    order = [Verdict.PASS, Verdict.WARN, Verdict.BLOCK]
    given_: dict[str, Any] = {
        "validators": [{"path": f"{HERE}:{name}", "mode": mode} for name in names]
    }
    runs = (RAN,) if ran else ()
    report = judged(answer, _PROOFS[proof], runs, requiredTools=["queryTable"], **given_)
    worse = judged(answer, FAILED, (), requiredTools=["queryTable"], **given_)
    assert order.index(worse.verdict) >= order.index(report.verdict)
    assert QualityReport.model_validate_json(report.model_dump_json(by_alias=True)) == report
