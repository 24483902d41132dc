"""Text keys: what is looked up one by one is what a full index has."""

from hypothesis import given
from hypothesis import strategies as st

from veridical.gate.evidence.index_text import Texts, key_of

_WORDS = st.sampled_from(
    ["Bern", "bern", "BERN", "Zürich", "zurich", "Nord", "nord 12", "北京", ""]
)
_CELLS = st.lists(st.lists(_WORDS, max_size=3).map(" ".join), max_size=40)


@given(_CELLS)
def test_a_key_stands_in_the_same_cells_however_it_is_looked_up(cells: list[str]) -> None:
    codes = list(range(100, 100 + len(cells)))
    asked, built = Texts(cells, codes), Texts(cells, codes)
    built.build()
    for key in map(key_of, cells):
        same = [
            code for cell, code in zip(cells, codes, strict=True) if key and key_of(cell) == key
        ]
        assert sorted(asked.codes(key) or ()) == sorted(built.codes(key) or ()) == same
        assert (key in asked) is bool(key)


@given(_CELLS)
def test_the_longest_key_of_a_first_word_is_counted_in_words(cells: list[str]) -> None:
    asked, built = Texts(cells, range(len(cells))), Texts(cells, range(len(cells)))
    built.build()
    keys = [key_of(cell).split() for cell in cells if key_of(cell)]
    assert asked.first_words == {words[0] for words in keys}
    for first in asked.first_words:
        most = max(len(words) for words in keys if words[0] == first)
        assert asked.longest(first) == built.longest(first) == most
    assert asked.longest("nowhere") == built.longest("nowhere") == 0


def test_what_is_too_long_for_a_name_counts_for_no_key() -> None:
    texts = Texts(["Bern " + "sehr " * 30 + "lang", "Bern Nord"], [1, 2])
    assert texts.longest("bern") == 2


def test_spellings_of_one_name_are_one_key() -> None:
    texts = Texts(["Zürich", "Bern", "ZUERICH", "Zürich"], [0, 1, 2, 3])
    assert list(texts.codes("zurich") or ()) == [0, 3, 2]
    assert texts.codes("chur") is None


def test_many_questions_are_answered_by_one_index() -> None:
    cells = [f"Name {at}" for at in range(50)]
    texts = Texts(cells, range(50))
    assert [texts.codes(f"name {at}") for at in range(50)] == [[at] for at in range(50)]
