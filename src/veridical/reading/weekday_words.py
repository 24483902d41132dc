"""The days of the week in texts, Monday first."""

from typing import NamedTuple


class Weekday(NamedTuple):
    """One day: its names, its short forms in English and in German, its signs in Chinese."""

    names: tuple[str, ...]
    short: tuple[str, ...]
    two_letters: str
    signs: str


WEEKDAYS = (
    Weekday(("monday", "montag"), ("mon",), "mo", "一"),
    Weekday(("tuesday", "dienstag"), ("tues", "tue"), "di", "二"),
    Weekday(("wednesday", "mittwoch"), ("wed",), "mi", "三"),
    Weekday(("thursday", "donnerstag"), ("thurs", "thur", "thu"), "do", "四"),
    Weekday(("friday", "freitag"), ("fri",), "fr", "五"),
    Weekday(("saturday", "samstag", "sonnabend"), ("sat",), "sa", "六"),
    Weekday(("sunday", "sonntag"), ("sun",), "so", "日天"),
)
WEEK = "(?:周|星期|礼拜)"
"""Characters before the sign of a day."""
