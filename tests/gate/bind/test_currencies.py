"""A price in several currencies within one text is no slip of the pen."""

from veridical.contracts.proof import Standing, Verdict
from veridical.contracts.result import TimeRange
from veridical.gate import check
from veridical.gate.evidence.exhibit import Calculation, Exhibit


def test_a_text_that_tells_several_currencies() -> None:
    record = {"model": "Roamer", "specs": [{"name": "Price", "value": "€ 274.55 / $ 349.99"}] * 2}
    proof = check(
        "The Roamer costs €274.55 or $349.99.", (Exhibit(record=record),), policy="wordings"
    )
    amounts = [claim for claim in proof.claims if "." in claim.text]
    assert [claim.standing for claim in amounts] == [Standing.GROUNDED] * 2


CONVERTED = (
    Exhibit(columns=("account", "balance", "currency"), rows=(("1022", 21_243.93, "EUR"),)),
    Exhibit(columns=("currency", "rate"), rows=(("EUR", 0.9961),)),
    Exhibit(calculation=Calculation("21243.93 * 0.9961", 21_161.078673, (21_243.93, 0.9961))),
)


def test_a_conversion_leaves_its_currency() -> None:
    told = "EUR 21,243.93 at 0.9961 are {} 21,161.08."
    asked = "What is the EUR account worth in CHF?"
    right = check(told.format("CHF"), CONVERTED, question=asked, policy="wordings")
    wrong = check(told.format("EUR"), CONVERTED, question=asked, policy="wordings")
    assert (right.verdict, wrong.verdict) == (Verdict.PASS, Verdict.BLOCK)


def test_what_is_added_up_keeps_its_currency() -> None:
    rows = [{"account": "1170", "debit": 887.70}, {"account": "1171", "debit": 5863.95}]
    told = "Account 1170: CHF 887.70, account 1171: CHF 5,863.95, together {} 6,751.65."
    assert check(told.format("CHF"), rows, policy="wordings").verdict is Verdict.PASS
    assert check(told.format("USD"), rows, policy="wordings").verdict is Verdict.BLOCK


def test_a_heading_names_a_time_that_was_asked_for() -> None:
    ranged = Exhibit(
        columns=("customer", "amount"),
        rows=(("Rüegg AG", 5120.4), ("Sonnenhof GmbH", 3310.0)),
        time_range=(TimeRange(field="day", start="2023-01-01", end="2023-12-31"),),
    )
    told = "**Top customers {}**\n- Rüegg AG: 5,120.40\n- Sonnenhof GmbH: 3,310.00"
    assert check(told.format(2023), (ranged,), policy="wordings").verdict is Verdict.PASS
    assert check(told.format(2025), (ranged,), policy="wordings").verdict is Verdict.BLOCK
