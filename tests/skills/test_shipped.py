"""The skills that ship: sound, usable in every language, told apart, and fit for their own gate."""

import re

import pytest

from veridical.contracts.language import Language, in_language
from veridical.contracts.proof import Proof, QualityCheck, Verdict
from veridical.ontology.pack import load_pack
from veridical.skills import Skill, instructions, load_skills, run_quality_gate
from veridical.skills.lint import Surroundings, lint
from veridical.skills.skill import words_in
from veridical.tools.registry import TOOL_NAMES

SKILLS = load_skills(packs=[load_pack("trustee")], sets=["examples"])
BY_NAME = {skill.name: skill for skill in SKILLS}
PAIRS = [
    ("reflexion", "code-review"),
    ("react", "goal-driven"),
    ("rewoo", "competitor-analysis"),
    ("content", "geo-optimisation"),
]
SECTIONS = ["When to use", "Steps", "What to verify", "What never to claim", "Output form"]


def named(skill: Skill) -> str:
    return skill.name


@pytest.mark.parametrize("skill", SKILLS, ids=named)
def test_a_shipped_skill_is_sound(skill: Skill) -> None:
    assert lint(skill, Surroundings(TOOL_NAMES, SKILLS, imports=True)) == ()


@pytest.mark.parametrize("skill", SKILLS, ids=named)
def test_its_instructions_say_all_that_they_must(skill: Skill) -> None:
    assert re.findall(r"^## (.+)$", skill.instructions, re.M) == SECTIONS
    assert 40 <= len(skill.instructions.splitlines()) <= 90
    assert max(map(len, skill.instructions.splitlines())) <= 120


@pytest.mark.parametrize("skill", SKILLS, ids=named)
def test_it_has_words_in_every_language(skill: Skill) -> None:
    for words in (skill.intent.keywords, skill.intent.disambiguation_keywords):
        assert isinstance(words, dict)
        assert set(words) == set(Language)
        for listed in words.values():
            assert len(set(listed)) == len(listed)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_a_confusable_pair_has_words_of_its_own(one: str, other: str) -> None:
    for language in Language:
        first, second = (
            set(words_in(BY_NAME[name].intent.disambiguation_keywords, language))
            for name in (one, other)
        )
        assert first - second
        assert second - first
    assert one in BY_NAME[other].instructions
    assert other.partition("-")[0] in BY_NAME[one].instructions.casefold()


@pytest.mark.parametrize("skill", SKILLS, ids=named)
def test_an_answer_in_its_own_form_fits_the_skill(skill: Skill) -> None:
    form = skill.instructions.split("## Output form")[1]
    report = run_quality_gate(form, skill, "", Proof(verdict=Verdict.PASS), ())
    fit = next(each for each in report.checks if each.check is QualityCheck.SKILL_MATCH)
    assert fit.score == 1.0


@pytest.mark.parametrize("skill", SKILLS, ids=named)
@pytest.mark.parametrize("language", Language)
def test_the_prompt_names_the_skill_in_the_users_language(skill: Skill, language: Language) -> None:
    text = instructions(skill, language)
    first = text.splitlines()[0]
    assert skill.name in first
    assert in_language(skill.description, language).rstrip(".。") in first
    assert text.endswith(skill.instructions)
