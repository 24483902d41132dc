"""SARIF 2.1.0: only what its schema knows, regions that show the words, and stable fingerprints."""

import json
from pathlib import Path
from typing import Any

import pytest

from veridical.contracts.language import Language
from veridical.contracts.violation import Mode
from veridical.requirements.files.reading import read_requirements
from veridical.requirements.policy.judgement import Judgement, dismissal_of, judge
from veridical.requirements.policy.review_policy import RULE_IDS, ReviewPolicy
from veridical.requirements.report.sarif import as_sarif
from veridical.requirements.review import review

MESSAGE = {"text": str}
ARTIFACT = {"uri": str, "uriBaseId?": str}
REGION = {"startLine": int, "startColumn?": int, "endLine?": int, "endColumn?": int}
LOCATION: dict[str, Any] = {
    "id?": int,
    "physicalLocation": {"artifactLocation": ARTIFACT, "region": REGION},
    "logicalLocations": [{"name": str, "kind": str, "fullyQualifiedName?": str}],
}
RULE = {
    "id": str,
    "shortDescription": MESSAGE,
    "fullDescription": MESSAGE,
    "help": {"text": str, "markdown": str},
    "defaultConfiguration": {"level": {"none", "note", "warning", "error"}},
    "properties": {"tags": [str]},
}
RESULT: dict[str, Any] = {
    "ruleId": set(RULE_IDS),
    "ruleIndex": int,
    "level": {"none", "note", "warning", "error"},
    "message": MESSAGE,
    "locations": [LOCATION],
    "relatedLocations?": [LOCATION],
    "partialFingerprints": {"veridicalFinding/v1": str},
    "baselineState?": {"new", "unchanged", "updated", "absent"},
    "suppressions?": [
        {"kind": {"inSource", "external"}, "status": {"accepted"}, "justification": str}
    ],
    "properties": {"weight": str, "mode": str},
}
LOG: dict[str, Any] = {
    "$schema": str,
    "version": {"2.1.0"},
    "runs": [
        {
            "tool": {"driver": {"name": str, "version": str, "rules": [RULE]}},
            "language": str,
            "columnKind": {"utf16CodeUnits", "unicodeCodePoints"},
            "results": [RESULT],
        }
    ],
}
"""The part of the schema that a log of ours uses; it allows no other names."""


def _holds(value: Any, shape: Any, where: str = "log") -> None:
    if isinstance(shape, dict):
        assert isinstance(value, dict), where
        names = {name.rstrip("?") for name in shape}
        assert set(value) <= names, where
        assert {name for name in shape if not name.endswith("?")} <= set(value), where
        for name, each in value.items():
            inner = shape[name] if name in shape else shape[f"{name}?"]
            _holds(each, inner, f"{where}.{name}")
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for place, each in enumerate(value):
            _holds(each, shape[0], f"{where}[{place}]")
    elif isinstance(shape, set):
        assert value in shape, where
    else:
        assert type(value) is shape, where
        assert value != "", where


def _judged(path: Path, policy: ReviewPolicy | None = None) -> Judgement:
    return judge(review(read_requirements(path)), policy or ReviewPolicy())


def _results(found: Judgement, root: Path) -> list[dict[str, Any]]:
    log = as_sarif(found, Language.EN, root)
    _holds(json.loads(json.dumps(log)), LOG)
    return log["runs"][0]["results"]


@pytest.mark.parametrize("language", list(Language))
def test_log_has_only_what_the_schema_knows(tmp_path: Path, language: Language) -> None:
    path = tmp_path / "a.md"
    path.write_text("- Be fast.\n- It shall stop within 2 s.\n- It shall stop within 20 s.\n")
    found = _judged(path)
    issue = found.issues[0]
    record = dismissal_of(found.review, issue, "Ada", "Why not.", "2026-11-17")
    judged = judge(found.review, ReviewPolicy(), frozenset(), {issue.fingerprint: record})
    log = json.loads(json.dumps(as_sarif(judged, language, tmp_path)))
    _holds(log, LOG)
    (run,) = log["runs"]
    rules = [each["id"] for each in run["tool"]["driver"]["rules"]]
    assert rules == list(RULE_IDS)
    assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in run["results"])
    assert any("suppressions" in each for each in run["results"])
    assert any("relatedLocations" in each for each in run["results"])


def test_rules_name_their_standards(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("It shall ring.")
    rules = as_sarif(_judged(path), Language.EN, tmp_path)["runs"][0]["tool"]["driver"]["rules"]
    tags = {each["id"]: each["properties"]["tags"] for each in rules}
    assert "INCOSE R7" in tags["VAG"]
    assert "INCOSE R18" in tags["IMP2"]
    assert all(any("29148" in tag for tag in each) for each in tags.values())


def _shown(path: Path, region: dict[str, int]) -> str:
    """The words that a region covers, as a viewer cuts them out."""
    lines = path.read_text("utf-8").split("\n")
    units = [line.encode("utf-16-le") for line in lines]
    first, last = region["startLine"] - 1, region["endLine"] - 1
    begin, end = 2 * (region["startColumn"] - 1), 2 * (region["endColumn"] - 1)
    if first == last:
        return units[first][begin:end].decode("utf-16-le")
    parts = [units[first][begin:], *units[first + 1 : last], units[last][:end]]
    return "\n".join(part.decode("utf-16-le") for part in parts)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.md", "# T\n\n- **A-1**: 🚀 The app\n  must be *very* fast.\n", "fast"),
        ("a.md", "The app shall respond as\nsoon as possible.\n", "as\nsoon as possible"),
        ("a.csv", "id,text\nA,The app must be fast.\n", "fast"),
        ("a.sdoc", "[DOCUMENT]\n\n[REQUIREMENT]\nSTATEMENT: It must be fast.\n", "fast"),
        ("a.rst", ".. req:: Speed\n   :id: A\n\n   The fast app must\n   be fast.\n", "fast"),
    ],
)
def test_regions_show_the_words(tmp_path: Path, name: str, content: str, words: str) -> None:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    regions = [
        each["locations"][0]["physicalLocation"]["region"]
        for each in _results(_judged(path), tmp_path)
    ]
    shown = [_shown(path, each) for each in regions if "startColumn" in each]
    assert words in shown
    places = [(each["startLine"], each.get("startColumn")) for each in regions]
    assert len(set(places)) == len(places)


def test_levels_follow_the_modes(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The app must be fast.")
    for mode, level in ((Mode.BLOCK, "error"), (Mode.WARN, "warning"), (Mode.SHADOW, "none")):
        found = _judged(path, ReviewPolicy(mode=mode))
        assert {each["level"] for each in _results(found, tmp_path)} == {level}


def test_files_are_named_from_the_root(tmp_path: Path) -> None:
    folder = tmp_path / "my docs"
    folder.mkdir()
    path = folder / "a#1.txt"
    path.write_text("The app must be fast.")
    (first, *_) = _results(_judged(path), tmp_path)
    artifact = first["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact == {"uri": "my%20docs/a%231.txt", "uriBaseId": "%SRCROOT%"}
    (first, *_) = _results(_judged(path), tmp_path / "elsewhere")
    artifact = first["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uri"].startswith("file:///")


def test_fingerprints_survive_lines_that_move(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("The app must be fast.\n")
    before = [each["partialFingerprints"] for each in _results(_judged(path), tmp_path)]
    path.write_text("\n\nThe app shall ring.\nThe app must be fast.\n")
    after = [each["partialFingerprints"] for each in _results(_judged(path), tmp_path)]
    assert before == after
