"""Properties of the search prover: total, deterministic, blind to the order of rows."""

import random
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.gate.strictly import strictly
from veridical import gate
from veridical.contracts.input_budget import time_limit
from veridical.contracts.proof import ClaimKind, GateCode, Standing, Verdict
from veridical.gate.policy import PolicyError
from veridical.gate.prove import prove
from veridical.gate.prover.scope import combined

pytestmark = pytest.mark.slow

BAKERY = tomllib.loads((Path(__file__).parent / "cases" / "en.toml").read_text("utf-8"))
ROWS = BAKERY["evidence"]


@settings(max_examples=examples(60), deadline=None)
@given(st.text(max_size=200), st.text(max_size=60))
def test_any_text_is_judged(answer: str, question: str) -> None:
    found = prove(answer, ROWS, question)
    assert all(0 <= claim.start <= claim.end for claim in found.claims)
    assert found.claims == prove(answer, ROWS, question).claims


@pytest.mark.parametrize("answer", [*BAKERY["accept"], *BAKERY["reject"]])
def test_the_order_of_rows_changes_nothing(answer: str) -> None:
    shuffled = list(ROWS)
    random.Random(7).shuffle(shuffled)
    stands = [claim.stand for claim in prove(answer, ROWS).claims]
    assert stands == [claim.stand for claim in prove(answer, shuffled).claims]


@pytest.mark.parametrize(
    "evidence",
    [
        [],
        {},
        "",
        None,
        [[1, 2], [3, 4]],
        "just a text",
        {"columns": ["a"], "rows": [[None]]},
        [{"a": {"b": [1, {"c": "x"}]}}],
    ],
)
def test_any_evidence_is_read(evidence: object) -> None:
    assert prove("Shoes sold 523 units.", evidence).wrong


def test_a_policy_by_name_decides_what_is_unproven() -> None:
    answer = "Harbour sold 9,120 loaves and 77,777 rolls."
    assert gate.check(answer, ROWS).verdict is Verdict.WARN
    assert gate.check(answer, ROWS, policy="off").verdict is Verdict.PASS
    with pytest.raises(PolicyError, match="no policy 'strickt'"):
        gate.check(answer, ROWS, policy="strickt")


def test_what_is_contradicted_is_told_of() -> None:
    proof = gate.check("Station had the highest revenue, €55,340.00.", ROWS)
    assert proof.verdict is Verdict.WARN
    assert GateCode.CONTRADICTED_CLAIM in {finding.code for finding in proof.findings}


def test_each_claim_says_where_it_stands_and_what_it_rests_on() -> None:
    answer = "**Old Town** brought in 33.4% of the total revenue."
    claims = gate.check(answer, ROWS).claims
    (claim,) = [each for each in claims if each.kind is ClaimKind.NUMBER]
    assert answer[claim.start : claim.end] == claim.text == "33.4%"
    assert claim.standing is Standing.GROUNDED
    assert claim.binding is not None
    assert "revenue of Old Town" in claim.binding.words
    parts = [cell.value for cell in claim.binding.cells]
    assert parts[0] == next(row["revenue_eur"] for row in ROWS if row["shop"] == "Old Town")
    assert sorted(parts) == sorted(row["revenue_eur"] for row in ROWS)


def test_places_are_those_of_the_answer_as_it_is_shown() -> None:
    answer = "Harbour &amp; friends: Station sold <b>13,755</b> loaves."
    claims = gate.check(answer, ROWS).claims
    (claim,) = [each for each in claims if each.kind is ClaimKind.NUMBER]
    assert answer[claim.start : claim.end] == claim.text == "13,755"


def test_hundreds_of_named_rows_are_put_together_in_time() -> None:
    sets = [(0, frozenset({n, n + 1})) for n in range(300)]
    with time_limit(0.5):
        assert (0, frozenset(range(301))) in combined(sets)
    few = combined(sets[:3])
    assert [sorted(rows) for _, rows in few] == [[0, 1, 2, 3], [1], [0, 1, 2], [2], [1, 2, 3]]


def test_what_takes_too_long_is_held_back() -> None:
    rows = [{"name": f"n{n}", **{f"c{k}": n * k + 0.5 for k in range(30)}} for n in range(300)]
    answer = " ".join(f"{n}.{n % 7} % of n{n % 300}" for n in range(3000))
    proof = strictly(answer, rows)
    assert proof.verdict is Verdict.BLOCK
