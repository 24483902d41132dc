import json
from typing import Any

import pytest

from tests.server.standing import Standing
from veridical.contracts.proof import Proof, Tick, Verdict

pytestmark = pytest.mark.postgres

ROWS = [{"region": "North", "revenue": 48210.5}, {"region": "South", "revenue": 31500.0}]


def _judged(server: Standing, **asked: Any) -> Proof:
    with server.client() as client:
        return Proof.model_validate_json(client.post("/v1/gate", json=asked).content)


def test_an_answer_that_its_evidence_bears_out_passes(server: Standing) -> None:
    proof = _judged(server, answer="North made 48,210.50.", evidence=ROWS)
    assert proof.verdict is Verdict.PASS


def test_an_answer_under_a_wrong_name_is_marked(server: Standing) -> None:
    proof = _judged(server, answer="South made 48,210.50.", evidence=ROWS)
    assert proof.verdict is Verdict.WARN
    assert {each.tick for each in proof.claims} == {Tick.UNPROVEN}


@pytest.mark.parametrize(
    "body",
    [
        '{"answer": "a"}',
        '{"answer": "", "evidence": []}',
        '{"answer": "a", "evidence": "\\u0000"}',
        '{"answer": "a", "evidence": ["\\ud800"]}',
        '{"answer": "a", "evidence": NaN}',
        '{"answer": "a", "evidence": 1e999}',
        '{"answer": "a", "evidence": ' + "[" * 200 + "]" * 200 + "}",
        '{"answer": "\\ud800", "evidence": []}',
        '{"answer": "a", "evidence": [], "requiredTools": [""]}',
        "[]",
        "{",
    ],
    ids=lambda body: body[:40],
)
def test_what_cannot_be_judged_is_refused(server: Standing, body: str) -> None:
    with server.client(headers={"content-type": "application/json"}) as client:
        assert client.post("/v1/gate", content=body.encode()).status_code == 422


def test_a_body_without_end_is_no_json(server: Standing) -> None:
    deep = b'{"answer": "a", "evidence": ' + b"[" * 100_000
    with server.client(headers={"content-type": "application/json"}) as client:
        response = client.post("/v1/gate", content=deep)
    assert response.status_code in (400, 422)
    assert json.loads(response.content)["code"] in ("BAD_REQUEST", "INVALID")
