from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.contracts.language import Language
from veridical.route.request_text import request_text
from veridical.route.sums import may_be_sum, plain_sum

CASES = Path(__file__).parent / "sums"


def cases(name: str) -> list[list[str]]:
    lines = (CASES / name).read_text("utf-8").splitlines()
    return [line.split(" | ") for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize(("language", "text", "result"), cases("must_accept.txt"))
def test_it_is_computed(language: str, text: str, result: str) -> None:
    assert may_be_sum(request_text(text))
    done = plain_sum(text, Language(language))
    assert done is not None
    assert done[1].value == Decimal(result)


@pytest.mark.parametrize(("language", "text"), cases("must_reject.txt"))
def test_it_is_left_alone(language: str, text: str) -> None:
    assert plain_sum(text, Language(language)) is None


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.sampled_from(["+", "plus", "加"]))
def test_sums_are_exact(left: int, right: int, sign: str) -> None:
    done = plain_sum(f"what is {left} {sign} {right}?", Language.EN)
    assert done is not None
    assert done[1].value == left + right


@given(st.text(alphabet="0123456789.,+-*/%=? xand", max_size=120))
def test_nothing_is_raised(text: str) -> None:
    done = plain_sum(text, Language.DE)
    assert done is None or done[1].value.is_finite()
