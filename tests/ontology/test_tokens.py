import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.ontology.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens_of_real_vocabularies"),
    [
        # counted with the two public byte-pair vocabularies of 100,000 and 200,000 pieces
        ("TrusteeDataAccountBalance", 5),
        ("closingBalance number measure", 4),
        ("Saldo nie über Perioden summieren: ein Jahr und einen Monat wählen.", 18),
        ("不得跨 periodYear 求和；每个须限定为一个值或按其分组", 25),
        ('{"field":"periodYear","op":"=","value":2025}', 15),
    ],
)
def test_never_below_what_a_model_counts(text: str, tokens_of_real_vocabularies: int) -> None:
    assert estimate_tokens(text) >= tokens_of_real_vocabularies


def test_a_chinese_character_costs_more_than_a_letter() -> None:
    assert estimate_tokens("余额" * 100) == 300
    assert estimate_tokens("ab" * 100) == 40


@given(st.text(max_size=200), st.text(max_size=200))
def test_lines_cost_no_more_together_than_apart(one: str, other: str) -> None:
    together = estimate_tokens(f"{one}\n{other}")
    assert together <= estimate_tokens(one) + 1 + estimate_tokens(other)
