"""Figures told of home and away in an invented game."""

import pytest

from tests.gate.lexicons import GENERAL, domain
from veridical.contracts.proof import Standing
from veridical.gate.claims import find_claims
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.evidence.record import sheets_from_record
from veridical.gate.series.parallel import bind_parallel

GAME = {
    "homeTeam": {"name": "Northern Lynx", "id": 812, "country": "Norway"},
    "awayTeam": {"name": "River Otters", "id": 977, "country": "Norway"},
    "homeScore": {"display": 4, "period1": 1, "period2": 0, "period3": 3, "overtime": 0},
    "awayScore": {"display": 3, "period1": 2, "period2": 1, "period3": 0, "overtime": 0},
}


def standings(text: str) -> list[Standing]:
    sheets = sheets_from_record(GAME, 0, Exhibit())
    bounds = bind_parallel(find_claims(text), text, sheets, domain("sports"))
    return [bounds[at].standing for at in sorted(bounds)]


@pytest.mark.parametrize(
    "text",
    [
        "The Northern Lynx won 4-3.",
        "The game ended 3-4 in favor of the Lynx.",
        "The Otters scored 2 goals in the first period and 1 goal in the second period.",
        "The home team scored 3 goals in the third period.",
        "The second period ended 1-0 for the Otters.",
        "The score after the second period was 1-3.",
        "The third period ended with a score of 3-0 in favor of the Lynx.",
        "The Lynx scored one goal in the first period to secure a 4-3 victory.",
    ],
)
def test_what_the_game_bears_out(text: str) -> None:
    found = standings(text)
    assert found
    assert set(found) == {Standing.GROUNDED}


@pytest.mark.parametrize(
    "text",
    [
        "The River Otters won 4-3.",
        "The game ended 4-3 in favor of the Otters.",
        "The Lynx won the game 4-1.",
        "The away team scored 3 goals in the third period.",
        "The Lynx scored 2 goals in the first period.",
        "The first period ended 1-1.",
    ],
)
def test_what_belongs_to_another(text: str) -> None:
    assert Standing.CONTRADICTED in standings(text)


@pytest.mark.parametrize(
    "text", ["They took a 2-1 lead.", "Nobody scored 5 goals.", "Tickets cost 4-3 crowns."]
)
def test_what_the_record_cannot_tell(text: str) -> None:
    assert standings(text) == []


def test_without_a_lexicon_nobody_wins() -> None:
    text = "The River Otters won 4-3."
    sheets = sheets_from_record(GAME, 0, Exhibit())
    assert bind_parallel(find_claims(text), text, sheets, GENERAL) == {}
