import datetime as dt
import os
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from benchmarks.laboratory.acme.environment import acme_environment, missing_data
from benchmarks.laboratory.acme.gold import in_duckdb, read_inquiries
from tests.benchmarks.laboratory.acme.insurer import CLAIMS_FILE, QUESTIONS_FILE, write_insurer
from veridical.contracts.call import SqlCall
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.violation import Code
from veridical.evals.gold.case import Case, Difficulty, Expected, GoldSet
from veridical.evals.gold.oracle import truth_of, truths_of
from veridical.evals.modes.environment import EvalEnvironment
from veridical.evals.modes.mode import MODES, ModeName
from veridical.ontology.errors import LoadError

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "veridical-bench"
PUBLISHED = pytest.mark.skipif(
    bool(missing_data(CACHE)), reason=f"the ACME data is not there: {missing_data(CACHE)}"
)
Asked = tuple[GoldSet, EvalEnvironment]


@pytest.fixture(scope="module")
def insurer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    with acme_environment(write_insurer(tmp_path_factory.mktemp("acme"))) as asked:
        yield asked


@pytest.fixture(scope="module")
def published() -> Iterator[Asked]:
    with acme_environment(CACHE) as asked:
        yield asked


def _case(asked: Asked, start: str) -> Case:
    return next(case for case in asked[0].cases if case.id.startswith(f"acme-{start}"))


def _rows(asked: Asked, case: Case) -> list[tuple[object, ...]]:
    return sorted(truth_of(case, asked[0], asked[1].truth).truth.rows)


def test_each_question_has_its_words_its_difficulty_and_what_an_answer_must_tell(
    insurer: Asked,
) -> None:
    told = {
        case.question: (
            case.difficulty,
            case.expected,
            case.expected_answer_numeric,
            case.expected_answer_names,
        )
        for case in insurer[0].cases
    }
    assert told == {
        "How many claims do we have?": (Difficulty.MEDIUM, Expected.ANSWER, ("Claims",), ()),
        "How long did it take to settle each claim?": (
            Difficulty.HARD,
            Expected.ANSWER,
            ("value_2",),
            ("Claim_Number",),
        ),
        "What has been paid by claim id, and when was it opened?": (
            Difficulty.MEDIUM,
            Expected.ANSWER,
            ("value_3",),
            ("ClaimId", "Open_Date"),
        ),
        "Which claims were opened in 1999?": (Difficulty.EASY, Expected.EMPTY, (), ()),
    }


def test_the_truth_is_what_the_statement_says_about_the_files(insurer: Asked) -> None:
    assert _rows(insurer, _case(insurer, "aaaaaaaa")) == [(3,)]
    assert _rows(insurer, _case(insurer, "bbbbbbbb")) == [("C-7", 10.0), ("C-8", 5.0)]
    assert _rows(insurer, _case(insurer, "cccccccc")) == [
        (1, dt.date(2021, 3, 1), Decimal("300.00")),
        (2, dt.date(2021, 5, 2), Decimal("700.00")),
    ]
    assert _rows(insurer, _case(insurer, "dddddddd")) == []


def test_columns_that_are_called_alike_get_names_of_their_own() -> None:
    sql = in_duckdb("select a.id, b.id, max(x), min(x) from a join b on a.id = b.id")
    assert sql.startswith("SELECT a.id, b.id AS id_2, MAX(x) AS value_3, MIN(x) AS value_4 FROM")


@pytest.mark.parametrize("statement", ["select from where", "drop table claim"])
def test_what_is_no_query_is_no_truth(statement: str) -> None:
    with pytest.raises(LoadError):
        in_duckdb(statement)


def test_the_tables_have_the_keys_of_the_script_and_the_links_to_what_is_there(
    insurer: Asked,
) -> None:
    tables = insurer[1].known.schema.tables
    assert {name: table.keys for name, table in tables.items()} == {
        "Claim": (("Claim_Identifier",),),
        "Payment": (("Payment_Identifier",),),
    }
    assert [key.target for table in tables.values() for key in table.foreign_keys] == ["Claim"]


def test_the_ontology_speaks_of_the_tables_that_are_there_in_their_spelling(insurer: Asked) -> None:
    ontology = insurer[1].pack.ontology
    fields = {
        entity.table: [field.column for field in entity.fields] for entity in ontology.entities
    }
    assert fields == {
        "Claim": ["Claim_Number", "Open_Date", "Claim_Identifier"],
        "Payment": ["Payment_Identifier", "Claim_Identifier", "Payment_Amount"],
    }
    assert [(each.from_entity, each.to_entity) for each in ontology.relations] == [
        ("payment", "claim")
    ]


def test_metrics_stay_where_all_that_they_are_made_of_does(insurer: Asked) -> None:
    metrics = {metric.name: metric for metric in insurer[1].pack.ontology.metrics}
    assert set(metrics) == {"days_to_settle", "paid", "paid_twice"}
    assert metrics["days_to_settle"].field is None
    assert metrics["days_to_settle"].expr == "DATEDIFF('day', open_date, close_date)"


def test_modes_differ_in_what_a_model_is_told(insurer: Asked) -> None:
    gold, stage = insurer
    told: dict[ModeName, str] = {}
    for name, mode in MODES.items():
        caller = stage.caller(gold.cases[0], gold)
        told[name] = stage.feature(mode).context(caller, gold.cases[0].question, 4000)
    known = "What somebody wants to be paid"
    assert known not in told[ModeName.BASELINE]
    assert known in told[ModeName.HINTS]
    assert known in told[ModeName.HINTS].partition("## Tables")[0]
    assert known in told[ModeName.ONTOLOGY].partition("## Tables")[2]


@pytest.mark.parametrize("mode", ModeName)
def test_every_mode_asks_the_same_rows(insurer: Asked, mode: ModeName) -> None:
    gold, stage = insurer
    case = _case(insurer, "cccccccc")
    assert case.truth
    toolbox = stage.feature(MODES[mode]).toolbox(stage.caller(case, gold))
    result = toolbox.call("executeSqlSafe", {"sql": case.truth.sql}, case.question)
    assert result.success
    paid = sorted(float(row[2]) for row in result.data["rows"])
    assert paid == [300.0, 700.0]


def test_only_the_check_knows_that_a_join_repeats_an_amount(insurer: Asked) -> None:
    gold, stage = insurer
    sql = (
        "SELECT SUM(a.Payment_Amount) AS paid FROM Payment AS a"
        " JOIN Payment AS b ON a.Claim_Identifier = b.Claim_Identifier"
    )
    caller = stage.caller(gold.cases[0], gold)
    passed = {
        name: stage.feature(mode).toolbox(caller).call("executeSqlSafe", {"sql": sql}).success
        for name, mode in MODES.items()
    }
    assert passed[ModeName.BASELINE]
    assert not passed[ModeName.ONTOLOGY]


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    assert "ACME_small.ddl" in missing_data(tmp_path)
    with pytest.raises(LoadError, match="omg_semantics"), acme_environment(tmp_path):
        pass


@pytest.mark.parametrize(
    ("header", "row", "reason"),
    [
        ("Claim_Identifier,Colour", "1,red", "no column Colour"),
        ("Claim_Identifier,Open_Date", "1,yesterday", "does not load"),
        ("Claim_Identifier,Open_Date", "1,2021-03-01 07:30:00", "does not load"),
        ("Claim_Identifier", "1\n1", "does not load"),
    ],
)
def test_files_that_do_not_fit_the_script_are_refused(
    tmp_path: Path, header: str, row: str, reason: str
) -> None:
    folder = write_insurer(tmp_path)
    (folder / CLAIMS_FILE).write_text(f"{header}\n{row}\n", "utf-8")
    with pytest.raises(LoadError, match=reason), acme_environment(folder):
        pass


def test_questions_without_sql_are_no_set(tmp_path: Path) -> None:
    folder = write_insurer(tmp_path)
    (folder / QUESTIONS_FILE).write_text("dwt:IQ_1 rdf:type QandA:Inquiry .", "utf-8")
    with pytest.raises(LoadError, match="asks nothing"):
        read_inquiries(folder / QUESTIONS_FILE)


@PUBLISHED
def test_all_published_questions_have_rows(published: Asked) -> None:
    gold, stage = published
    rows = {name: len(each.truth.rows) for name, each in truths_of(gold, stage.truth).items()}
    assert len(rows) == 44
    assert [name for name, count in rows.items() if not count] == []
    assert Counter(case.difficulty for case in gold.cases) == {
        Difficulty.EASY: 13,
        Difficulty.MEDIUM: 21,
        Difficulty.HARD: 10,
    }


@PUBLISHED
def test_published_statements_for_one_question_agree(published: Asked) -> None:
    inquiries = read_inquiries(CACHE / QUESTIONS_FILE)
    several = [each.statements for each in inquiries if len(each.statements) > 1]
    assert several
    for statements in several:
        results = {tuple(sorted(published[1].truth(in_duckdb(each)).rows)) for each in statements}
        assert len(results) == 1


@PUBLISHED
def test_the_live_schema_passes_every_published_statement(published: Asked) -> None:
    assert _refused(published, ModeName.VALIDATOR) == {}


@PUBLISHED
def test_the_ontology_refuses_only_sums_over_amounts_that_a_join_may_repeat(
    published: Asked,
) -> None:
    refused = _refused(published, ModeName.ONTOLOGY)
    assert len(refused) == 7
    assert set(refused.values()) == {(Code.FAN_OUT,)}


def _refused(asked: Asked, mode: ModeName) -> dict[str, tuple[Code, ...]]:
    gold, stage = asked
    checker = stage.feature(MODES[mode]).checker
    found: dict[str, tuple[Code, ...]] = {}
    for case in gold.cases:
        assert case.truth
        verdict = checker.check(SqlCall(sql=case.truth.sql), stage.caller(case, gold))
        if not isinstance(verdict, CheckedQuery):
            found[case.id] = tuple(each.code for each in verdict.violations)
    return found
