import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.server.language import preferred_language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("DE-ch", "de"),
        ("fr-CH, fr;q=0.9, zh-Hans;q=0.8, en;q=0.1", "zh"),
        ("en;q=0.2, de;q=0.7", "de"),
        ("de;q=0, zh", "zh"),
        ("fr, *;q=0.5", "en"),
        ("fr", "en"),
        ("de;q=high", "en"),
        ("zh, de", "zh"),
    ],
)
def test_the_best_known_language_is_taken(header: str | None, language: str) -> None:
    assert preferred_language(header, Language.EN) == language


@given(st.text(), st.sampled_from(Language))
def test_any_header_gives_a_language(header: str, otherwise: Language) -> None:
    assert preferred_language(header, otherwise) in Language
