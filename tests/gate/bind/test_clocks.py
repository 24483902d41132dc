import pytest

from veridical import gate
from veridical.contracts.proof import Verdict

FLIGHT = {"flights": [{"departs": "14:00:00", "arrives": "16:30:00", "date": "2024-05-10"}]}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("It departs at 14:00 and arrives at 4:30 PM on May 10th.", Verdict.PASS),
        ("It departs at 2:00 PM on 10 May.", Verdict.PASS),
        ("It departs at 02:00 PM EST and arrives at 04:30 p.m. EST.", Verdict.PASS),
        ("It departs at 14:05.", Verdict.BLOCK),
        ("It departs at 2:00 AM.", Verdict.BLOCK),
        ("It departs on May 11th.", Verdict.BLOCK),
    ],
)
def test_times_of_day_and_days_without_a_year(answer: str, verdict: Verdict) -> None:
    assert gate.check(answer, FLIGHT, policy="wordings").verdict is verdict


def test_a_text_vouches_for_its_times() -> None:
    assert (
        gate.check(
            "Closed from 12:30.", "We are closed from 12:30 to 13:30.", policy="wordings"
        ).verdict
        == "pass"
    )
