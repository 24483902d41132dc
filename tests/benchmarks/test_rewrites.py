"""The benchmark of rewrites: none of them invents, and its judge sees what would."""

import asyncio

import pytest

from benchmarks.requirements.adversary import LIES
from benchmarks.requirements.rewrites import judged, measure

TEXTS = (
    "The belt shall stop within 2 s when the clerk scans a label.",
    "If the door is open, the belt shall not move for 15 min.",
    "The lamp shall blink 4 times so that the driver notices it.",
    "The export shall support PDF etc.",
    "Wenn der Wagen fährt, darf die Tür nicht öffnen, auch nach 9 s nicht.",
    "Das Gerät muss nach 40 s abschalten, falls niemand tippt.",
    "Die App muss schnell sein.",
    "As a nurse, I want to see alarms so that no patient waits.",
    "Die Tür darf nur öffnen, wenn der Alarm aus ist.",
)


def test_templates_and_lies_invent_nothing() -> None:
    found = asyncio.run(measure(list(TEXTS))).figures()
    assert found["rewrites"] == len(TEXTS) * (2 + len(LIES))
    assert found["invented"] == 0
    refused = {name: each["refused"] for name, each in found["by_source"].items()}
    assert all(refused[f"lie_{name}"] for name in LIES if name != "other_number")


SOURCE = "If the door is open, the belt shall not move within 2 s."
GOOD = (
    "As a [role?], I want that the belt shall not move within 2 s so that [benefit?].\n"
    "Given the door is open, then the belt shall not move within 2 s."
)


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("2 s", "3 s"),
        ("[role?]", "pilot"),
        ("the door is open", "the moon is full"),
        ("shall not", "shall"),
        ("[benefit?]", "profitdoubling"),
        ("within 2 s", "soon"),
    ],
)
def test_judge_sees_what_is_invented_or_lost(said: str, instead: str) -> None:
    assert judged(GOOD, SOURCE, ()) == []
    assert judged(GOOD.replace(said, instead), SOURCE, ())
