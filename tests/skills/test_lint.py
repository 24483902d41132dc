from pathlib import Path

import pytest

from tests.skills.written import INSTRUCTIONS, skill
from veridical.contracts.language import Language
from veridical.skills.lint import LintKind, Surroundings, lint
from veridical.skills.skill import Skill

TOOLS = ("queryTable", "aggregateTable", "calculate")
LONG = " ".join([INSTRUCTIONS] * 10)


def kinds(made: Skill, *others: Skill, imports: bool = False) -> list[str]:
    around = Surroundings(TOOLS, (made, *others), imports=imports)
    return [each.kind for each in lint(made, around)]


def sound(name: str = "demo", **given: object) -> Skill:
    return skill(name, **{"intent": {"keywords": ["goal"]}, "instructions": LONG, **given})


def test_a_sound_skill_gives_no_findings() -> None:
    assert kinds(sound(tools=["calculate"])) == []


def test_an_unknown_tool_is_told_with_the_nearest() -> None:
    made = sound(tools=["quryTable"], requiredTools=["quryTable"])
    (found,) = lint(made, Surroundings(TOOLS))
    assert found.text == "There is no tool quryTable. Did you mean queryTable?"
    assert lint(made, Surroundings(())) == ()


def test_keywords_that_two_skills_share_need_words_that_tell_them_apart() -> None:
    own = sound(intent={"keywords": ["code review", "budget"]})
    other = sound("other", intent={"keywords": ["review* code"]})
    assert kinds(own, other) == [LintKind.SHARED_KEYWORD]
    (found,) = lint(own, Surroundings(TOOLS, (own, other)))
    assert "other answers to code review too" in found.text
    apart = sound(intent={"keywords": ["code review"], "disambiguationKeywords": ["diff"]})
    assert kinds(apart, other) == []
    assert kinds(other, apart) == [LintKind.SHARED_KEYWORD]


def test_a_language_that_is_promised_and_left_out_is_told() -> None:
    made = sound(
        description={"de": "Ein Skill.", "en": "A skill."},
        intent={"keywords": {"de": ["Ziel"]}},
        languages=["de", "en"],
    )
    (found,) = lint(made, Surroundings(TOOLS, language=Language.DE))
    assert found.kind is LintKind.MISSING_LANGUAGE
    assert found.text == "Für en fehlt: intent.keywords. Ergänzen, oder languages kürzen."


def test_a_skill_that_nobody_can_call_is_a_note() -> None:
    assert kinds(skill(instructions=LONG)) == [LintKind.NO_KEYWORDS]
    assert LintKind.NO_KEYWORDS.is_note


def test_instructions_that_say_next_to_nothing_are_told() -> None:
    assert kinds(sound(instructions="Do it well.")) == [LintKind.SHORT_INSTRUCTIONS]


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        ({"UNGROUNDED_CLAIM": "off"}, [LintKind.GATE_WEAKENED]),
        ({"CONTRADICTED_CLAIM": "shadow"}, [LintKind.GATE_WEAKENED]),
        ({"UNGROUNDED_CLAIM": "warn"}, []),
        ({"STALENESS_NOT_SAID": "off"}, []),
    ],
)
def test_a_gate_that_lets_inventions_pass_is_noted(
    modes: dict[str, str], expected: list[LintKind]
) -> None:
    assert kinds(sound(gate={"modes": modes})) == expected


def test_validators_are_imported_only_on_demand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving_for_good.py").write_text("raise SystemExit", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    made = sound(validators=[{"path": "leaving_for_good:check"}])
    assert kinds(made) == []
    assert kinds(made, imports=True) == [LintKind.VALIDATOR]
    good = sound(validators=[{"path": "veridical.skills.validators:has_sources"}])
    assert kinds(good, imports=True) == []
