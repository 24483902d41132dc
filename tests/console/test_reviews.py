"""Reports of wrong blocks: decided once, with a reason, and runnable as gold questions."""

from pathlib import Path

import pytest

from tests.console.pages import SAME, signed_in, token_of
from tests.console.stored import reported
from tests.sample import PACK
from tests.server.rights import belongings
from tests.server.standing import BALANCE, Standing
from veridical.evals.gold.load import read_gold
from veridical.evals.gold.oracle import postgres_oracle, truth_of
from veridical.sample.books import load_sample
from veridical.sample.postgres import LocalPostgres
from veridical.store.audit import entries

pytestmark = pytest.mark.postgres


def _decided(console: Standing, report: int, **form: str) -> int:
    with signed_in(console) as client:
        sent = {**form, "csrf": token_of(client)}
        path = f"/console/quality/reviews/{report}"
        return client.post(path, data=sent, headers=SAME).status_code


def test_what_is_agreed_to_becomes_a_gold_file(
    console: Standing, postgres_server: LocalPostgres, tmp_path: Path
) -> None:
    report = reported(console, belongings(console).trace, "agreed")
    assert _decided(console, report, decision="agree") == 303
    with signed_in(console) as client:
        response = client.get(f"/console/quality/reviews/{report}/case")
    file = tmp_path / "case.yaml"
    file.write_text(response.text, "utf-8")
    gold = read_gold(file)
    (case,) = gold.cases
    assert case.question == BALANCE
    assert gold.tenant == ("m-001", "m-001-a")
    with postgres_oracle(load_sample(PACK, postgres_server).url) as run:
        (balance,) = truth_of(case, gold, run).truth.values(*case.expected_answer_numeric)
    with console.client() as client:
        asked = {"feature": "trustee", "question": BALANCE}
        (source,) = client.post("/v1/ask", json=asked).json()["sources"]
    assert str(balance) in {str(cell) for row in source["rows"] for cell in row}


def test_who_disagrees_says_why(console: Standing) -> None:
    report = reported(console, "", "closed")
    assert _decided(console, report, decision="disagree") == 409
    assert _decided(console, report, decision="disagree", reason="The sum is wrong.") == 303
    with signed_in(console) as client:
        assert "The sum is wrong." in client.get("/console/quality/reviews?every=true").text
        assert f'id="r{report}"' not in client.get("/console/quality/reviews").text


def test_a_report_is_decided_once_and_the_audit_knows_by_whom(console: Standing) -> None:
    report = reported(console, "", "twice")
    assert _decided(console, report, decision="agree", reason="yes") == 303
    assert _decided(console, report, decision="disagree", reason="no") == 409
    with console.services.store.tenant("acme") as connection:
        noted = [each for each in entries(connection) if each.action == "falseBlock.reviewed"]
    (entry,) = [each for each in noted if each.subject == str(report)]
    assert entry.actor == "admin of acme"
    assert entry.detail["agreed"] is True


def test_a_report_without_its_run_says_that_it_is_no_case(console: Standing) -> None:
    report = reported(console, "", "no run")
    assert _decided(console, report, decision="agree") == 303
    with signed_in(console) as client:
        assert client.get(f"/console/quality/reviews/{report}/case").status_code == 404
        assert "not kept" in client.get("/console/quality/reviews?every=true").text
