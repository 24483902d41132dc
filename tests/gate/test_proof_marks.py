from hypothesis import given
from hypothesis import strategies as st

from veridical import gate
from veridical.contracts.language import Language
from veridical.contracts.proof import ClaimKind, Proof, ProvenClaim, Standing, Verdict
from veridical.gate.proof_marks import SIGN
from veridical.messages import message

ROWS = [{"shop": "Harbour", "loaves": 9120}, {"shop": "Station", "loaves": 13755}]
ANSWER = "Harbour sold 9,120 loaves and 77,777 rolls, Station 13,755 loaves on 31 May."


def _places(draw: st.DrawFn, text: str) -> tuple[ProvenClaim, ...]:
    place = st.integers(0, len(text))
    spans = draw(st.lists(st.tuples(place, place).map(sorted), max_size=6))
    return tuple(
        ProvenClaim(
            kind=ClaimKind.NUMBER,
            text=text[start:end],
            start=start,
            end=end,
            standing=draw(st.sampled_from(Standing)),
        )
        for start, end in spans
        if start < end
    )


@st.composite
def _proofs(draw: st.DrawFn) -> tuple[str, Proof]:
    text = draw(st.text("ab 1,.\n", max_size=40))
    return text, Proof(verdict=Verdict.WARN, claims=_places(draw, text))


@given(_proofs())
def test_marks_change_nothing_but_what_they_add(case: tuple[str, Proof]) -> None:
    text, proof = case
    marked, moved = gate.with_marks(text, proof, Language.EN)
    note = message("proof.unproven_note", Language.EN, sign=SIGN)
    assert marked.removesuffix(f"\n\n{note}").replace(SIGN, "") == text
    for before, after in zip(proof.claims, moved.claims, strict=True):
        assert marked[after.start : after.end].replace(SIGN, "") == before.text
        assert not marked[after.start : after.end].startswith(SIGN)


def test_what_does_not_stand_has_a_sign_right_behind_it() -> None:
    proof = gate.check(ANSWER, ROWS)
    marked, moved = gate.with_marks(ANSWER, proof, Language.EN)
    for claim in moved.claims:
        behind = marked[claim.end :].startswith(SIGN)
        assert behind is (claim.standing is not Standing.GROUNDED), claim
    for finding in moved.findings:
        assert finding.start is not None
        assert marked[finding.start :].startswith(finding.claim)


def test_an_answer_that_stands_is_left_alone() -> None:
    answer = "Harbour sold 9,120 loaves."
    proof = gate.check(answer, ROWS)
    assert gate.with_marks(answer, proof, Language.DE) == (answer, proof)
