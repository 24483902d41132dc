"""The example skills: known by their words, there only on request, held against others, traced."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from tests.sample import ACCOUNTANT, PACK, trustee
from veridical.answering.feature import Feature
from veridical.answering.flow import answer
from veridical.answering.session import Session
from veridical.contracts.answer import AnswerKind
from veridical.contracts.language import Language
from veridical.contracts.proof import Outcome, Proof, QualityCheck, Verdict
from veridical.contracts.question import Question
from veridical.contracts.trace import Gated
from veridical.host.settings import read_runtime_settings
from veridical.ontology.pack import pack_names
from veridical.skills import SkillMatch, load_skills, match_skill, run_quality_gate
from veridical.skills.keyword_match import find, tokenized
from veridical.skills.load import skill_set
from veridical.skills.skill import words_in
from veridical.testing.script import Script
from veridical.trace.event_json import from_stored, to_stored
from veridical.trace.recorder import Recorder

__all__ = ["trustee"]

EXAMPLES = {skill.name: skill for skill in skill_set("examples")}
WORDS = {
    "reflexion": ("反思", "自我验证", "迭代优化"),
    "code-review": ("代码审查", "代码问题", "bug 检查"),
    "react": ("实时搜索", "工具调用", "信息查询"),
    "goal-driven": ("目标分解", "多步规划", "方案对比"),
    "rewoo": ("并行采集", "批量获取", "多源数据"),
    "competitor-analysis": ("竞品分析", "竞争对比", "市场对手"),
    "content": ("内容创作", "文章生成", "选题写作"),
    "geo-optimisation": ("SEO 优化", "GEO 优化", "搜索排名"),
}


@pytest.mark.parametrize(
    ("name", "word"), [(name, word) for name, words in WORDS.items() for word in words]
)
def test_c28_every_telling_word_speaks_for_its_skill_and_for_no_other(name: str, word: str) -> None:
    telling = words_in(EXAMPLES[name].intent.disambiguation_keywords, Language.ZH)
    whole = find(telling, tokenized(word)).words
    assert "".join(whole).replace(" ", "").replace("…", "")
    found = match_skill(f"请{word}一下", EXAMPLES.values(), Language.ZH)
    assert isinstance(found, SkillMatch)
    assert found.skill.name == name


def test_c28_a_skill_that_is_called_by_name_is_held_against_the_others() -> None:
    named = match_skill("/reflexion improve your answer", EXAMPLES.values(), Language.EN)
    assert isinstance(named, SkillMatch)
    assert {rival.name for rival in named.rivals} == EXAMPLES.keys() - {"reflexion"}
    report = run_quality_gate(
        "I reviewed the pull request: the function has a bug, and the tests miss it.",
        named.skill,
        "/reflexion improve your answer",
        Proof(verdict=Verdict.PASS),
        (),
        rivals=named.rivals,
    )
    (check,) = [each for each in report.checks if each.check is QualityCheck.SKILL_MATCH]
    assert check.outcome is Outcome.WARNED
    assert "code-review" in check.reasons[0]


def test_c28_whoever_names_a_skill_reads_no_list_of_all_others() -> None:
    named = match_skill("/react why?", EXAMPLES.values(), Language.EN)
    assert isinstance(named, SkillMatch)
    assert "geo-optimisation" not in named.explain(Language.EN)


@pytest.mark.postgres
def test_c28_the_match_of_a_skill_stands_in_the_trace(trustee: Feature) -> None:
    recorder = Recorder("run")
    vat = next(skill for skill in load_skills(packs=[PACK]) if skill.name == "vat-check")
    free = vat.model_copy(update={"required_tools": ()})
    script = Script(["I can't say anything about that."])
    caller = replace(ACCOUNTANT, language=Language.EN)
    session = Session(trustee, caller, script.model, emit=recorder.emit, skills=(free,))
    given = asyncio.run(answer(Question(text="/vat-check please"), session))
    assert given.kind in (AnswerKind.AGENT, AnswerKind.UNKNOWN)
    events = recorder.trace.events
    gated = [event for event in events if isinstance(event, Gated)]
    assert gated
    for event in gated:
        assert event.quality is not None
        assert event.quality.skill == "vat-check"
        checks = {each.check: each for each in event.quality.checks}
        assert checks[QualityCheck.SKILL_MATCH].outcome is not None
    assert tuple(from_stored(to_stored(event)) for event in events) == events


def test_c28_the_examples_are_no_pack_of_data_and_not_loaded_by_default(tmp_path: Path) -> None:
    assert "examples" not in pack_names()
    loaded = {skill.name for skill in load_skills(packs=[PACK])}
    assert loaded.isdisjoint(EXAMPLES)
    assert read_runtime_settings(tmp_path / "none.toml").skill_sets == ()
    settings = tmp_path / "veridical.toml"
    settings.write_text('[skills]\nsets = ["examples"]\n', "utf-8")
    assert read_runtime_settings(settings).skill_sets == ("examples",)
