from typing import Any

from veridical.contracts.language import Language
from veridical.contracts.result import ToolResult
from veridical.contracts.tool import Arguments
from veridical.tools.calculate import calculate
from veridical.tools.repeat import RepeatGuard


def guard(patience: int = 2) -> tuple[RepeatGuard, list[Arguments]]:
    made: list[Arguments] = []

    def call(name: str, arguments: Arguments, question: str) -> ToolResult:
        assert (name, question) == ("calculate", "")
        made.append(arguments)
        return calculate(arguments, Language.EN)

    return RepeatGuard(call, patience=patience), made


def test_an_identical_call_is_made_once_and_then_refused() -> None:
    watched, made = guard()
    results = [watched.call("calculate", {"expression": "1 + 1"}) for _ in range(4)]
    assert [result.success for result in results] == [True, False, False, False]
    assert len(made) == 1
    told: list[Any] = [result.error_details for result in results[1:]]
    assert [each["code"] for each in told] == ["REPEATED_CALL"] * 3
    assert [each["stop"] for each in told] == [False, True, True]
    assert all(len(each["hint"]) <= 80 for each in told)


def test_order_and_form_of_the_arguments_make_no_difference() -> None:
    watched, made = guard()
    watched.call("calculate", {"expression": "1", "x": 2})
    assert not watched.call("calculate", {"x": 2, "expression": "1"}).success
    again = watched.call("calculate", '{"x": 2, "expression": "1"}').error_details
    assert again is not None
    assert again["stop"]
    assert len(made) == 1


def test_another_call_is_another_matter() -> None:
    watched, made = guard()
    for expression in ("1", "2", "3"):
        assert watched.call("calculate", {"expression": expression}).success
    assert len(made) == 3
