import tomllib
from pathlib import Path
from typing import Any

import pytest

from veridical import gate
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.gate.basis_words import BasisWords
from veridical.gate.prover.basis import Basis
from veridical.gate.prover.facts import FactReader
from veridical.gate.prover.how import How
from veridical.gate.prover.measures import ColumnRef

READ = tomllib.loads(Path(__file__).with_name("basis_words.toml").read_text("utf-8"))
ROWS: list[dict[str, Any]] = READ["rows"]


@pytest.mark.parametrize("case", READ["cases"], ids=lambda case: case["words"])
def test_a_claim_says_in_words_what_it_rests_on(case: dict[str, Any]) -> None:
    language = Language(case["language"])
    proof = gate.check(case["answer"], ROWS, language=language)
    binding = next(each.binding for each in proof.claims if each.text == case["claim"])
    assert binding is not None
    assert binding.words == case["words"]
    assert len(binding.cells) == case["cells"]
    for cell in binding.cells:
        assert cell.row is not None
        assert cell.row_key == ROWS[cell.row]["region"]
        assert cell.value == ROWS[cell.row][cell.column]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("how", How)
def test_every_operation_has_words_in_every_language(how: How, language: Language) -> None:
    tables = read_tables(ROWS)
    facts = FactReader(tables)
    one, other = (facts.over(0, frozenset({row}))[0] for row in (0, 1))
    basis = Basis(how, (one, other), 0, frozenset({0, 1}), (ColumnRef(0, 2),), ("3", "4"))
    said = BasisWords(tables, language)
    assert said.words(basis)
    assert "{" not in said.words(basis) + said.arithmetic(basis)
