"""Numbers of any size and evidence of any depth: the gate answers, and never with an exception."""

import logging
from collections import deque
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.gate.strictly import strictly
from veridical import gate
from veridical.cli.main import app
from veridical.contracts.input_budget import InputBudget
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Proof, Verdict

pytestmark = pytest.mark.slow

ROWS = [{"category": "Jackets", "units": 921}, {"category": "Shoes", "units": 523}]
NINES = "9" * 309
NUMBERS = [
    NINES, "9" * 5000, f"{NINES}.5", f"-{NINES}", f"{NINES} %", f"CHF {NINES}", f"{NINES} million",
    f"{'9' * 307} billion", "1e99999", "1e400", ",".join(["999"] * 130), "'".join(["999"] * 130),
    " ".join(["999"] * 130), f"about {NINES}", f"over {NINES}", "九" * 400, "亿" * 200,
    f"{NINES}亿", f"百分之{'九' * 400}", f"{NINES}th", f"Konto {NINES}", f"{NINES}:30",
    f"31.12.{NINES}", f"March {NINES}", f"0.{'0' * 400}1", f"{NINES} + {NINES} = 5", "NaN", "-0",
]  # fmt: skip
CELLS: list[Any] = [
    float("nan"), float("inf"), -float("inf"), -0.0, 1e308, 5e-324, 10**308, 10**309, -(10**400),
    10**5000, Decimal("1e99999"), Decimal("NaN"), Decimal("sNaN"), Decimal("-0"), Decimal(NINES),
    Fraction(10**400, 3), complex(1, 2), b"abc", NINES, "1e400", "nan", "inf", f"{NINES} CHF",
    "9" * 5000,
]  # fmt: skip


@pytest.fixture(autouse=True)
def _nothing_unforeseen(caplog: pytest.LogCaptureFixture) -> Any:
    yield
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("number", NUMBERS, ids=[f"{said[:12]}-{len(said)}" for said in NUMBERS])
@pytest.mark.parametrize(
    "wording",
    [
        "{}",
        "Shoes sold {} units.",
        "鞋子卖了{}件",
        "- Shoes: {}\n- Jackets: {}",
        "Rose from {} to {}",
    ],
)
def test_d30_a_number_of_any_length_is_judged(number: str, wording: str) -> None:
    answer = wording.replace("{}", number)
    for question in ("", answer):
        assert isinstance(strictly(answer, ROWS, question=question), Proof)


def test_d30_a_number_that_nothing_bears_out_blocks() -> None:
    assert strictly(f"Shoes sold {NINES} units.", ROWS).verdict is Verdict.BLOCK


_SHAPES: list[Callable[[Any], Any]] = [
    lambda cell: [{"category": "Shoes", "units": cell}, {"category": "Jackets", "units": 3}],
    lambda cell: {"columns": ["a", "b"], "rows": [["Shoes", cell], ["Jackets", 7]]},
    lambda cell: {"a": {"b": [cell, cell]}},
    lambda cell: [{"date": cell, "units": 1}, {"date": "2025-01-01", "units": cell}],
    lambda cell: {"expression": "1+1", "result": cell},
    lambda cell: [cell, cell],
    lambda cell: cell,
]


@pytest.mark.parametrize("cell", CELLS, ids=[type(cell).__name__ for cell in CELLS])
@pytest.mark.parametrize("shape", _SHAPES)
def test_d30_a_cell_of_any_size_is_read(cell: Any, shape: Callable[[Any], Any]) -> None:
    for answer in ("Shoes sold 523 units in 2024, 5 % more, 530 in total.", f"7 - {NINES} = 3"):
        assert isinstance(strictly(answer, shape(cell), question="In 2024?"), Proof)


def test_d30_a_cell_that_is_no_number_proves_none() -> None:
    rows = [{"category": "Shoes", "units": float("nan")}, {"category": "Jackets", "units": 7}]
    assert strictly("Jackets sold 7 units.", rows).verdict is Verdict.PASS
    assert strictly("Shoes sold 523 units.", rows).verdict is Verdict.BLOCK


def _cyclic() -> dict[str, Any]:
    rows: list[Any] = []
    rows.append(rows)
    record: dict[str, Any] = {}
    record["self"] = record
    table: dict[str, Any] = {"columns": ["a"], "rows": []}
    table["rows"].append([table])
    branching: list[Any] = []
    branching.extend([branching] * 3)
    return {"rows": rows, "record": record, "table": table, "branching": branching}


def _nested(depth: int, around: Callable[[Any], Any]) -> Any:
    value: Any = 523
    for _ in range(depth):
        value = around(value)
    return value


_AROUND: dict[str, Callable[[Any], Any]] = {
    "list": lambda value: [value],
    "tuple": lambda value: (value,),
    "dict": lambda value: {"a": value},
    "mapping": lambda value: MappingProxyType({"a": value}),
    "deque": lambda value: deque([value]),
    "result": lambda value: {"success": True, "data": value},
    "table": lambda value: {"columns": ["a"], "rows": [[value]]},
    "sources": lambda value: {"sources": [{"success": True, "data": value}]},
}


@pytest.mark.parametrize("shape", sorted(_cyclic()))
def test_d30_evidence_that_contains_itself_is_held_back(shape: str) -> None:
    proof = strictly("Shoes sold 523 units.", _cyclic()[shape])
    assert [each.code for each in proof.findings] == [GateCode.TOO_COMPLEX]


@pytest.mark.parametrize("around", sorted(_AROUND))
@pytest.mark.parametrize("depth", [5_500, 100_000])
def test_d30_deep_evidence_is_held_back(around: str, depth: int) -> None:
    evidence = _nested(depth, _AROUND[around])
    for ready in (evidence, gate.prepare(evidence)):
        proof = strictly("Shoes sold 523 units.", ready)
        assert [each.code for each in proof.findings] == [GateCode.TOO_COMPLEX]
        assert proof.verdict is Verdict.BLOCK
        assert "64" in proof.findings[0].hint


@pytest.mark.parametrize("depth", [50, 5_500, 100_000])
@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ('{"a":', "}"), ("[", ""), ("(", ")"), ("[-", "]")]
)
def test_d30_deep_text_is_judged(depth: int, opening: str, closing: str) -> None:
    for text in (opening * depth + "1" + closing * depth, f"[{opening * depth}]"):
        assert strictly("Shoes sold 523 units.", text).verdict is Verdict.BLOCK


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (InputBudget(answer_characters=10), "10"),
        (InputBudget(question_characters=2), "2"),
        (InputBudget(evidence_cells=3), "3"),
        (InputBudget(evidence_characters=4), "4"),
        (InputBudget(evidence_depth=1), "1"),
        (InputBudget(seconds=-1.5), "-1.5"),
    ],
)
def test_d30_the_reason_is_told_in_every_language(
    budget: InputBudget, told: str, language: Language
) -> None:
    proof = strictly(
        "Shoes sold 523 units.",
        ROWS,
        question="How many?",
        language=language,
        budget=budget,
    )
    (finding,) = proof.findings
    assert (finding.code, proof.verdict) == (GateCode.TOO_COMPLEX, Verdict.BLOCK)
    assert told in finding.hint
    assert gate.friendly(proof, language)


@pytest.mark.parametrize(("depth", "code"), [(200, 1), (50_000, 2)])
def test_d30_the_command_line_takes_deep_files(depth: int, code: int, tmp_path: Path) -> None:
    evidence = tmp_path / "rows.json"
    evidence.write_text("[" * depth + "]" * depth)
    done = CliRunner().invoke(app, ["gate", "Shoes: 523", "--evidence", str(evidence)])
    assert done.exit_code == code
    assert "Traceback" not in done.output


def test_d30_one_list_many_times_is_counted_before_it_is_unrolled() -> None:
    row = list(range(100_000))
    assert strictly("It was 7.", [row] * 100_000).verdict is Verdict.BLOCK
