"""The prompt says what is held back, how a failure is told, and shows it; in few tokens."""

import datetime as dt
import tarfile
from pathlib import Path

import pytest

from tests.evals.records import HEADER
from veridical.agent.prompt import compose_instructions, rules_hash, without_rules
from veridical.answering.provenance import Provenance
from veridical.contracts.language import Language
from veridical.contracts.question import Question
from veridical.evals.storage.setup import RunSetup
from veridical.ontology.tokens import estimate_tokens

RECORDING = Path(__file__).parents[2] / "docs/evals/qwen2.5-coder-1.5b/recording.tar.xz"
MOST_TOKENS = {Language.DE: 440, Language.EN: 410, Language.ZH: 680}
"""All rules together, with the example: a rule is read with every request."""
TOLD = {
    Language.DE: ("Fehlschlag", "Fehlermeldung", "Platzhalter", "Kunde A", "abgefangen"),
    Language.EN: ("failure", "error message", "stand-ins", "Customer A", "held back"),
    Language.ZH: ("失败", "错误信息", "代称", "客户A", "拦截"),
}
RIGHT = {Language.DE: "Richtig:", Language.EN: "Right:", Language.ZH: "正确："}


@pytest.mark.parametrize("required", [False, True])
@pytest.mark.parametrize("language", list(Language))
def test_c27_failures_stand_ins_and_interception_are_told(
    language: Language, required: bool
) -> None:
    text = compose_instructions(language, "ONTOLOGY", tool_choice_required=required)
    for word in TOLD[language]:
        assert word in text
    assert text.index(TOLD[language][0]) < text.index("ONTOLOGY")


@pytest.mark.parametrize("language", list(Language))
def test_c27_an_example_shows_what_to_say_after_a_failed_call(language: Language) -> None:
    plain = compose_instructions(language)
    (right,) = [line for line in plain.splitlines() if line.startswith(RIGHT[language])]
    assert "finalAnswer" not in right
    assert not any(sign.isdigit() for sign in right)
    assert "success=false" in plain[plain.rindex("# ") :]
    by_tool = compose_instructions(language, tool_choice_required=True)
    (right,) = [line for line in by_tool.splitlines() if line.startswith(RIGHT[language])]
    assert '{"name":"finalAnswer"' in right


@pytest.mark.parametrize("language", list(Language))
def test_c27_the_rules_cost_few_tokens(language: Language) -> None:
    text = compose_instructions(language, tool_choice_required=True)
    assert estimate_tokens(text) <= MOST_TOKENS[language]


@pytest.mark.parametrize("name", ["Alice", "Mustermann", "Platzhalter"])
def test_c27_a_stand_in_that_a_rule_forbids_is_not_a_value_that_somebody_named(name: str) -> None:
    text = compose_instructions(Language.DE, "customerId: RUEGG")
    question = Question(text="Wie viele Kunden haben wir?", language=Language.DE)
    known = Provenance(question, without_rules(text, Language.DE), dt.date(2026, 3, 15))
    assert known.untraced({"customerId": name})
    assert not known.untraced({"customerId": "RUEGG"})


def test_c27_runs_say_with_which_rules_they_were_made_and_others_are_not_mixed_in() -> None:
    then = RunSetup(header=HEADER, gold=(), gold_hash="g", ontology_hash="o", settings={})
    now = then.model_copy(update={"rules_hash": rules_hash()})
    assert len(rules_hash()) == 16
    assert now.differences(then) == ("rules",)
    assert now.differences(now) == ()


def test_c27_a_replay_keeps_the_rules_that_its_replies_were_given_to() -> None:
    """The model of the recording was not told these rules, and no report may say that it was."""
    with tarfile.open(RECORDING) as archive:
        kept = archive.extractfile("recording/run.json")
        assert kept is not None
        recorded = RunSetup.model_validate_json(kept.read())
    assert recorded.rules_hash != rules_hash()
    report = (RECORDING.parent / "report.md").read_text("utf-8")
    assert rules_hash() not in report
