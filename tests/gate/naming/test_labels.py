"""The right value under the wrong name: cases in plain text, one answer each line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from veridical.contracts.proof import Standing
from veridical.gate.bind.bind import bind_claims
from veridical.gate.claim import Role
from veridical.gate.claims import find_claims
from veridical.gate.evidence.evidence import Evidence, prepare
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.naming.labels import FIGURES, Reader

CUSTOMERS = Exhibit(
    columns=("customer", "revenue", "cost"),
    rows=(
        ("A", 5, 3),
        ("B", 7, 4),
        ("Meier Bau AG", 41_200, 38_100),
        ("Meier Bau AG Zürich", 52_900, 47_600),
        ("Huber Söhne", 29_300, 21_700),
    ),
)
MONTHS = Exhibit(
    columns=("year", "month", "balance"),
    rows=((2025, 1, 1180), (2025, 2, 1340), (2025, 3, 1525)),
)
_SIGNS = {"g": Standing.GROUNDED, "c": Standing.CONTRADICTED, "u": Standing.UNGROUNDED}


def cases(name: str) -> Iterator[tuple[str, str]]:
    text = (Path(__file__).parent / "cases" / name).read_text(encoding="utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            signs, _, answer = line.partition(" ")
            yield signs, answer.replace("\\n", "\n")


def standings(answer: str, evidence: Evidence) -> list[Standing]:
    claims = find_claims(answer)
    naming = Reader(answer, claims, evidence).naming
    return [
        bound.standing
        for bound in bind_claims(claims, answer, evidence)
        if bound.claim.kind in FIGURES
        and bound.claim.role is Role.STATED
        and bound.claim.start not in naming
    ]


@pytest.mark.parametrize(("signs", "answer"), list(cases("labels.txt")))
def test_a_figure_belongs_to_the_row_and_column_that_the_text_names(
    signs: str, answer: str
) -> None:
    assert standings(answer, prepare([CUSTOMERS])) == [_SIGNS[sign] for sign in signs]


@pytest.mark.parametrize(("signs", "answer"), list(cases("periods.txt")))
def test_a_figure_belongs_to_the_month_that_the_text_names(signs: str, answer: str) -> None:
    assert standings(answer, prepare([MONTHS])) == [_SIGNS[sign] for sign in signs]


def test_the_opposing_cell_is_the_one_that_the_text_names() -> None:
    answer = "The revenue of Meier Bau AG was 29300."
    evidence = prepare([CUSTOMERS])
    bound = bind_claims(find_claims(answer), answer, evidence)[-1]
    assert bound.place is not None
    assert evidence.cell(bound.place) == 41_200


def test_a_filter_names_the_result_among_several() -> None:
    exhibits = [
        Exhibit(columns=("balance",), rows=((900,),), held={"account": "1020"}),
        Exhibit(columns=("account", "balance"), rows=(("1100", 640), ("1171", 75))),
    ]
    right, wrong = "- 1020: 900\n- 1100: 640", "- 1020: 640\n- 1100: 900"
    assert set(standings(right, prepare(exhibits))) == {Standing.GROUNDED}
    assert set(standings(wrong, prepare(exhibits))) == {Standing.CONTRADICTED}


def test_a_day_belongs_to_the_row_that_is_named_beside_it() -> None:
    table = Exhibit(
        columns=("invoice", "due", "amount"),
        rows=(("R-71", "2025-03-14", 310.5), ("R-72", "2025-04-02", 98.2)),
    )
    right, wrong = "- R-71, due 14.03.2025: 310.50", "- R-71, due 02.04.2025: 310.50"
    for answer, standing in ((right, Standing.GROUNDED), (wrong, Standing.CONTRADICTED)):
        bounds = bind_claims(find_claims(answer), answer, prepare([table]))
        assert [each.standing for each in bounds if each.claim.days] == [standing]


def test_a_quarter_is_not_the_year_that_ends_with_it() -> None:
    table = Exhibit(columns=("year", "amount"), rows=((2025, 310.5),), held={"year": 2025})
    answer = "That holds for Q4 2025."
    bounds = bind_claims(find_claims(answer), answer, prepare([table]))
    assert [each.standing for each in bounds] == [Standing.UNGROUNDED]
