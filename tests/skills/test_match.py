from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.skills.written import skill
from veridical.contracts.language import Language
from veridical.ontology.pack import load_pack
from veridical.reading.language import language_of
from veridical.skills import Ambiguous, Skill, SkillMatch, load_skills, match_skill

SKILLS = load_skills(packs=[load_pack("trustee")], sets=["examples"])
LINES = (Path(__file__).parent / "matches.txt").read_text("utf-8").splitlines()
CASES = [line.rpartition(" => ") for line in LINES if line and not line.startswith("#")]


def names(found: SkillMatch | Ambiguous | None) -> str:
    match found:
        case SkillMatch():
            return found.skill.name
        case Ambiguous():
            return "|".join(each.name for each in found.skills)
        case None:
            return "none"


@pytest.mark.parametrize(("request_", "_", "expected"), CASES, ids=[case[0] for case in CASES])
def test_a_request_finds_its_skill(request_: str, _: str, expected: str) -> None:
    found = match_skill(request_, SKILLS, language_of(request_, Language.EN))
    assert names(found) == expected, found and found.explain()


GOAL = skill("goal", intent={"keywords": ["plan"], "disambiguationKeywords": ["milestone"]})
BATCH = skill("batch", intent={"keywords": ["plan"], "disambiguationKeywords": ["tool calls"]})


def test_disambiguation_keywords_decide_and_are_named() -> None:
    found = match_skill("A plan with milestones", [GOAL, BATCH])
    assert isinstance(found, SkillMatch)
    assert found.skill is GOAL
    assert found.words == ("plan",)
    assert found.decided_by == ("milestones",)
    assert found.rivals == (BATCH,)
    assert found.explain() == "goal: plan; over batch because of milestones"
    assert "entscheidet milestones" in found.explain(Language.DE)


def test_what_nothing_decides_stays_open() -> None:
    found = match_skill("A plan, please", [GOAL, BATCH])
    assert isinstance(found, Ambiguous)
    assert found.skills == (BATCH, GOAL)
    assert found.explain() == "Open between batch, goal: plan"


def test_disambiguation_keywords_alone_call_nothing() -> None:
    assert match_skill("milestones and tool calls", [GOAL, BATCH]) is None


def test_more_of_the_request_covered_wins() -> None:
    wide = skill("wide", intent={"keywords": ["plan"]})
    narrow = skill("narrow", intent={"keywords": ["marketing plan"]})
    assert names(match_skill("a marketing plan", [wide, narrow])) == "narrow"


def test_words_of_the_language_and_english_ones_count() -> None:
    both = skill("both", intent={"keywords": {"de": ["Gift"], "en": ["budget"], "zh": ["预算"]}})
    assert names(match_skill("a gift for you", [both], Language.EN)) == "none"
    assert names(match_skill("das Gift", [both], Language.DE)) == "both"
    assert names(match_skill("das Budget", [both], Language.DE)) == "both"
    assert names(match_skill("预算", [both], Language.ZH)) == "both"
    assert names(match_skill("a gift for you", [both])) == "both"


def test_a_skill_without_words_of_the_language_is_found_by_the_others() -> None:
    german = skill("german", intent={"keywords": {"de": ["Lohnlauf"]}})
    assert names(match_skill("run the Lohnlauf", [german], Language.EN)) == "german"


_VOCABULARY = (
    "review", "your", "code", "goal", "plan", "batch", "目标", "代码", "审查", "Bilanz", "erklär",
    "MWST", "prüfe", ".", "。", "why", "blog", "ChatGPT", "write", "competitor", "answer", "/react",
)  # fmt: skip
_REQUESTS = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(_VOCABULARY),
        max_size=12,
    ).map(" ".join),
)


@given(_REQUESTS, st.permutations(SKILLS), st.sampled_from([None, *Language]))
def test_the_order_of_skills_does_not_matter(
    text: str, shuffled: list[Skill], language: Language | None
) -> None:
    found = match_skill(text, SKILLS, language)
    assert match_skill(text, shuffled, language) == found
    assert match_skill(text, SKILLS, language) == found
    if found:
        assert found.explain()
        assert all(word for word in found.words)


def test_what_is_only_asked_for_by_name_is_not_found_by_words() -> None:
    quiet = [each.model_copy(update={"only_by_name": True}) for each in SKILLS]
    assert all(
        match_skill(request_, quiet) is None for request_, _, _ in CASES if request_[0] != "/"
    )
    named = match_skill(f"/{quiet[0].name} now", quiet)
    assert isinstance(named, SkillMatch)
    assert named.skill == quiet[0]
