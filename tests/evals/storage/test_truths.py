import datetime as dt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from veridical.evals.gold.oracle import CaseTruth, Truth
from veridical.evals.storage.folder import read_truths, write_truths
from veridical.ontology.errors import LoadError

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.dates(),
    st.datetimes(),
)


@settings(deadline=None, max_examples=examples(40))
@given(st.lists(st.tuples(VALUES, VALUES)))
def test_truths_come_back_with_their_types(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[object, object]]
) -> None:
    path = tmp_path_factory.mktemp("truths") / "truths.json"
    truths = {"a": CaseTruth(Truth(("x", "y"), tuple(rows)), Truth())}
    write_truths(path, truths)
    found = read_truths(path)
    assert found == truths
    types = [[type(value) for value in row] for row in found["a"].truth.rows]
    assert types == [[type(value) for value in row] for row in rows]


def test_a_type_that_would_not_come_back_is_refused(tmp_path: Path) -> None:
    odd = {"a": CaseTruth(Truth(("x",), ((dt.timedelta(1),),)))}
    with pytest.raises(LoadError, match="timedelta"):
        write_truths(tmp_path / "truths.json", odd)
    with pytest.raises(LoadError, match="no truths"):
        read_truths(tmp_path / "none.json")
