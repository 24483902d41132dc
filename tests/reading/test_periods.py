import calendar
import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.ontology.model import PeriodKind
from veridical.reading.period_words import CUES
from veridical.reading.periods import At, Period, find_periods
from veridical.reading.shown import day as written

TODAY = date(2026, 1, 20)
DE, EN, ZH = Language.DE, Language.EN, Language.ZH

SAID = [
    (DE, "per 31.12.2025", "day end 2025-12-31 2025-12-31"),
    (DE, "am 28.2.24", "day end 2024-02-28 2024-02-28"),
    (DE, "ende märz 2025", "month end 2025-03-01 2025-03-31"),
    (DE, "ende 2024", "year end 2024-01-01 2024-12-31"),
    (DE, "per jahresende 2024", "year end 2024-01-01 2024-12-31"),
    (DE, "ende letzten jahres", "year end 2025-01-01 2025-12-31"),
    (DE, "ende des dritten quartals 2025", "quarter end 2025-07-01 2025-09-30"),
    (DE, "q3 2025", "quarter during 2025-07-01 2025-09-30"),
    (DE, "im monat 3/2025", "month during 2025-03-01 2025-03-31"),
    (DE, "im geschäftsjahr 2023", "year during 2023-01-01 2023-12-31"),
    (DE, "seit 2020", "year since 2020-01-01 2020-12-31"),
    (DE, "letzten monat", "month during 2025-12-01 2025-12-31"),
    (DE, "heute", "day end 2026-01-20 2026-01-20"),
    (EN, "at the end of 2024", "year end 2024-01-01 2024-12-31"),
    (EN, "at year-end 2024", "year end 2024-01-01 2024-12-31"),
    (EN, "december 31, 2024", "day end 2024-12-31 2024-12-31"),
    (EN, "the 31st of december 2024", "day end 2024-12-31 2024-12-31"),
    (EN, "end of the second quarter of 2025", "quarter end 2025-04-01 2025-06-30"),
    (EN, "in may 2024", "month during 2024-05-01 2024-05-31"),
    (EN, "31/12/2024", "day end 2024-12-31 2024-12-31"),
    (EN, "12/31/2024", "day end 2024-12-31 2024-12-31"),
    (EN, "last year's", "year during 2025-01-01 2025-12-31"),
    (EN, "since 2021", "year since 2021-01-01 2021-12-31"),
    (ZH, "2025年底", "year end 2025-01-01 2025-12-31"),
    (ZH, "2025年年末", "year end 2025-01-01 2025-12-31"),
    (ZH, "去年年底", "year end 2025-01-01 2025-12-31"),
    (ZH, "2025年3月底", "month end 2025-03-01 2025-03-31"),
    (ZH, "2025年十二月末", "month end 2025-12-01 2025-12-31"),
    (ZH, "2025年12月31日", "day end 2025-12-31 2025-12-31"),
    (ZH, "2025年第三季度末", "quarter end 2025-07-01 2025-09-30"),
    (ZH, "2023年度", "year during 2023-01-01 2023-12-31"),
    (ZH, "自2021年以来", "year since 2021-01-01 2021-12-31"),
]
UNSAID = [
    (DE, "30.02.2025"),
    (DE, "1'2025"),
    (DE, "2025.50"),
    (DE, "konto 10200"),
    (EN, "03/04/2025"),
    (EN, "12025"),
    (ZH, "2025年2月30日"),
]


@pytest.mark.parametrize(("language", "text", "expected"), SAID)
def test_a_period_is_read_as_it_is_said(language: Language, text: str, expected: str) -> None:
    (found,) = find_periods(text, language, TODAY)
    period = found.period
    assert f"{period.grain} {period.at} {period.start} {period.end}" == expected


@pytest.mark.parametrize(("language", "text"), UNSAID)
def test_what_is_no_whole_period_is_not_read_as_one(language: Language, text: str) -> None:
    whole = [each for each in find_periods(text, language, TODAY) if each.begin == 0]
    assert all(each.stop < len(text) for each in whole)
    assert not any(each.period.at is At.END for each in whole)


def test_two_periods_stay_two() -> None:
    found = find_periods("ende 2024 und ende 2025", DE, TODAY)
    assert [each.period.end.year for each in found] == [2024, 2025]


@given(st.dates(date(1990, 1, 1), date(2099, 12, 31)), st.sampled_from(list(Language)))
def test_every_day_is_read_back_as_it_is_written(day: date, language: Language) -> None:
    (found,) = find_periods(written(day, language).lower(), language, TODAY)
    assert found.period == Period("day", day, day, At.END)


@given(st.dates(date(1990, 1, 1), date(2099, 12, 31)))
def test_a_day_is_the_end_of_at_most_one_of_month_and_year(day: date) -> None:
    period = Period("day", day, day, At.END)
    ends = [period.fits(kind) for kind in (PeriodKind.MONTH_END, PeriodKind.YEAR_END)]
    last = day.day == calendar.monthrange(day.year, day.month)[1]
    assert sum(ends) == last
    assert period.fits(PeriodKind.DAY)


def test_the_future_has_not_come() -> None:
    (end,) = find_periods("ende 2026", DE, TODAY)
    (year,) = find_periods("2026", DE, TODAY)
    assert not end.period.has_come(TODAY)
    assert year.period.has_come(TODAY)


@given(st.sampled_from(SAID), st.sampled_from(SAID), st.sampled_from((" ", " und ", ", ", "")))
def test_no_period_is_missed_for_want_of_a_cue(
    one: tuple[Language, str, str], other: tuple[Language, str, str], between: str
) -> None:
    language, text = one[0], f"{one[1]}{between}{other[1]}"
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(CUES, language, re.compile(""))
        every = find_periods(text, language, TODAY)
    assert find_periods(text, language, TODAY) == every
