import pytest
from hypothesis import given
from hypothesis import strategies as some

from veridical.agent.refusals import call_identity, refused_repeat
from veridical.contracts.language import Language
from veridical.messages import message

ARGUMENTS = some.dictionaries(some.text(max_size=4), some.integers() | some.text(max_size=4))


@given(ARGUMENTS)
def test_the_order_of_arguments_makes_no_other_call(arguments: dict[str, int | str]) -> None:
    turned = dict(reversed(arguments.items()))
    assert call_identity("t", arguments) == call_identity("t", turned)


@given(ARGUMENTS, ARGUMENTS)
def test_other_arguments_are_another_call(
    one: dict[str, int | str], other: dict[str, int | str]
) -> None:
    assert (call_identity("t", one) == call_identity("t", other)) == (one == other)


def test_the_third_time_says_stop() -> None:
    assert refused_repeat("x", ["y", "z"], Language.DE) is None
    stops = [refused_repeat("x", ["x"] * times, Language.DE) for times in (1, 2, 3)]
    assert [each and (each.error_details or {})["stop"] for each in stops] == [False, True, True]


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("name", ["answer_too_early", "no_answer_text", "then_answer"])
def test_hints_are_short(name: str, language: Language) -> None:
    assert len(message(f"agent.{name}", language)) <= 80
