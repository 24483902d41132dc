"""The language of a requirement, also of fragments."""

import pytest

from veridical.requirements.language import language_of
from veridical.requirements.token import tokenise


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The door shall open.", "en"),
        ("Die Tür muss öffnen.", "de"),
        ("Export of invoices", "en"),
        ("Übersicht Rechnungen", "de"),
        ("Verschlüsselung", "de"),
        ("Logging", "en"),
        ("", "en"),
    ],
)
def test_language_of(text: str, language: str) -> None:
    assert language_of(tokenise(text)) == language
