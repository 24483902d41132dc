"""Twelve ways to make a true answer wrong, one at a time.

Each way takes the story, the values that a template shows of it, and chance; it gives the story as
the careless writer tells it, or nothing where the way does not apply.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from random import Random

from benchmarks.answer_gate.own.story import Path, Row, Story
from benchmarks.answer_gate.own.templates import Use, Written
from benchmarks.answer_gate.own.values import (
    Count,
    Day,
    Figure,
    Money,
    Month,
    Percent,
    Quarter,
    Rate,
    Time,
    Value,
    Word,
    Year,
)

_CENT = Decimal("0.01")
_CURRENCIES = ("CHF", "EUR", "USD")
_INVENTED = (
    ("Zumstein Holzbau AG", "Olten"),
    ("Garage Wyss GmbH", "Thun"),
    ("Imprimerie du Marais SA", "Sion"),
    ("Tessiner Naturstein Sagl", "Locarno"),
    ("Keller & Frei Elektro AG", "Winterthur"),
    ("Northwind Logistics Ltd.", "Basel"),
    ("Confiserie Amrein AG", "Zug"),
    ("Boutique Violette Sàrl", "Nyon"),
)
_SMALL = 20
"""A count below this is made wrong by another way, not by a share of it."""


@dataclass(frozen=True, slots=True)
class Told:
    """How the story is told wrongly."""

    story: Story
    hide: bool = False
    """Leaves out that the result was cut."""
    section: str = ""
    """Takes the words of another type of answer."""
    extra: str = ""
    """Adds a sentence of this section."""


Way = Callable[[Story, Written, Random], Told | None]


def _figures(written: Written) -> list[Use]:
    return [use for use in written.uses if "|" not in use.style]


def _pick(uses: Sequence[Use], chance: Random) -> Path | None:
    paths = sorted({use.path for use in uses}, key=str)
    return chance.choice(paths) if paths else None


def _times(value: Figure, factor: Decimal) -> Figure:
    places = {Money: _CENT, Percent: Decimal("0.1"), Count: Decimal(1), Rate: Decimal("0.0001")}
    return replace(value, value=(value.value * factor).quantize(places[type(value)], ROUND_HALF_UP))


def _of_kind(story: Story, uses: Sequence[Use], *kinds: type[Value]) -> list[Use]:
    return [use for use in uses if isinstance(story.at(use.path), kinds)]


def _shifted(story: Story, written: Written, chance: Random) -> Told | None:
    found = _of_kind(story, _figures(written), Money, Percent, Count, Rate)
    path = _pick([use for use in found if not _is_small(story.at(use.path))], chance)
    if path is None:
        return None
    value = story.at(path)
    assert isinstance(value, Money | Percent | Count | Rate)
    share = Decimal(str(round(chance.uniform(0.03, 0.40), 4))) * chance.choice((-1, 1))
    return Told(story.having(path, _times(value, 1 + share)))


def _is_small(value: Value) -> bool:
    return isinstance(value, Count) and value.value < _SMALL


def _swapped(story: Story, written: Written, chance: Random) -> Told | None:
    used = {use.path for use in _figures(written)}
    pairs = [pair for pair in story.swaps if used.issuperset(pair) or pair[0] in used]
    rows = range(len(story.rows))
    for field in ("amount", "n", "city", "due", "share"):
        pairs += [
            (("rows", one, field), ("rows", two, field))
            for one in rows
            for two in rows
            if one < two
            and ("rows", one, field) in used
            and _told_apart(story.rows[one], story.rows[two], used, field)
        ]
    if not pairs:
        return None
    one, two = chance.choice(pairs)
    first, second = story.at(one), story.at(two)
    return Told(story.having(one, second).having(two, first))


def _told_apart(one: Row, two: Row, used: set[Path], field: str) -> bool:
    """Else the swap only changes the order of two rows that read alike."""
    shown = {str(path[2]) for path in used if path[0] == "rows"} - {field}
    return any(one[name] != two[name] for name in shown)


def _another_time(value: Time, chance: Random) -> Time:
    step = chance.choice((-2, -1, 1, 2))
    match value:
        case Year(year):
            return Year(year + step)
        case Quarter(year, quarter):
            if chance.random() < 0.5:
                return Quarter(year + step, quarter)
            return Quarter(year, (quarter + abs(step) - 1) % 4 + 1)
        case Month(year, month):
            return Month(year, (month + 4 + chance.randrange(0, 4)) % 12 + 1)
        case Day(day):
            if chance.random() < 0.5:
                return Day(day.replace(year=day.year + step, day=min(day.day, 28)))
            return Day(date(day.year, day.month % 12 + 1, min(day.day, 28)))


def _wrong_period(story: Story, written: Written, chance: Random) -> Told | None:
    path = _pick(_of_kind(story, _figures(written), Year, Quarter, Month, Day), chance)
    if path is None:
        return None
    value = story.at(path)
    assert isinstance(value, Year | Quarter | Month | Day)
    return Told(story.having(path, _another_time(value, chance)))


def _wrong_unit(story: Story, written: Written, chance: Random) -> Told | None:
    shown = [use for use in _figures(written) if use.style != "bare"]
    path = _pick(_of_kind(story, shown, Money), chance)
    if path is None:
        return None
    value = story.at(path)
    assert isinstance(value, Money)
    others = [each for each in _CURRENCIES if each != value.currency]
    return Told(story.having(path, replace(value, currency=chance.choice(others))))


def _scale_slip(story: Story, written: Written, chance: Random) -> Told | None:
    path = _pick(_of_kind(story, _figures(written), Money, Percent), chance)
    if path is None:
        return None
    value = story.at(path)
    assert isinstance(value, Money | Percent)
    factors = ("10", "0.1") if isinstance(value, Percent) else ("10", "0.1", "1000", "0.001")
    return Told(story.having(path, _times(value, Decimal(chance.choice(factors)))))


def _sign_flipped(story: Story, written: Written, chance: Random) -> Told | None:
    uses = [use for use in written.uses if use.style not in ("abs", "bare")]
    path = _pick(_of_kind(story, uses, Money, Percent), chance)
    if path is None:
        return None
    value = story.at(path)
    assert isinstance(value, Money | Percent)
    return Told(story.having(path, _times(value, Decimal(-1))))


def _invented(story: Story, written: Written, chance: Random) -> Told | None:
    names = [use for use in written.uses if use.path[-1] == "name"]
    if not names:
        return None
    name, city = chance.choice(_INVENTED)
    listed = [use for use in names if use.path[0] == "rows"]
    if listed and chance.random() < 0.5:
        model = story.rows[int(listed[-1].path[1])]
        row: Row = {
            key: Word(name) if key == "name" else _like(value, city, chance)
            for key, value in model.items()
        }
        return Told(replace(story, rows=(*story.rows, row)))
    path = _pick(names, chance)
    assert path is not None
    told = story.having(path, Word(name))
    city_path = (*path[:-1], "city")
    if "city" in (story.rows[int(path[1])] if path[0] == "rows" else {}):
        told = told.having(city_path, Word(city))
    return Told(told)


def _like(value: Value, city: str, chance: Random) -> Value:
    match value:
        case Money() | Percent():
            return _times(value, Decimal(str(round(chance.uniform(0.5, 0.9), 3))))
        case Word(text) if "-" in text:
            return Word(f"{text[:-3]}{(int(text[-3:]) + 411) % 1000:03d}")
        case Word():
            return Word(city)
        case _:
            return value


def _incomplete(story: Story, written: Written, chance: Random) -> Told | None:
    if ("n",) not in {use.path for use in written.uses} or story.type == "truncated":
        return None
    n = story.values["n"]
    assert isinstance(n, Count)
    listed = any(use.path[0] == "rows" for use in written.uses)
    choice = chance.choice(("drop", "drop and recount", "recount"))
    told = story
    if listed and choice.startswith("drop") and len(story.rows) > 2:
        gone = chance.randrange(len(story.rows))
        told = replace(told, rows=story.rows[:gone] + story.rows[gone + 1 :])
    if choice == "drop" and told is not story:
        return Told(told)
    step = Decimal(-1) if told is not story else Decimal(chance.choice((-1, 1, 2)))
    return Told(told.having(("n",), Count(n.value + step)))


def _illegal_sum(story: Story, written: Written, chance: Random) -> Told | None:
    if story.illegal is None or not any(use.path[0] == "rows" for use in written.uses):
        return None
    told = replace(story, values={**story.values, "sum": story.illegal})
    return Told(told, extra=f"illegal_{story.type}")


def _hidden_truncation(story: Story, written: Written, chance: Random) -> Told | None:
    return Told(story, hide=True) if story.type == "truncated" else None


_MISREPORTED = {
    "forbidden": ("none_postings",),
    "none_postings": ("forbidden",),
    "none_items": ("forbidden",),
    "unknown": ("forbidden",),
    "postings": ("none_postings", "forbidden"),
    "debtors": ("none_items",),
}


def _emptiness(story: Story, written: Written, chance: Random) -> Told | None:
    sections = _MISREPORTED.get(story.type)
    if sections is None:
        return None
    values = {"account": Word("1020"), **story.values}
    return Told(replace(story, values=values), section=chance.choice(sections))


def _made_up(story: Story, written: Written, chance: Random) -> Told | None:
    used = {use.path for use in written.uses}
    slips = [name for name in story.slips if tuple(name.split(".")) in used]
    if slips:
        name = chance.choice(slips)
        return Told(story.having(tuple(name.split(".")), chance.choice(story.slips[name])))
    if len(story.rows) < 3 or ("rows", 0, "amount") not in used:
        return None
    told = story
    for number, row in enumerate(_series(len(story.rows), chance)):
        amount = story.at(("rows", number, "amount"))
        assert isinstance(amount, Money)
        told = told.having(("rows", number, "amount"), replace(amount, value=row))
    return Told(told)


def _series(length: int, chance: Random) -> list[Decimal]:
    start = Decimal(chance.choice((1000, 5000, 10000, 50000, 100000)))
    kind = chance.choice(("steps", "same", "digits"))
    if kind == "same":
        return [start] * length
    if kind == "steps":
        return [start * (number + 1) for number in range(length)]
    digits = "123456789123456"
    return [Decimal(digits[number : number + 5]) for number in range(length)]


WAYS: dict[str, Way] = {
    "illegal_sum": _illegal_sum,
    "hidden_truncation": _hidden_truncation,
    "emptiness": _emptiness,
    "made_up_series_or_percent": _made_up,
    "incomplete_or_miscounted": _incomplete,
    "invented_name": _invented,
    "swapped_labels": _swapped,
    "wrong_period": _wrong_period,
    "wrong_unit": _wrong_unit,
    "sign_flipped": _sign_flipped,
    "scale_slip": _scale_slip,
    "shifted": _shifted,
}
"""Those that apply to few answers first."""
