import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.ontology.ontologies import ontologies
from tests.ontology.small import ONTOLOGY
from veridical.contracts.language import Language
from veridical.ontology.context import schema_context
from veridical.ontology.errors import LoadError
from veridical.ontology.file_errors import FileMistakesError, FileProblem
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import ontology_from, ontology_text, read_ontology
from veridical.ontology.pack import load_pack
from veridical.ontology.yaml_text import ontology_yaml

CASES = Path(__file__).parent / "ontology_file_mistakes.txt"


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ontologies())
def test_every_ontology_comes_back_as_it_was(ontology: OntologyDescriptor) -> None:
    for ending in (".yaml", ".json"):
        again = ontology_from(ontology_text(ontology, ending), "x")
        assert again == ontology
        assert again.hash == ontology.hash


def test_trustee_is_the_same_from_its_file(tmp_path: Path) -> None:
    pack = load_pack("trustee")
    path = tmp_path / "ontology.yaml"
    path.write_text(ontology_yaml(pack.ontology), "utf-8")
    again = read_ontology(path)
    assert again == pack.ontology
    for language in Language:
        before, after = (
            schema_context(each, pack.schema, language) for each in (pack.ontology, again)
        )
        assert (before.text, before.hash) == (after.text, after.hash)


def test_the_keys_of_python_are_understood_too() -> None:
    data = json.loads(ONTOLOGY.model_dump_json(by_alias=False))
    assert ontology_from(json.dumps(data), "x") == ONTOLOGY


def test_a_country_is_no_truth_value() -> None:
    text = "featureCode: x\nconstraints: [{appliesTo: A.c, rule: ALLOWED_VALUES, values: [no, CH]}]"
    assert ontology_from(text, "x").constraints[0].values == ("no", "CH")


def _cases() -> list[tuple[str, str]]:
    parts = CASES.read_text("utf-8").split("=== ")[1:]
    return [(told.strip(), text) for told, _, text in (part.partition("\n") for part in parts)]


@pytest.mark.parametrize(("told", "text"), _cases(), ids=lambda each: each[:40])
def test_a_mistake_is_told_with_its_line(told: str, text: str) -> None:
    with pytest.raises(FileMistakesError) as error:
        ontology_from(text, "shop.yaml")
    assert told in str(error.value).splitlines()


def test_an_alias_bomb_is_refused_at_once() -> None:
    levels = [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 30)]
    text = "\n".join(["featureCode: x", "a0: &a0 [x, x, x, x, x]", *levels])
    with pytest.raises(FileMistakesError) as error:
        ontology_from(text, "bomb")
    assert error.value.mistakes[0].problem is FileProblem.REPEATED


def test_depth_is_bounded() -> None:
    with pytest.raises(FileMistakesError) as error:
        ontology_from("featureCode: " + "[" * 100_000, "deep")
    assert error.value.mistakes[0].problem is FileProblem.DEEP


@settings(max_examples=examples(200), deadline=None)
@given(st.one_of(st.text(max_size=60), st.text("-:[]{}&*!|>'\"#%@`,? \n\tab", max_size=60)))
def test_garbage_is_told_in_words(text: str) -> None:
    with pytest.raises(LoadError):
        ontology_from(text, "garbage")
