"""The mutants benchmark on a few calls: it runs, and the check holds on them."""

from collections import Counter

import pytest

from benchmarks import mutants
from benchmarks.mutants.legal import Case, legal_cases
from benchmarks.mutants.mutations import MUTATIONS, mutants_of
from benchmarks.mutants.oracle import naive_sql
from benchmarks.mutants.spelling import bare, lowered, quoted
from veridical.contracts.call import AggregateCall, Filter, SqlCall


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return list(legal_cases())


def test_right_calls_are_many_distinct_and_always_the_same(cases: list[Case]) -> None:
    texts = [case.text for case in cases]
    assert len(texts) == len(set(texts)) >= 2_000
    assert texts == [case.text for case in legal_cases()]


def test_every_class_corrupts_structured_calls_or_sql(cases: list[Case]) -> None:
    made: Counter[str] = Counter()
    for number, case in enumerate(cases[::17]):
        for kind, mutant in mutants_of(case, number):
            assert mutant.text != case.text
            made[kind] += 1
            made[f"{kind} sql"] += isinstance(mutant.call, SqlCall)
    assert all(made[mutation.__name__] for mutation in MUTATIONS)
    only_sql = [m.__name__ for m in MUTATIONS if made[m.__name__] == made[f"{m.__name__} sql"]]
    assert only_sql == ["fan_out", "ambiguous_field", "missing_join"]


def test_a_structured_call_is_written_as_its_words_say() -> None:
    call = AggregateCall(
        table_name="T",
        aggregate="SUM",
        field="a",
        filters=(Filter(field="b", op="between", value=(1, 2)), Filter(field="c", value="x'y")),
        group_by=("d",),
    )
    assert naive_sql(call) == (
        """SELECT "d", SUM("a") FROM "T" WHERE "b" BETWEEN 1 AND 2 AND "c" = 'x''y'"""
        """ GROUP BY "d" LIMIT 100"""
    )


def test_spelling_keeps_literals() -> None:
    sql = "SELECT periodYear FROM TrusteeDataDocument WHERE documentType = 'bankStatement'"
    assert quoted(sql) == (
        'SELECT "periodYear" FROM "TrusteeDataDocument" WHERE "documentType" = \'bankStatement\''
    )
    assert bare(quoted(sql)) == sql
    assert lowered(quoted(sql)).endswith("documenttype = 'bankStatement'")


@pytest.mark.postgres
@pytest.mark.slow
def test_a_few_calls_on_postgres() -> None:
    figures = mutants.run(limit=40)
    assert figures["legal_rejected"] == 0
    total, caught = figures["mutants_total"], figures["mutants_caught"]
    assert isinstance(total, int)
    assert isinstance(caught, float)
    assert total > 200
    assert caught >= 0.95
