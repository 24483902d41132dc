"""Each rule on the sentences of ``cases``: what stands in double brackets is found, no more."""

import re
from pathlib import Path

import pytest

from veridical.requirements.finding import Finding
from veridical.requirements.inspection import inspect
from veridical.requirements.rules import RULES

CASES = Path(__file__).parent / "cases"
_MARKED = re.compile(r"\[\[(.*?)\]\]")


def _cases() -> list[tuple[str, str, str]]:
    lines = (
        (path.stem, line.partition(": "))
        for path in sorted(CASES.glob("*.txt"))
        for line in path.read_text("utf-8").splitlines()
    )
    return [(rule, language, marked) for rule, (language, _, marked) in lines]


@pytest.mark.parametrize(("rule", "language", "marked"), _cases())
def test_rule_finds_what_is_marked(rule: str, language: str, marked: str) -> None:
    text = _MARKED.sub(r"\1", marked)
    inspection = inspect(text, language)
    found = [each for each in inspection.findings if each.rule == rule]
    expected = _MARKED.findall(marked)
    assert inspection.not_evaluated == ()
    assert [each.words for each in found] == expected or _overlap(found, marked), found


def _overlap(found: list[Finding], marked: str) -> bool:
    """Whether each mark is met by one finding, perhaps with a word more or less."""
    expected = _MARKED.findall(marked)
    return len(found) == len(expected) and all(
        said in finding.words or finding.words in said
        for finding, said in zip(found, expected, strict=True)
    )


def test_every_rule_has_cases_that_it_finds_and_that_it_passes_in_both_languages() -> None:
    kinds = {(rule, language, "[[" in text) for rule, language, text in _cases()}
    found = {(rule, language) for rule, language, marked in kinds if marked}
    passed = {rule for rule, _, marked in kinds if not marked}
    rules = {rule.id for rule in RULES}
    assert passed == rules
    assert found == {(rule, language) for rule in rules for language in ("de", "en")}


@pytest.mark.parametrize(
    "text", ["", " ", ".", "…", "[", "/", "12", "Muss", "\n", "„", "a/b/c", "−5 °C"]
)
@pytest.mark.parametrize("language", ["de", "en"])
def test_no_rule_fails_on_odd_texts(text: str, language: str) -> None:
    assert inspect(text, language).not_evaluated == ()
