"""What answers say about their own data."""

import pytest

from veridical.gate.notions import Notion, find_notion


@pytest.mark.parametrize(
    ("notion", "text"),
    [
        (Notion.UNKNOWN, "There is no account 2999 in these books."),
        (Notion.UNKNOWN, "Es gibt kein Konto 2999."),
        (Notion.UNKNOWN, "账簿中没有科目1999，请核对编号。"),
        (Notion.COMPLETE, "Das sind alle Buchungen des Jahres."),
        (Notion.COMPLETE, "These are all bookings of the year."),
        (Notion.COMPLETE, "以上是全年的全部凭证。"),
        (Notion.WHETHER, "Gibt es offene Rechnungen?"),
        (Notion.WHETHER, "Are there open invoices?"),
        (Notion.WHETHER, "有没有未付发票？"),
    ],
)
def test_it_is_said(notion: Notion, text: str) -> None:
    assert find_notion(notion, text)
    assert find_notion(notion, text.upper())


@pytest.mark.parametrize(
    ("notion", "text"),
    [
        (Notion.UNKNOWN, "Es gab keine Buchungen."),
        (Notion.WHETHER, "Welche Buchungen gab es im Mai?"),
        (Notion.WHETHER, "Which invoices are open?"),
    ],
)
def test_it_is_not_said(notion: Notion, text: str) -> None:
    assert not find_notion(notion, text)
