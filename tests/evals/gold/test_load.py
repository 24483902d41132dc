from pathlib import Path

import pytest

from veridical.evals.gold.load import load_gold, read_gold
from veridical.ontology.errors import LoadError

ONE = """
name: {name}
feature: trustee
today: "2026-03-15"
tenant: [m-001, m-001-a]
cases:
  - id: {id}
    question: Wie viele Kunden?
    language: de
    expectedAnswerContains: ["13"]
"""


def write(folder: Path, name: str, case: str) -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(ONE.format(name=name, id=case), "utf-8")
    return path


def test_a_pack_a_set_of_it_a_folder_and_a_file_can_be_loaded(tmp_path: Path) -> None:
    assert len(load_gold("pack:trustee")) > 5
    assert [each.name for each in load_gold("pack:trustee/core")] == ["trustee-core"]
    path = write(tmp_path, "b", "q2")
    write(tmp_path, "a", "q1")
    assert [each.name for each in load_gold(str(tmp_path))] == ["a", "b"]
    assert [each.name for each in load_gold(str(path))] == ["b"]


def test_the_core_set_has_nineteen_questions_in_three_phrasings() -> None:
    (core,) = load_gold("pack:trustee/core")
    assert len(core.cases) == 19
    assert all(len({case.phrasing(repeat) for repeat in range(3)}) == 3 for case in core.cases)
    assert core.cases[0].phrasing(3) == core.cases[0].question


def test_an_id_in_two_sets_is_refused(tmp_path: Path) -> None:
    write(tmp_path, "a", "q1")
    write(tmp_path, "b", "q1")
    with pytest.raises(LoadError, match="'q1' is in 'a' and in 'b'"):
        load_gold(str(tmp_path))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("language: de", "language: fr"), "cases.q1.language"),
        (("question:", "qestion:"), "cases.q1.qestion"),
        (('expectedAnswerContains: ["13"]', "difficulty: easy"), "values or texts"),
        (("name: a", "name: ["), r"a.yaml:\d+: not valid YAML"),
    ],
)
def test_a_mistake_says_where_it_is(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = write(tmp_path, "a", "q1")
    path.write_text(path.read_text("utf-8").replace(*change), "utf-8")
    with pytest.raises(LoadError, match=message):
        read_gold(path)


def test_nothing_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no gold questions at"):
        load_gold(str(tmp_path))


BARE = """
- id: bank
  question: "Wie hoch ist der Banksaldo Ende 2025?"
  intent: BALANCE_OF_BANKS
  expectedToolPattern:
    tool: queryTable
    tableName: TrusteeDataAccountBalance
    requiredFilters: [periodYear=2025, periodMonth=0, accountNumber LIKE 102%]
  forbiddenTools: [aggregateTable]
  expectedAnswerContains: ["1020", "1021", "CHF"]
  expectedAnswerNumeric:
    "1020.closingBalance": 90210.50
    "1021.closingBalance": 4125.00
"""


def test_a_bare_list_of_questions_is_a_set(tmp_path: Path) -> None:
    path = tmp_path / "questions.yaml"
    path.write_text(BARE, "utf-8")
    (gold,) = load_gold(str(path))
    (core,) = load_gold("pack:trustee/core")
    (case,) = gold.cases
    assert (gold.name, gold.feature, gold.today) == ("questions", "trustee", core.today)
    assert gold.tenant == core.tenant
    assert case.language == "de"
    assert case.expected_figures == {"1020.closingBalance": 90210.5, "1021.closingBalance": 4125}
    assert case.model_validate_json(case.model_dump_json(by_alias=True)) == case


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("intent:", "intnt:"), r"bank.intnt: .*\(line 4\)"),
        (("TrusteeDataAccountBalance", "Elsewhere"), "needs one feature"),
        (("4125.00", "many"), "bank.*expectedFigures"),
    ],
)
def test_a_mistake_in_a_bare_list(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    path = tmp_path / "questions.yaml"
    path.write_text(BARE.replace(*change), "utf-8")
    with pytest.raises(LoadError, match=message):
        load_gold(str(path))
