"""Segments, their clauses and cells, at their places."""

import pytest

from veridical.gate.layout import SegmentKind, read_layout

ANSWER = """## Umsatz 2025
Der Umsatz betrug rund CHF 5 Mio. am 31. Dezember 2025. Er stieg, und der 3. Platz ist frei.

**Konten**
Die Konten:
- Bank: 5.2 million. It rose.
1. Kasse
| Konto | Saldo |
|-------|-------|
| 1020  | 5.00  |
收入增长。支出下降，但利润不变。"""


def test_every_line_has_its_kind() -> None:
    layout = read_layout(ANSWER)
    assert [(each.kind, ANSWER[each.start : each.end].strip()) for each in layout.segments] == [
        (SegmentKind.HEADING, "## Umsatz 2025"),
        (SegmentKind.SENTENCE, "Der Umsatz betrug rund CHF 5 Mio. am 31. Dezember 2025."),
        (SegmentKind.SENTENCE, "Er stieg, und der 3. Platz ist frei."),
        (SegmentKind.HEADING, "**Konten**"),
        (SegmentKind.HEADING, "Die Konten:"),
        (SegmentKind.BULLET, "- Bank: 5.2 million."),
        (SegmentKind.BULLET, "It rose."),
        (SegmentKind.BULLET, "1. Kasse"),
        (SegmentKind.ROW, "| Konto | Saldo |"),
        (SegmentKind.ROW, "| 1020  | 5.00  |"),
        (SegmentKind.SENTENCE, "收入增长。"),
        (SegmentKind.SENTENCE, "支出下降，但利润不变。"),
    ]


def test_a_row_has_cells() -> None:
    layout = read_layout(ANSWER)
    row = layout.segment_at(ANSWER.index("1020"))
    assert row is not None
    assert [ANSWER[each.start : each.end].strip() for each in row.cells] == ["1020", "5.00"]
    cell = layout.clause_at(ANSWER.index("5.00"))
    assert cell is not None
    assert ANSWER[cell.start : cell.end].strip() == "5.00"


@pytest.mark.parametrize(
    ("sentence", "clauses"),
    [
        ("Revenue rose to 1,234 and costs fell to 5.", 2),
        ("Der Umsatz stieg, während der Aufwand sank; das Ergebnis blieb.", 3),
        ("支出下降，而收入增长。", 2),
        ("One thing only.", 1),
    ],
)
def test_sentences_part_into_clauses(sentence: str, clauses: int) -> None:
    layout = read_layout(sentence)
    (segment,) = layout.segments
    found = layout.clauses(segment)
    assert "".join(sentence[each.start : each.end] for each in found) == sentence
    assert len([each for each in found if sentence[each.start : each.end].strip(" ,，")]) == clauses


@pytest.mark.parametrize(
    "sentence",
    [
        "Es waren ca. 5 Rechnungen.",
        "The firm Contoso Inc. Holds 5.",
        "Am 3. März war es so.",
        "Fr. 500 sind offen.",
    ],
)
def test_an_abbreviation_ends_no_sentence(sentence: str) -> None:
    assert len(read_layout(sentence).segments) == 1


def test_nothing_stands_before_the_first_segment() -> None:
    layout = read_layout("\n\nA line.")
    assert layout.segment_at(0) is None
    assert layout.clause_at(0) is None
    assert read_layout("").segments == ()
