"""What holds for every table: found where it stands, never found elsewhere, whatever the order."""

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.contracts.proof import ClaimKind, Ground, Standing
from veridical.gate.bind.bind import bind_claims
from veridical.gate.bind.cells import find_cells, windows
from veridical.gate.claim import Claim, Reading
from veridical.gate.claims import find_claims
from veridical.gate.evidence.evidence import prepare
from veridical.gate.evidence.exhibit import Exhibit

NAMES = ("Alder", "Birke", "Cedar", "Douglas", "Esche", "Fichte")
figures = st.decimals(
    min_value=1000, max_value=9_999_999, places=2, allow_nan=False, allow_infinity=False
).map(float)
tables = st.lists(
    st.tuples(figures, figures), min_size=1, max_size=len(NAMES), unique_by=(lambda r: r[0])
)


def swiss(value: float) -> str:
    return f"{value:,.2f}".replace(",", "'")


def german(value: float) -> str:
    return f"{value:,.2f}".translate(str.maketrans(",.", ".,"))


def english(value: float) -> str:
    return f"{value:,.2f}"


def spaced(value: float) -> str:
    return f"{value:,.2f}".replace(",", " ").replace(".", ",")


def table_of(rows: list[tuple[float, float]]) -> Exhibit:
    named = tuple((name, *row) for name, row in zip(NAMES, rows, strict=False))
    return Exhibit(columns=("tree", "height", "price"), rows=named)


@given(tables, st.sampled_from((swiss, german, english, spaced)), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_every_cell_is_found_where_it_stands(rows, written, data) -> None:  # pyright: ignore
    at = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.sampled_from((1, 2)))
    evidence = prepare([table_of(rows)])
    what, value = ("height", "price")[column - 1], rows[at][column - 1]
    said = f"{NAMES[at]} has a {what} of {written(value)}."
    bounds = bind_claims(find_claims(said), said, evidence)
    found = [each for each in bounds if each.claim.readings and each.value is not None]
    assert [each.standing for each in found] == [Standing.GROUNDED]
    assert found[0].ground is Ground.CELL
    place = found[0].place
    assert place is not None
    assert evidence.cell(place) == value
    assert (place.row, place.column) == (at, column)


@example([(1000.0, 9999994.37)], 9999994.38, 0.005)
@given(tables, figures, st.sampled_from((0.005, 0.5, 50.0)))
@settings(max_examples=examples(80), deadline=None)
def test_a_value_outside_every_tolerance_is_never_found(rows, value, half_step) -> None:  # pyright: ignore
    cells = [cell for row in rows for cell in row]
    assume(all(abs(cell - value) > half_step * 1.0001 for cell in cells))
    reading = Reading(value, half_step)
    claim = Claim(ClaimKind.NUMBER, "", 0, 1, readings=(reading,))
    evidence = prepare([table_of(rows)])
    assert not find_cells(claim, evidence, evidence.figures, lambda: False).hits
    assert all(not each.low <= cell <= each.high for each in windows(claim) for cell in cells)


@given(tables, st.randoms(use_true_random=False), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_the_order_of_rows_changes_no_standing(rows, chance, data) -> None:  # pyright: ignore
    said_of = data.draw(st.permutations(range(len(rows))))
    said = ", ".join(
        f"{name}: {english(rows[other][0])}" for name, other in zip(NAMES, said_of, strict=False)
    )
    table = table_of(rows)
    mixed = list(table.rows)
    chance.shuffle(mixed)
    shuffled = Exhibit(columns=table.columns, rows=tuple(mixed))
    claims = find_claims(said)
    one = [each.standing for each in bind_claims(claims, said, prepare([table]))]
    other = [each.standing for each in bind_claims(claims, said, prepare([shuffled]))]
    assert one == other
