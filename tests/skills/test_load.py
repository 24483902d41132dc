from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.skills.written import write_skill, written_skill
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode
from veridical.contracts.violation import Mode
from veridical.ontology.errors import LoadError
from veridical.ontology.pack import load_pack
from veridical.skills.fault import SkillError
from veridical.skills.load import (
    FILE,
    configured_folders,
    load_skill,
    load_skills,
    skill_files,
    skill_set,
)
from veridical.skills.skill import Strictness, words_in

pytestmark = pytest.mark.slow

FULL = """\
tools: [queryTable, calculate]
requiredTools: [calculate]
intent:
  keywords: {de: [Ziel], en: [goal, "no"]}
  disambiguationKeywords: [reach*]
gate:
  modes: {UNKNOWN_NAME: warn}
  allow: [Müller AG]
validators:
  - path: shop.checks:length
  - {path: "shop.checks:tone", mode: warn}
languages: [de, en]
"""


class Case(NamedTuple):
    title: str
    text: str
    told: tuple[str, ...]


def cases() -> Iterator[Case]:
    whole = (Path(__file__).parent / "faults.txt").read_text("utf-8")
    for part in whole.split("\n== ")[1:]:
        title, _, rest = part.partition("\n")
        text, *told = rest.split("\n>> ")
        if rest.startswith(">> "):
            text, told = "", [rest.removeprefix(">> "), *told]
        yield Case(title, text, tuple(line.strip() for line in told))


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case.title)
def test_a_fault_is_told_with_file_line_and_key(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "demo" / FILE
    path.parent.mkdir()
    path.write_text(case.text, "utf-8")
    with pytest.raises(SkillError) as raised:
        load_skill(path)
    lines = str(raised.value).splitlines()
    assert case.told
    for expected in case.told:
        number, _, text = expected.partition(": ")
        assert any(line.startswith(f"{path}:{number}: ") and text in line for line in lines), (
            f"{expected}\n{raised.value}"
        )
    for language in Language:
        assert len(raised.value.text(language).splitlines()) == len(lines)


def test_a_skill_holds_all_that_its_front_matter_says(tmp_path: Path) -> None:
    skill = written_skill(tmp_path, "demo", FULL)
    assert skill.tools == ("queryTable", "calculate")
    assert skill.required_tools == ("calculate",)
    assert words_in(skill.intent.keywords) == ("Ziel", "goal", "no")
    assert skill.intent.disambiguation_keywords == ("reach*",)
    assert skill.gate.modes == {GateCode.UNKNOWN_NAME: Mode.WARN}
    assert skill.gate.allow == ("Müller AG",)
    assert [each.mode for each in skill.validators] == [Strictness.STRICT, Strictness.WARN]
    assert skill.languages == (Language.DE, Language.EN)
    assert skill.instructions.startswith("Do what was asked")
    with pytest.raises(ValueError, match="frozen"):
        skill.name = "other"  # pyright: ignore[reportAttributeAccessIssue]


def test_loading_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "exploding.py").write_text("raise SystemExit('imported')", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    skill = written_skill(tmp_path, "demo", "validators: [{path: 'exploding:check'}]\n")
    assert skill.validators[0].path == "exploding:check"


def test_carriage_returns_and_a_byte_order_mark_are_read_over(tmp_path: Path) -> None:
    path = write_skill(tmp_path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_skill(path).name == "demo"


def test_bytes_that_are_no_text_are_told_with_their_line(tmp_path: Path) -> None:
    path = write_skill(tmp_path)
    path.write_bytes(path.read_bytes() + b"\xff")
    with pytest.raises(SkillError, match=r"SKILL\.md:6: Not UTF-8 text"):
        load_skill(path)


def test_a_file_without_measure_is_refused(tmp_path: Path) -> None:
    path = write_skill(tmp_path, body="x" * 300_000)
    with pytest.raises(SkillError, match="at most 200 kB"):
        load_skill(path)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(SkillError, match="Can't be read: No such file"):
        load_skill(tmp_path / "nothing" / FILE)


def test_skills_are_found_by_file_folder_or_folder_of_folders(tmp_path: Path) -> None:
    one, two = write_skill(tmp_path, "one"), write_skill(tmp_path, "two")
    assert skill_files(one) == skill_files(one.parent) == (one,)
    assert skill_files(tmp_path) == (one, two)
    with pytest.raises(SkillError, match="There is no skill here"):
        skill_files(tmp_path / "empty")


def test_all_sources_come_together_by_name(tmp_path: Path) -> None:
    write_skill(tmp_path, "zebra")
    names = [s.name for s in load_skills([tmp_path], [load_pack("trustee")], ["examples"])]
    assert names == sorted(names)
    assert {"zebra", "react", "vat-check"} <= set(names)
    assert [skill.name for skill in load_skills([tmp_path])] == ["zebra"]
    assert load_skills() == ()
    assert len(load_skills(sets=["examples", "examples"])) == len(skill_set("examples")) == 8


def test_a_set_that_is_not_installed_is_told_with_those_that_are() -> None:
    with pytest.raises(LoadError, match="no set of skills 'exmaples'; installed: examples"):
        load_skills(sets=["exmaples"])


def test_a_folder_named_twice_is_loaded_once(tmp_path: Path) -> None:
    write_skill(tmp_path)
    assert len(load_skills([tmp_path, tmp_path])) == 1


def test_two_skills_of_one_name_are_an_error_that_names_both_files(tmp_path: Path) -> None:
    first = write_skill(tmp_path / "a", "react")
    second = write_skill(tmp_path / "b", "react")
    with pytest.raises(SkillError) as raised:
        load_skills([first.parents[1], second.parents[1]])
    assert str(first) in str(raised.value)
    assert str(second) in str(raised.value)
    with pytest.raises(SkillError, match="examples"):
        load_skills([first.parents[1]], sets=["examples"])


def test_every_fault_of_every_file_comes_at_once(tmp_path: Path) -> None:
    write_skill(tmp_path, "one", "tools: x\n")
    write_skill(tmp_path, "two", "unknown: x\n")
    with pytest.raises(SkillError) as raised:
        load_skills([tmp_path])
    assert len(raised.value.faults) == 2


def test_a_settings_file_names_folders(tmp_path: Path) -> None:
    settings_file = tmp_path / "veridical.toml"
    assert configured_folders(settings_file) == ()
    settings_file.write_text('model = "x"\n', "utf-8")
    assert configured_folders(settings_file) == ()
    settings_file.write_text('[skills]\npaths = ["skills"]\n', "utf-8")
    assert configured_folders(settings_file) == (tmp_path / "skills",)


@pytest.mark.parametrize("text", ['[skills]\npaths = "x"', "skills = 3", "[skills", "\udcff"])
def test_a_settings_file_that_says_something_else_is_told(text: str, tmp_path: Path) -> None:
    settings_file = tmp_path / "veridical.toml"
    settings_file.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(LoadError, match=r"veridical\.toml"):
        configured_folders(settings_file)


_PIECES = st.sampled_from(
    ["---\n", "name: demo\n", "description: ", "{a: b}", "[x, ", "]", "!!int z", "&a ", "*a", "? ",
     "\n", "- ", ": ", "'", '"\\U', "FFFFFFFF", "intent:\n  keywords: ", "gate: {modes: ",
     "validators:\n  - ", "<<: ", "2025-13-45", "null", "\t", "|", ">", "%YAML 9\n", "\x00", "中"]
)  # fmt: skip


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join), st.binary()))
def test_whatever_a_file_holds_only_its_own_error_comes_out(
    tmp_path: Path, content: str | bytes
) -> None:
    path = tmp_path / "demo" / FILE
    path.parent.mkdir(exist_ok=True)
    if isinstance(content, str):
        content = content.encode("utf-8", "replace")
    for given_content in (content, b"---\nname: demo\ndescription: x\n" + content + b"\n---\nDo."):
        path.write_bytes(given_content)
        with suppress(SkillError):
            assert load_skill(path).name == "demo"


def test_depth_without_end_is_a_fault_too(tmp_path: Path) -> None:
    path = write_skill(tmp_path, front=f"tools: {'[' * 5000}\n")
    with pytest.raises(SkillError):
        load_skill(path)
