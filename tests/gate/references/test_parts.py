"""An answer in parts comes to the same template as one in text, and back."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.gate.references.check import check_tables
from veridical.gate.references.parts import LISTED, read_parts, write_parts
from veridical.gate.references.parts_schema import DEFINED, FORMATS, parts_schema
from veridical.gate.references.printed import read_form
from veridical.gate.references.template import (
    Assertion,
    Each,
    Prose,
    Quote,
    Reference,
    Template,
    read_template,
)

CASES = [
    (path.stem, raw, case)
    for path in sorted(Path(__file__).with_name("cases").glob("*.toml"))
    for raw in [tomllib.loads(path.read_text("utf-8"))]
    for kind in ("accept", "reject")
    for case in raw[kind]
]
OPENING = re.compile(r"[{}\[\]<>|`]")

word = st.text(min_size=1, max_size=8).map(str.strip).filter(bool)
source = st.sampled_from(["r1[North].sales", "sum(r1.sales)", "a", "count(r1[orders > 5])"])
prose = word.filter(lambda text: not OPENING.search(text)).map(Prose)
inline = (
    st.builds(Reference, source, st.sampled_from(["", "1%", "w"]))
    | st.builds(Reference, source, st.just(""), word)
    | st.builds(Quote, word)
)


def between(nodes: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Such parts, with prose between any two."""
    pairs = st.lists(st.tuples(nodes, prose), min_size=1, max_size=4)
    return pairs.map(lambda found: tuple(each for pair in found for each in pair))


claim = st.builds(Assertion, source, between(inline) | st.tuples(prose))
listed = st.builds(Each, st.sampled_from(["x", "row"]), source, between(inline | claim))
templates = st.builds(
    Template,
    st.lists(st.tuples(st.sampled_from(["a", "best"]), source), max_size=3).map(tuple),
    between(inline | claim | listed),
)


@given(templates)
@settings(max_examples=examples(200), deadline=None)
def test_a_template_comes_back_from_its_parts(template: Template) -> None:
    parts = write_parts(template)
    assert parts is not None
    assert read_parts(json.dumps(parts)) == template


@pytest.mark.parametrize(("language", "raw", "case"), CASES)
def test_the_same_verdict_in_both_forms(language: str, raw: Any, case: Any) -> None:
    parts = write_parts(read_template(case["text"]))
    if parts is None:  # a text that is broken stays broken
        assert case.get("problem") == "syntax"
        return
    tables = read_tables(case.get("evidence", raw["evidence"]))
    question = case.get("question", raw["question"])
    one = check_tables(case["text"], tables, question, Language(language))
    other = check_tables(json.dumps(parts), tables, question, Language(language), read_parts)
    assert (one.shown, one.findings) == (other.shown, other.findings)


KEYS = st.sampled_from(["text", "define", "row", "list", "each", "words"])
values = st.recursive(
    st.none() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(st.text(max_size=60) | values.map(json.dumps))
@settings(max_examples=examples(300), deadline=None)
def test_no_json_breaks_the_reader(text: str) -> None:
    assert read_parts(text) == read_parts(text)


def test_what_is_no_part_is_said() -> None:
    assert read_parts('{"text": [{"sum": "r1.x"}]}').broken == ('{"sum": "r1.x"}',)
    assert read_parts('{"define": 5, "text": []}').broken == ("5",)


def test_a_text_within_a_part_may_refer() -> None:
    mixed = {"text": [{"text": "In {r1[North]}"}, {"text": ": "}, {"row": "x", "column": "n"}]}
    assert read_parts(json.dumps(mixed)).body == (
        Prose("In "), Reference("r1[North]"), Prose(": "), Reference("x.n")
    )  # fmt: skip


EVIDENCE = [
    {"region": "North", "sales": 5200.0},
    {"region": "South", "sales": 3100.0},
    {"region": "new > old", "sales": 1700.0},
]


def test_the_schema_knows_the_rows_and_columns() -> None:
    kinds = parts_schema(read_tables(EVIDENCE))["$defs"]
    row = kinds["RowPart"]["properties"]
    assert row["row"]["enum"] == [*DEFINED, LISTED, "r1[North]", "r1[South]", "r1[#3]"]
    assert row["column"]["enum"] == ["region", "sales"]
    assert kinds["ValuePart"]["properties"]["format"]["enum"] == list(FORMATS)


def test_every_offered_format_can_be_printed() -> None:
    assert all(read_form(each) for each in FORMATS)


def test_without_results_it_names_none() -> None:
    schema = parts_schema(())
    assert "enum" not in schema["$defs"]["RowPart"]["properties"]["column"]
