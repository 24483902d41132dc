import pytest

from veridical.contracts.language import Language
from veridical.gate.languages.vocabulary import language_file, vocabulary

CLAIMING = {"rank", "direction", "compare", "negation", "cause", "missing", "proportion"}


@pytest.mark.parametrize("language", list(Language))
def test_every_table_of_a_language_is_read(language: Language) -> None:
    kinds = {kind for each in vocabulary(language).phrases.values() for kind in each}
    read = {kind.partition(".")[0] for kind in kinds} | {"numbers", "ordinals", "forms"}
    read |= {"claimed", "claimed_of", "residue", "binding"}  # by referenced answers
    read |= {"citation"}  # by the citations of documents
    assert set(language_file(language)) == read
    assert read >= CLAIMING


@pytest.mark.parametrize("language", list(Language))
def test_what_is_excepted_claims_nothing(language: Language) -> None:
    words = vocabulary(language)
    excepted = [phrase for phrase, kinds in words.phrases.items() if not kinds]
    assert excepted
    assert [phrase for phrase in excepted if words.cues(phrase)] == []


@pytest.mark.parametrize("ones", range(1, 10))
def test_numbers_above_twenty_are_joined(ones: int) -> None:
    german, english = vocabulary(Language.DE).numbers, vocabulary(Language.EN).numbers
    for numbers in (german, english):
        assert 20 + ones in numbers.values()
    assert german["einundzwanzig"] == english["twenty-one"] == 21
    assert "einsundzwanzig" not in german
