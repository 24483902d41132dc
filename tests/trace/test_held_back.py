"""What people can contest: held-back answers, marked sentences, and a reviewer's opinion."""

from veridical.contracts.answer import Answer, AnswerKind
from veridical.contracts.facts_answer import FactsAnswer, Mark, Show, State, StatedSentence
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Proof, Verdict
from veridical.contracts.trace import Gated
from veridical.contracts.violation import Mode
from veridical.trace.held_back import held_back

WHY = "The facts don't say why."
FLAGGED = StatedSentence(
    text="The rain was the reason. ", state=State.OWN, marks=(Mark(by="reviewer", why=WHY),)
)
ASIDE = StatedSentence(text="Here it is. ", state=State.OWN)


def _answer(*sentences: StatedSentence, proof: Proof | None = None) -> Answer:
    facts = FactsAnswer(policy=Show.MARKED, sentences=sentences)
    return Answer(
        trace_id="t",
        text=facts.text,
        kind=AnswerKind.AGENT,
        language=Language.EN,
        facts=facts,
        proof=proof,
    )


def test_a_sentence_that_only_the_reviewer_flagged_can_be_contested() -> None:
    found = held_back(_answer(ASIDE, FLAGGED, proof=Proof(verdict=Verdict.PASS)), ())
    assert found is not None
    assert [(each.claim, each.hint, each.mode) for each in found.findings] == [
        ("The rain was the reason.", WHY, Mode.WARN)
    ]


def test_a_replaced_sentence_is_contested_in_the_words_of_the_model() -> None:
    shown = FLAGGED.model_copy(update={"text": "It rained.", "replaces": "The rain is why. "})
    found = held_back(_answer(shown), ())
    assert found is not None
    assert found.verdict is Verdict.WARN
    assert [each.claim for each in found.findings] == ["The rain is why."]


def test_findings_of_the_proof_come_first() -> None:
    blocked = Finding(code=GateCode.NO_EVIDENCE, hint="Nothing was read.")
    found = held_back(_answer(FLAGGED, proof=Proof(verdict=Verdict.BLOCK, findings=(blocked,))), ())
    assert found is not None
    assert found.verdict is Verdict.BLOCK
    assert [each.hint for each in found.findings] == ["Nothing was read.", WHY]


def test_a_clean_answer_leaves_nothing_to_contest_but_what_it_replaced() -> None:
    passed = Proof(verdict=Verdict.PASS)
    assert held_back(_answer(ASIDE, proof=passed), ()) is None
    refused = Finding(code=GateCode.UNGROUNDED_CLAIM, hint="Not in the data.")
    gated = Gated(at=0.0, attempt=1, text="", verdict=Verdict.BLOCK, findings=(refused,))
    found = held_back(_answer(ASIDE, proof=passed), (gated,))
    assert found is not None
    assert found.findings == (refused,)
