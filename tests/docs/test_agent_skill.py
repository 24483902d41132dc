"""The skill for coding assistants: its head as the format wants it, its rules those that exist."""

import re
from typing import Any

import yaml

from tests.docs.markdown import ROOT, links
from veridical.ontology.model import ConstraintRule

SKILL = ROOT / "skills" / "veridical" / "SKILL.md"
_KEYS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
_ROW = re.compile(r"^\| .+ \| `([A-Z_]+)` \|", re.M)


def _head() -> dict[str, Any]:
    before, head, _ = SKILL.read_text("utf-8").split("---\n", 2)
    assert before == ""
    return yaml.safe_load(head)


def test_the_head_is_that_of_the_format() -> None:
    head = _head()
    assert head.keys() <= _KEYS
    assert head["name"] == SKILL.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", head["name"])
    assert 0 < len(head["description"]) <= 1024
    assert 0 < len(head["compatibility"]) <= 500


def test_it_is_short_and_works_when_only_its_folder_is_copied() -> None:
    assert len(SKILL.read_text("utf-8").splitlines()) < 500
    for page in SKILL.parent.rglob("*.md"):
        local = [target for target in links(page) if "://" not in target]
        aims = [(page.parent / target).resolve() for target in local]
        assert [aim for aim in aims if SKILL.parent not in aim.parents] == []


def test_every_rule_has_a_sentence_of_an_owner() -> None:
    listed = _ROW.findall((SKILL.parent / "references" / "rules.md").read_text("utf-8"))
    assert sorted(listed) == sorted(ConstraintRule)
