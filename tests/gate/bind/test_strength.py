"""The share of made-up figures that would pass, against sampling with the whole binder."""

from random import Random

import pytest

from veridical.contracts.proof import ClaimKind, Standing
from veridical.gate.bind.bind import bind_claims
from veridical.gate.bind.strength import figures_alike, share_of
from veridical.gate.claim import Reading
from veridical.gate.claims import find_claims
from veridical.gate.evidence.evidence import Evidence, prepare
from veridical.gate.evidence.exhibit import Exhibit

pytestmark = pytest.mark.slow

CHANCE = Random(11)
NAMES = tuple(f"{first}{second}" for first in ("Ahorn", "Buche", "Eiche") for second in "LMNOPQ")
TABLE = Exhibit(
    columns=("tree", "height", "price"),
    rows=tuple((name, CHANCE.randrange(100, 1000), CHANCE.randrange(100, 1000)) for name in NAMES),
)


def told(said: str, evidence: Evidence) -> float:
    bounds = bind_claims(find_claims(said), said, evidence)
    figure = next(each for each in bounds if each.coincidence is not None)
    assert figure.coincidence is not None
    return figure.coincidence


def sampled(template: str, evidence: Evidence) -> float:
    """The share of all figures from 100 to 999 that the binder grounds in this sentence."""
    grounded = 0
    for figure in range(100, 1000):
        said = template.format(figure)
        bounds = bind_claims(find_claims(said), said, evidence)
        grounded += any(
            each.standing is Standing.GROUNDED and each.claim.kind is not ClaimKind.NAME
            for each in bounds
            if str(figure) in each.claim.text
        )
    return grounded / 900


@pytest.mark.parametrize(
    ("template", "column"),
    [
        ("One of them is {}.", 1),
        ("The height is {}.", 1),
        (f"{NAMES[3]}: {{}}", 1),
        (f"The price of {NAMES[5]} is {{}}.", 2),
    ],
)
def test_the_share_is_that_of_sampled_figures(template: str, column: int) -> None:
    evidence = prepare([TABLE])
    row = next((at for at, name in enumerate(NAMES) if name in template), 0)
    true = template.format(TABLE.rows[row][column])
    assert told(true, evidence) == pytest.approx(sampled(template, evidence), abs=0.01)


def test_names_make_a_figure_stronger() -> None:
    evidence = prepare([TABLE])
    height = TABLE.rows[3][1]
    loose = told(f"One of them is {height}.", evidence)
    named = told(f"The height of {NAMES[3]} is {height}.", evidence)
    assert named < loose / 10


def test_figures_alike_have_the_same_power_of_ten_and_the_same_digits() -> None:
    assert figures_alike(Reading(437.0, 0.5)) == (100.0, 1000.0, 900)
    assert figures_alike(Reading(43.7, 0.05)) == (10.0, 100.0, 900)
    assert figures_alike(Reading(0.4, 0.05)) == (0.0, 1.0, 10)


def test_no_share_is_larger_than_one() -> None:
    assert share_of([float(at) for at in range(100)], Reading(5.0, 0.5)) == 1.0
