import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.skills.keyword_match import find, tokenized, weight_of


@pytest.mark.parametrize(
    ("keyword", "text", "said"),
    [
        ("goal", "My Goals", "Goals"),
        ("code review", "Review my old code", "Review … code"),
        ("code-review", "a Code Review", "Code Review"),
        ("review*", "reviewing it", "reviewing"),
        ("*karte", "die Weihnachtskarte", "Weihnachtskarte"),
        ("*skript*", "Migrationsskripte", "Migrationsskripte"),
        ("check|audit vat", "please audit the VAT", "audit … VAT"),
        ("Gläubiger", "die Glaeubiger", "Glaeubiger"),
        ("überfällig*", "UEBERFAELLIGE Posten", "UEBERFAELLIGE"),
        ("目标", "我的目标是什么", "目标"),
        ("检查 代码", "请检查一下代码", "检查 … 代码"),
        ("AI 搜索", "在AI搜索中", "AI 搜索"),
        ("ChatGPT", "让ChatGPT引用", "ChatGPT"),
    ],
)
def test_a_keyword_is_found_and_told_as_it_was_said(keyword: str, text: str, said: str) -> None:
    assert find([keyword], tokenized(text)).words == (said,)


@pytest.mark.parametrize(
    ("keyword", "text"),
    [
        ("goal", "goalkeeper"),
        ("code review", "The code is done. Review it"),
        ("code review", "代码。Review"),
        ("code-review", "review of code"),
        ("code review", "code " + "word " * 9 + "review"),
        ("review", "reviewing"),
        ("plan plan", "one plan"),
        ("目标", "目的标准"),
        ("检查 代码", "检查账目"),
        ("", "anything"),
        ("|", "anything"),
        ("*", "anything"),
        ("- …", "anything"),
    ],
)
def test_what_is_not_said_is_not_found(keyword: str, text: str) -> None:
    assert find([keyword], tokenized(text)).words == ()


def test_a_place_counts_once_however_many_keywords_cover_it() -> None:
    text = tokenized("code review 代码")
    found = find(["code", "code review", "代码"], text)
    assert weight_of(found.places, text) == 2 + 2 + 2


@given(st.text(max_size=60), st.text(max_size=30))
def test_any_keyword_in_any_text_is_found_without_failing(text: str, keyword: str) -> None:
    read = tokenized(text)
    found = find([keyword], read)
    assert all(0 <= place < len(read.words) for place in found.places)
    assert bool(found.words) == bool(found.places)
