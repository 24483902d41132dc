import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.laboratory.acme.turtle import read_turtle
from veridical.ontology.errors import LoadError

NAMES = st.from_regex(r"[a-z]{1,8}:[A-Za-z0-9_-]{1,12}", fullmatch=True)
TEXTS = st.lists(st.text(max_size=12), min_size=1, max_size=3)
SAID = st.dictionaries(NAMES, st.dictionaries(NAMES, TEXTS, max_size=3), min_size=1, max_size=3)


def test_names_texts_and_lists_are_read() -> None:
    told = read_turtle(
        "@prefix q: <http://example.org/q#> .\n<http://example.org/x>\n"
        '  q:asks "How \\"many\\"?\\nAll; of them, please."@en ;\n  q:expects q:one , q:two .\n'
    )
    assert told == {
        "<http://example.org/x>": {
            "q:asks": ('How "many"?\nAll; of them, please.',),
            "q:expects": ("q:one", "q:two"),
        }
    }


@given(SAID)
def test_what_is_written_is_read(said: dict[str, dict[str, list[str]]]) -> None:
    sentences = (
        f"{subject} "
        + " ; ".join(f"{each} {' , '.join(map(json.dumps, texts))}" for each, texts in rest.items())
        + " ."
        for subject, rest in said.items()
    )
    expected = {
        subject: {each: tuple(texts) for each, texts in rest.items()}
        for subject, rest in said.items()
    }
    assert read_turtle("\n\n".join(sentences)) == expected


@pytest.mark.parametrize("broken", ['q:one q:asks "What?"', "."])
def test_a_sentence_without_end_or_subject_is_no_sentence(broken: str) -> None:
    with pytest.raises(LoadError, match="sentence"):
        read_turtle(broken)
