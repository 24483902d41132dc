"""The language of a requirement, also of fragments."""

import pytest

from veridical.requirements.language import is_readable, language_of
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


@pytest.mark.parametrize(
    "text", ["除非用户主动退出，App必须一直保持登录状态。", "流量不得超过____ L/h（数值待确认）。"]
)
def test_chinese_with_names_and_units_is_not_read(text: str) -> None:
    assert not is_readable(tokenise(text))


def test_a_foreign_name_is_read() -> None:
    assert is_readable(tokenise("The label shall show the name 北京 in both scripts."))
