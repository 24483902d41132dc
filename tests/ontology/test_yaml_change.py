"""A file says something else, and keeps every character that has nothing to do with it."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from veridical.ontology.file_errors import FileMistakesError
from veridical.ontology.yaml_change import with_change, with_item
from veridical.ontology.yaml_text import yaml_text

_FILE = """\
# ours
featureCode: shop   # the name
rules:
  # why a
  - {at: a, rule: SUM, warns: true}  # Ada asked
  # why b
  - at: b
    warns: true  # for now
    rule: SUM
  # why c
  - warns: true
    at: c
    rule: SUM
# the end
"""
_BEFORE: dict[str, Any] = {
    "featureCode": "shop",
    "rules": [{"at": at, "rule": "SUM", "warns": True} for at in "abc"],
}


def _changed(**after: Any) -> str:
    text = with_change(_FILE, _BEFORE, {**_BEFORE, **after}, "shop.yaml")
    assert yaml.safe_load(text) == {**_BEFORE, **after}
    return text


def _rule(at: str, **more: Any) -> dict[str, Any]:
    return {"at": at, "rule": "SUM", **more}


def test_a_key_goes_and_its_neighbours_stay() -> None:
    text = _changed(rules=[_rule("a"), _rule("b"), _rule("c")])
    assert "- {at: a, rule: SUM}  # Ada asked\n" in text
    assert "  - at: b\n    rule: SUM\n  # why c\n  - at: c\n" in text
    assert text.endswith("# the end\n")


def test_an_item_goes_with_what_stands_on_its_lines() -> None:
    text = _changed(rules=[_BEFORE["rules"][0], _rule("c")])
    assert text == (
        "# ours\nfeatureCode: shop   # the name\nrules:\n  # why a\n"
        "  - {at: a, rule: SUM, warns: true}  # Ada asked\n  # why b\n  # why c\n"
        "  - at: c\n    rule: SUM\n# the end\n"
    )


def test_an_item_comes_and_a_value_changes() -> None:
    text = _changed(featureCode="store", rules=[*_BEFORE["rules"], _rule("d")])
    assert "featureCode: store   # the name\n" in text
    assert text.endswith("    rule: SUM\n  - {at: d, rule: SUM}\n# the end\n")
    assert "hints: many\n" in _changed(hints="many")


def test_keys_may_be_spelled_as_in_python() -> None:
    text = "applies_to: a # here\n"
    after = with_change(text, {"appliesTo": "a"}, {"appliesTo": "b"}, "x.yaml")
    assert after == "applies_to: b # here\n"


def test_what_the_text_has_not_is_told() -> None:
    with pytest.raises(FileMistakesError, match="by hand"):
        with_change("a: 1\n", {"a": 1, "b": [1]}, {"a": 1}, "x.yaml")


def test_a_text_that_needs_quotes_only_within_brackets_gets_them() -> None:
    before, after = {"rules": [{"one": "a", "two": 0}]}, {"rules": [{"one": ":'", "two": 0}]}
    written = with_change(yaml_text(before), before, after, "x.yaml")
    assert yaml.safe_load(written) == after


_NAMES = st.sampled_from(["one", "two", "three"])
_VALUES = st.one_of(st.integers(), st.booleans(), st.text("ab #:-'\"äß中", max_size=6))
_RULES = st.lists(st.dictionaries(_NAMES, _VALUES, min_size=1), min_size=1, max_size=5)


@given(_RULES, _RULES)
def test_any_list_becomes_any_other_and_comments_between_the_items_stay(
    old: list[dict[str, Any]], new: list[dict[str, Any]]
) -> None:
    before, after = {"rules": old, "end": 1}, {"rules": new, "end": 1}
    lines = yaml_text(before).splitlines()
    text = "".join(f"# note {n}\n{line}\n" for n, line in enumerate(lines))
    written = with_change(text, before, after, "x.yaml")
    assert yaml.safe_load(written) == after
    starts = [n for n, line in enumerate(lines) if line.startswith(("- {", "rules", "end"))]
    assert all(f"# note {n}\n" in written for n in starts)


@pytest.mark.parametrize("key", ["rules", "more"])
def test_an_item_is_added_and_the_rest_stays(key: str) -> None:
    item = {"at": "d", "words": ["- x", "y: z"], "note": "a\nb"}
    text = with_item(_FILE, key, item, "shop.yaml")
    assert yaml.safe_load(text) == {**_BEFORE, key: [*_BEFORE.get(key, []), item]}
    lines = iter(text.splitlines())
    assert all(line in lines for line in _FILE.splitlines())


@pytest.mark.parametrize(
    "text", ["- a list\n", "rules: &all [{at: a}]\nmore: *all\n", "rules: {at: a}\n", "rules:\n"]
)
def test_an_item_is_refused_where_it_would_change_the_rest(text: str) -> None:
    with pytest.raises(FileMistakesError, match="rules"):
        with_item(text, "rules", {"at": "d"}, "shop.yaml")
