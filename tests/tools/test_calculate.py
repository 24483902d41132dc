import pytest

from veridical.contracts.language import Language
from veridical.tools.calculate import calculate


def test_a_result_has_its_inputs_and_a_receipt() -> None:
    result = calculate({"expression": "round(1234.50 * 8.1%, 2)"}, Language.EN)
    assert result.success
    assert result.data == {
        "expression": "round(1234.50 * 8.1%, 2)",
        "result": "99.99",
        "exact": True,
        "inputs": ["1234.50", "8.1", "2"],
    }
    assert result.receipt is not None
    assert result.receipt.sql == "round(1234.50 * 8.1%, 2) = 99.99 [1234.50, 8.1, 2]"
    assert len(result.receipt.query_hash) == 64


def test_each_call_has_its_own_id() -> None:
    first, second = (calculate({"expression": "1+1"}, Language.EN).receipt for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.call_id != second.call_id
    assert first.query_hash == second.query_hash


@pytest.mark.parametrize(
    ("expression", "code", "suggestion"),
    [
        ("summ(1, 2)", "FUNCTION_NOT_ALLOWED", "sum"),
        ("1 / 0", "OPERATOR_INCOMPATIBLE", None),
        ("9 ^ 9 ^ 9", "TOO_COMPLEX", None),
        ("price * 2", "SYNTAX_ERROR", None),
    ],
)
@pytest.mark.parametrize("language", list(Language))
def test_a_refusal_says_what_to_change(
    expression: str, code: str, suggestion: str | None, language: Language
) -> None:
    result = calculate({"expression": expression}, language)
    assert not result.success
    assert result.receipt is None
    details = result.error_details
    assert details is not None
    assert details["code"] == code
    assert details["suggestion"] == suggestion
    assert 0 < len(details["hint"]) <= 80
    assert result.error == f"{code}: {details['hint']}"
