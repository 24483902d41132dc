from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.packs.trustee.vat import VAT_CODES, Rate, VatCode, validity, vat_code


@pytest.mark.parametrize(
    ("rate", "before", "since"), [("standard", 77, 81), ("reduced", 25, 26), ("lodging", 37, 38)]
)
def test_rates_changed_in_2024(rate: Rate, before: int, since: int) -> None:
    assert vat_code("output", rate, 2023).permille == before
    assert vat_code("output", rate, 2024).permille == since


@given(st.integers(0, 10**10), st.sampled_from(VAT_CODES))
def test_tax_is_rounded_half_up_to_the_cent(net: int, code: VatCode) -> None:
    exact = Decimal(net) * code.permille / 1000
    assert code.tax(net) == exact.quantize(Decimal(1), ROUND_HALF_UP)


def test_codes_end_where_their_successors_begin() -> None:
    old, new = vat_code("input", "standard", 2023), vat_code("input", "standard", 2024)
    _, end = validity(old)
    start, open_end = validity(new)
    assert end is not None
    assert start - end == 86_400
    assert open_end is None
