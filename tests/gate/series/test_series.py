"""Figures and dates told of a small invented forecast and of a yearly series."""

import pytest

from tests.gate.lexicons import GENERAL, domain
from veridical.contracts.proof import Standing
from veridical.gate.claims import find_claims
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.record import sheets_from_record
from veridical.gate.evidence.timeline import timelines_of
from veridical.gate.series.series import bind_series

FORECAST = {
    "units": {"temp": "°C", "wind": "m/s", "rain": "mm"},
    "list": [
        {"air": {"temp": t, "feels_like": f}, "wind": {"speed": s, "gust": g}, "rain": r, "at": at}
        for t, f, s, g, r, at in (
            (4.21, 1.3, 3.1, 7.2, 0.4, "2024-03-05 06:00:00"),
            (9.64, 8.2, 5.4, 11.9, None, "2024-03-05 15:00:00"),
            (-1.35, -5.5, 2.2, 4.8, None, "2024-03-06 06:00:00"),
            (6.48, 4.7, 8.6, 15.3, 1.7, "2024-03-06 15:00:00"),
            (11.02, 10.1, 4.0, 6.6, None, "2024-03-07 15:00:00"),
        )
    ],
}
YEARS = {
    "title": "Storks per 1,000 roofs",
    "unit": "storks",
    "rows": [
        {"date": year, "value": value}
        for year, value in enumerate((12.4, 13.1, 15.96, 14.2, 14.9), start=2001)
    ],
}


def standings(text: str, record: object) -> dict[str, Standing]:
    claims = find_claims(text)
    bounds = bind_series(
        claims, text, timelines_of(sheets_from_record(record, 0, Exhibit())), GENERAL
    )
    return {bound.claim.text: bound.standing for bound in bounds.values()}


def first_wrong(text: str, record: object) -> set[str]:
    return {
        claim
        for claim, standing in standings(text, record).items()
        if standing in (Standing.CONTRADICTED, Standing.UNGROUNDED)
    }


ACCEPTED = [
    "On March 5th, the temperature will range from 4.21°C to 9.64°C.",
    "On Tuesday, temperatures will be between 4 and 10 degrees Celsius.",
    "On March 6th, a high of 6.5°C is expected with winds of 8.6 m/s and gusts up to 15.3 m/s.",
    "On March 6th, the temperature will be 6.48°C with a feels like temperature of 4.7°C.",
    "On March 6th it will rain. The wind speed will reach 8.6 m/s.",
    "Temperatures range from -1.35°C to 11.02°C over the next three days.",
    "Wind speeds reach up to 31 km/h on Wednesday, March 6.",
    "The lowest temperature is expected on March 6th.",
    "On day three, the temperature will be around 11°C.",
]
REFUSED = [
    ("On March 7th, the temperature will be 9.64°C.", "9.64°C"),
    ("On March 5th, the temperature will range from 4.21°C to 11.02°C.", "11.02°C"),
    ("On March 6th, wind speeds will reach 15.3 m/s.", "15.3 m/s"),
    ("On March 6th, the feels like temperature will be 6.48°C.", "6.48°C"),
    ("On March 9th, the temperature will be 4.21°C.", "4.21°C"),
    ("The humidity will be around 70%.", "70%"),
    ("Temperatures range from 4.21°C to 11.02°C over the next three days.", "4.21°C"),
    ("On March 5th it will rain. The wind speed will be 8.6 m/s.", "8.6 m/s"),
    ("On Friday, March 5, the temperature will be 9.64°C.", "March 5"),
    ("The lowest temperature is expected on March 7th.", "March 7th"),
    ("On March 9th, there will be rain.", "March 9th"),
]
YEARS_ACCEPTED = [
    "By 2005 the number had changed: 14.9 - 12.4 = 2.5 storks.",
    "The number rose to 15.96 storks per 1,000 roofs in 2003.",
    "The number remained relatively low during 2004.",
    "The 3-year average of storks peaked in 2003. It has fallen for two years.",
    "The number fell from 15.96 in 2003 to 14.2 in 2004.",
    "2002年为13.1。",
    "The number rose from 12.4 in 2001 to a peak of 15.96 in 2003.",
    "It peaked at 16 in 2003.",
    "The chart shows the number of storks per 1,000 roofs from 2001 to 2005.",
    "By 2005, the number was over 14.",
    "The highest value was recorded in 2003.",
]
YEARS_REFUSED = [
    ("2002年为14.2。", "14.2"),
    ("The number rose from 12.4 in 2001 to 14.9 in 2002.", "14.9"),
    ("The number peaked at 14.9 in 2005.", "14.9"),
    ("In 2002, there were 14.2 storks.", "14.2"),
    ("The chart covers the data from 2001 to 2004.", "2004"),
    ("The highest value was recorded in 2002.", "2002"),
    ("In 1999, the number was low.", "1999"),
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_what_the_forecast_bears_out(text: str) -> None:
    assert first_wrong(text, FORECAST) == set()


@pytest.mark.parametrize(("text", "wrong"), REFUSED)
def test_what_the_forecast_does_not_say(text: str, wrong: str) -> None:
    assert wrong in first_wrong(text, FORECAST)


@pytest.mark.parametrize("text", YEARS_ACCEPTED)
def test_what_the_years_bear_out(text: str) -> None:
    assert first_wrong(text, YEARS) == set()


@pytest.mark.parametrize(("text", "wrong"), YEARS_REFUSED)
def test_what_the_years_do_not_say(text: str, wrong: str) -> None:
    assert wrong in first_wrong(text, YEARS)


def test_a_contradiction_points_at_the_cell_that_says_otherwise() -> None:
    text = "On March 5th, the temperature will range from 4.21°C to 11.02°C."
    sheets = sheets_from_record(FORECAST, 0, Exhibit())
    bounds = bind_series(find_claims(text), text, timelines_of(sheets), GENERAL)
    against = next(bound for bound in bounds.values() if bound.standing is Standing.CONTRADICTED)
    assert against.place is not None
    assert sheets[against.place.sheet].rows[against.place.row][against.place.column] == 9.64


def test_a_unit_that_begins_like_an_hour_is_no_duration() -> None:
    rows = [{"day": f"2031-05-0{day}", "pressure": 1000 + day} for day in range(1, 6)]
    assert "1004 hPa" in first_wrong("On May 2nd, the pressure was 1004 hPa.", rows)


def test_a_sheet_without_a_timeline_is_left_alone() -> None:
    assert standings("There are 5 lynxes on March 5th.", [{"animal": "lynx", "n": 4}] * 4) == {}


LEDGER = [
    {"date": day, "region": region, "amount": amount}
    for day, region, amount in (
        ("2025-01-03", "North", 120.5),
        ("2025-01-04", "South", 911.0),
        ("2025-01-05", "North", 340.2),
        ("2025-01-06", "South", 77.7),
    )
]
INVOICES = [
    {"due": day, "customer": customer, "amount": amount}
    for day, customer, amount in (
        ("2025-01-03", "Egli", 120.5),
        ("2025-01-29", "Frei", 911.0),
        ("2025-03-02", "Graf", 340.2),
        ("2025-07-11", "Hess", 77.7),
    )
]
MONTHS = [{"month": f"2025-{month:02}", "balance": 100.0 * month} for month in range(1, 7)]


def test_the_highest_of_one_kind_is_not_the_highest_of_all() -> None:
    assert first_wrong("The highest amount in the region North was 340.2.", LEDGER) == set()
    assert "340.2" in first_wrong("The highest amount was 340.2.", LEDGER)


def test_documents_with_dates_are_silent_about_other_dates() -> None:
    assert (
        first_wrong("On January 31, 2025, the invoice of Frei, 911.0, was open.", INVOICES) == set()
    )


def test_a_month_stands_for_its_days() -> None:
    assert first_wrong("On 31 March 2025 the balance was 300.", MONTHS) == set()
    assert "400" in first_wrong("On 31 March 2025 the balance was 400.", MONTHS)


def test_words_of_a_domain_come_with_its_lexicon() -> None:
    text = "On March 6th, the coldest it gets is 6.48°C."
    timelines = timelines_of(sheets_from_record(FORECAST, 0, Exhibit()))
    told = {
        lexicon: {
            bound.claim.text: bound.standing
            for bound in bind_series(find_claims(text), text, timelines, lexicon).values()
        }["6.48°C"]
        for lexicon in (GENERAL, domain("weather"))
    }
    assert told == {GENERAL: Standing.GROUNDED, domain("weather"): Standing.CONTRADICTED}
