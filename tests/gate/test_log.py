import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from veridical import gate
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Proof, Verdict
from veridical.contracts.violation import Mode
from veridical.gate.log import (
    VARIABLE,
    Interception,
    log_interception,
    proof_id,
    read_log,
    report_false_block,
    tallies,
)

ROWS = [{"city": "Bern", "sales": 1200.5}]
FINDING = Finding(code=GateCode.UNGROUNDED_CLAIM, mode=Mode.BLOCK, hint="no", claim="1")
BLOCKED = Proof(verdict=Verdict.BLOCK, findings=(FINDING,))


def test_every_interception_is_counted_by_code_and_language(tmp_path: Path) -> None:
    log = tmp_path / "deep" / "gate.jsonl"
    policy = gate.Policy(log=str(log))
    gate.check("Sales in Bern were 1,733.40.", ROWS, policy=policy)
    gate.check("Sales in Bern were 1,200.50.", ROWS, policy=policy)
    gate.check("Der Umsatz in Bern beträgt 1'733.40.", ROWS, policy=policy)
    assert {(each.code, each.language, each.count) for each in tallies(log)} == {
        (GateCode.CONTRADICTED_CLAIM, Language.EN, 1),
        (GateCode.UNGROUNDED_CLAIM, Language.DE, 1),
    }


def test_the_environment_names_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "gate.jsonl"))
    gate.check("Sales in Bern were 1,733.40.", ROWS)
    assert len(list(read_log(tmp_path / "gate.jsonl"))) == 1


def test_a_policy_by_its_name_is_logged_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "gate.jsonl"
    monkeypatch.setenv(VARIABLE, str(log))
    wrong = "Sales in Bern were 1,733.40."
    proofs = [gate.check(wrong, ROWS, policy=policy) for policy in ("marked", "off")]
    entries = list(read_log(log))
    assert [each.id for each in entries] == [proof_id(proof) for proof in proofs[:1]]
    assert {each.language for each in entries} == {Language.EN}
    gate.check("Sales in Bern were 1,200.50.", ROWS)
    assert len(list(read_log(log))) == len(entries)


def test_neither_answer_nor_evidence_is_written_down(tmp_path: Path) -> None:
    log = tmp_path / "gate.jsonl"
    gate.check(
        "Sales in Bern were 1,733.40.",
        ROWS,
        policy=gate.Policy(log=str(log)),
    )
    text = log.read_text("utf-8")
    assert "Bern" not in text
    assert "1733" not in text.replace(",", "")
    assert log.stat().st_mode & 0o077 == 0


def test_a_report_refers_to_the_interception_and_counts_once(tmp_path: Path) -> None:
    log = tmp_path / "gate.jsonl"
    logged = log_interception(log, BLOCKED, Language.EN)
    assert logged is not None
    reports = [report_false_block(log, BLOCKED, Language.EN, "it was right") for _ in range(2)]
    assert {each.id for each in reports} == {logged.id}
    (tally,) = tallies(log)
    assert (tally.count, tally.false_blocks) == (1, 1)


def test_a_proof_keeps_its_id_through_json() -> None:
    proof = gate.check("Sales in Bern were 1,733.40.", ROWS)
    assert proof_id(Proof.model_validate_json(proof.model_dump_json(by_alias=True))) == proof_id(
        proof
    )


def test_many_may_log_at_once_and_torn_lines_are_left_out(tmp_path: Path) -> None:
    log = tmp_path / "gate.jsonl"
    with ThreadPoolExecutor(8) as pool:
        for _ in range(200):
            pool.submit(log_interception, log, BLOCKED, Language.ZH)
    with log.open("a") as torn:
        torn.write('{"event":"interc')
    entries = list(read_log(log))
    assert len(entries) == 200
    assert all(isinstance(each, Interception) for each in entries)


def test_a_log_that_fails_stops_no_verdict(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    policy = gate.Policy(log=str(tmp_path / "file" / "gate.jsonl"))
    proof = gate.check("Sales in Bern were 1,733.40.", ROWS, policy=policy)
    assert proof.verdict is Verdict.WARN
    assert "no interception logged" in caplog.text


def test_nothing_is_logged_without_findings_or_without_a_log(tmp_path: Path) -> None:
    assert log_interception(tmp_path / "x", Proof(verdict=Verdict.PASS), Language.EN) is None
    assert tallies(tmp_path / "x") == ()
    assert json.loads(BLOCKED.model_dump_json())["verdict"] == "block"
