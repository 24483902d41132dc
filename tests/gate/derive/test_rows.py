"""What follows from rows that the text names, though it states none of their cells."""

import pytest

from veridical import gate
from veridical.contracts.proof import Verdict

STAFF = [
    {"department": "Sales", "headcount": 12, "female": 5},
    {"department": "IT", "headcount": 8, "female": 2},
    {"department": "HR", "headcount": 4, "female": 3},
]
STOCK = [
    {"article": "Bolt M8", "stock": 120, "minimum": 100},
    {"article": "Nut M8", "stock": 40, "minimum": 100},
    {"article": "Washer", "stock": 0, "minimum": 50},
]
MONTHS = [
    {"month": "2025-01", "revenue": 1000, "orders": 20},
    {"month": "2025-02", "revenue": 1500, "orders": 25},
    {"month": "2025-03", "revenue": 1250, "orders": 22},
]
SENSORS = [
    {"sensor": "A1", "time": "2025-06-01T08:00", "temperature": 21.5},
    {"sensor": "A1", "time": "2025-06-01T12:00", "temperature": 26.3},
    {"sensor": "B2", "time": "2025-06-01T08:00", "temperature": 19.8},
    {"sensor": "B2", "time": "2025-06-01T12:00", "temperature": 24.1},
]


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        (STAFF, "In HR, 75% are women."),
        (STAFF, "In IT sind 6 der 8 Mitarbeitenden Männer."),
        (STAFF, "10 von 24 Mitarbeitenden sind Frauen (41.7 %)."),
        (STOCK, "Von Nut M8 fehlen 60 Stück."),
        (MONTHS, "Revenue per order was 50 in January and 60 in February."),
        (MONTHS, "Revenue dropped 16.7% in March after a 50% jump in February."),
        (MONTHS, "Der Umsatz stieg von Januar auf Februar um 50 % und fiel im März um 250."),
        (MONTHS, "February was the best month: 1,500, which is 40% of the quarter's 3,750."),
        (SENSORS, "Im Mittel lag A1 bei 23.9 °C."),
        (SENSORS, "Sensor A1 measured 26.3 °C at 12:00, 4.8 degrees more than at 08:00."),
        (SENSORS, "传感器A1升高了4.8度。"),
    ],
)
def test_named_rows_are_computed_with(rows: list[dict[str, object]], answer: str) -> None:
    assert gate.check(answer, rows, policy="wordings").verdict is not Verdict.BLOCK


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        (STAFF, "In HR, 60% are women."),
        (STAFF, "In IT sind 7 der 8 Mitarbeitenden Männer."),
        (STAFF, "11 von 24 Mitarbeitenden sind Frauen."),
        (STOCK, "Von Nut M8 fehlen 70 Stück."),
        (MONTHS, "Revenue per order was 70 in January."),
        (MONTHS, "Revenue dropped 50% in February."),
        (
            MONTHS,
            "Von 1'500 erhöhte sich der Umsatz aller unserer Filialen im März 2025 um 16.7 %.",
        ),
        (SENSORS, "Im Mittel lag A1 bei 25.9 °C."),
        (SENSORS, "B2 warmed up by 4.8 degrees."),
    ],
)
def test_other_figures_do_not_follow(rows: list[dict[str, object]], answer: str) -> None:
    assert gate.check(answer, rows, policy="wordings").verdict is Verdict.BLOCK


def test_a_short_name_in_capitals_is_no_pronoun() -> None:
    assert gate.check("IT hat 8 Mitarbeitende.", STAFF, policy="wordings").verdict is Verdict.PASS
    assert gate.check("IT hat 12 Mitarbeitende.", STAFF, policy="wordings").verdict is Verdict.BLOCK
    assert gate.check("It is 12 in Sales.", STAFF, policy="wordings").verdict is Verdict.PASS


def test_a_figure_in_brackets_belongs_to_the_time_before_it() -> None:
    right = gate.check("Best was February (1,500), then March (1,250).", MONTHS, policy="wordings")
    wrong = gate.check("Best was March (1,500).", MONTHS, policy="wordings")
    assert (right.verdict, wrong.verdict) == (Verdict.PASS, Verdict.BLOCK)
    assert (
        gate.check("最好的是2025年3月（1500）。", MONTHS, policy="wordings").verdict
        is Verdict.BLOCK
    )
