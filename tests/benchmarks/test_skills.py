from collections import Counter

from benchmarks.skills import HALVES, NONE, PAIRS, requests
from veridical.contracts.language import Language
from veridical.ontology.pack import load_pack
from veridical.skills import load_skills

SKILLS = {skill.name for skill in load_skills(packs=[load_pack("trustee")], sets=["examples"])}


def test_the_labelled_requests_cover_every_skill_in_every_language() -> None:
    asked = list(requests())
    counts = Counter((each.half, each.language, each.skill) for each in asked)
    for half in HALVES:
        assert sum(each.half == half for each in asked) >= 160
        for language in Language:
            for skill in (*SKILLS, NONE):
                assert counts[half, language, skill] >= 4
    assert {each.skill for each in asked} == {*SKILLS, NONE}
    assert {name for pair in PAIRS for name in pair} <= SKILLS


def test_no_request_stands_in_both_halves() -> None:
    texts = Counter(each.text for each in requests())
    assert [text for text, count in texts.items() if count > 1] == []
