"""A rendered annotation is the text, but for blanks and the ways to write a figure or a day."""

import pytest

from veridical.contracts.language import Language
from veridical.evidence.read import read_tables
from veridical.gate.annotation.alignment import Alignment, align
from veridical.gate.references.host import Host
from veridical.gate.references.template import read_template

TABLES = read_tables(
    [
        {"site": "Lea", "sold": 1234567.5, "change_pct": -12.5, "opened": "2025-03-07"},
        {"site": "Aue", "sold": 890.0, "change_pct": 4.0, "opened": "2024-11-21"},
        {"site": "Ems", "sold": 70.0, "change_pct": 1.0, "opened": "2024-12-24"},
    ]
)
SOLD = "{r1[Lea].sold : 1}"
OPENED = "{r1[Lea].opened}"
CHANGE = "{r1[Lea].change_pct}"
LISTED = "<<x in r1: {x}>>"


def is_same(template: str, text: str, language: Language) -> bool:
    shown = Host(TABLES, "", language).show(read_template(template))
    return isinstance(align(shown, text, language), Alignment)


@pytest.mark.parametrize(
    ("template", "text", "language"),
    [
        (SOLD, "1,234,567.5", "en"),
        (SOLD, "1234567.5", "en"),
        (SOLD, "1 234 567.5", "en"),
        (SOLD, "1'234'567.5", "de"),
        (SOLD, "1’234’567.5", "de"),
        (SOLD, "1.234.567,5", "de"),
        (SOLD, "1234567,5", "de"),
        (SOLD, "1234567.5", "zh"),
        (OPENED, "March 7, 2025", "en"),
        (OPENED, "7 March 2025", "en"),
        (OPENED, "2025-03-07", "en"),
        (OPENED, "7. März 2025", "de"),
        (OPENED, "07.03.2025", "de"),
        (OPENED, "2025年3月7日", "zh"),
        (CHANGE, "-12.5%", "en"),
        (CHANGE, "−12.5 %", "en"),
        (LISTED, "Lea, Aue and Ems", "en"),
        (LISTED, "Lea, Aue, and Ems", "en"),
        (LISTED, "Lea、Aue、Ems", "zh"),
        ("Of {r1[Lea]}.", "  Of\u00a0 lea. \n", "en"),
        ("a\n\nb", "a \n\n\n b", "en"),
    ],
)
def test_the_same(template: str, text: str, language: str) -> None:
    assert is_same(template, text, Language(language))


@pytest.mark.parametrize(
    ("template", "text", "language"),
    [
        (SOLD, "1.234.567,5", "en"),
        (SOLD, "1,234,567.5", "de"),
        (SOLD, "1,234,567.50", "en"),
        (SOLD, "1,234,567", "en"),
        (SOLD, "12,34,567.5", "en"),
        (SOLD, "1,234,567.4", "en"),
        (SOLD, "1,234,567.5%", "en"),
        (OPENED, "March 8, 2025", "en"),
        (OPENED, "March 7", "en"),
        (OPENED, "July 3, 2025", "en"),
        (CHANGE, "12.5%", "en"),
        (CHANGE, "-12.5", "en"),
        (LISTED, "Lea and Aue", "en"),
        (LISTED, "Lea, Ems and Aue", "en"),
        ("a b", "ab", "en"),
        ("a b", "a\nb", "en"),
        ("a\nb", "a\n\nb", "en"),
        ("Of {r1[Lea]}", "Of Leah", "en"),
    ],
)
def test_not_the_same(template: str, text: str, language: str) -> None:
    assert not is_same(template, text, Language(language))
