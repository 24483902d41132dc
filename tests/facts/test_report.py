import pytest

from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.facts.kernel.value import Reason
from veridical.facts.prose.finding import Code, Level, ProseFinding
from veridical.facts.record import reason_of, report_answer

TABLES = read_tables([{"depot": f"D{at}", "stock": 10 * at} for at in range(1, 41)])


@pytest.mark.parametrize("language", Language)
def test_every_finding_has_words(language: Language) -> None:
    for code in Code:
        for reason in Reason:
            finding = ProseFinding(code, Level.REFUSED, "{said}", instead="{x}", reason=reason)
            told = reason_of(finding, language)
            assert told.strip()
            assert "{said}" in told


def test_cells_are_the_first_ones_and_the_others_are_counted() -> None:
    written = {"facts": {"s": {"say": "total", "measures": ["stock"]}}, "answer": "{s}"}
    fact = report_answer(written, TABLES, "", Language.EN).facts["s"]
    assert len(fact.cells) == 24
    assert fact.cells_left_out == 16
    assert fact.claim["result"] == "r1"


def test_reasons_are_told_once_and_not_without_end() -> None:
    words = " ".join(f"{at}" for at in range(1_000, 1_100))
    told = report_answer({"facts": {}, "answer": f"{words} 1000 1000"}, TABLES, "", Language.EN)
    assert len(told.refused) == 40
    assert len({each.said for each in told.refused}) == 40


def test_a_refused_answer_keeps_its_exact_sentences_and_no_text() -> None:
    fact = {"say": "top", "measure": "stock"}
    written = {"facts": {"t": fact, "u": {"say": "top", "measure": "nothing"}}, "answer": "{t} {u}"}
    told = report_answer(written, TABLES, "", Language.EN)
    assert not told.accepted
    assert told.text == ""
    assert not told.sentences
    assert "D40" in told.facts["t"].sentence
    assert (told.refused[0].code, told.refused[0].reason) == ("fact", "noColumn")
