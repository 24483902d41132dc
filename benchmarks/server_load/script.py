"""What is asked: known questions by the thousand, and one for a scripted model that never waits."""

from calendar import monthrange
from collections.abc import Callable
from itertools import product
from typing import NamedTuple

from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from benchmarks.scripted_balances import (
    CLIENT,
    PACK,
    QUESTION,
    SUMMED,
    YEARS,
    amounts,
    replies,
    rows_of,
)
from veridical.answering.feature import Feature
from veridical.answering.session import Emit, Session
from veridical.contracts.caller import Caller
from veridical.contracts.question import Question
from veridical.runs.request import FrozenCaller, RunRequest
from veridical.sample.caller import sample_caller

_BOOKED_YEARS = range(2019, 2026)
_MONTHS = range(1, 12)
_ASSETS = (1000, 1020, 1021, 1022, 1100, 1101, 1102, 1170, 1200, 1300, 1400, 1500, 1510, 1520)
_CLAIMS = (2000, 2001, 2100, 2200, 2201, 2261, 2270, 2271, 2300, 2400, 2600, 2800, 2900, 2970)


class Known(NamedTuple):
    """A question that needs no model, and the values in it."""

    account: str
    year: int
    month: int

    @property
    def text(self) -> str:
        """The question in words."""
        _, day = monthrange(self.year, self.month)
        return f"Wie hoch war der Saldo von Konto {self.account} am {day}.{self.month}.{self.year}?"


def known_questions() -> list[Known]:
    """Each another one, so that nothing is gained by remembering answers."""
    asked = product(_BOOKED_YEARS, _MONTHS, _ASSETS + _CLAIMS)
    return [Known(str(account), year, month) for year, month, account in asked]


def run_request() -> RunRequest:
    """A question that takes the script four replies and three calls of tools."""
    return RunRequest(
        feature=PACK.name,
        question=Question(text=QUESTION, feature=PACK.name),
        caller=FrozenCaller.of(sample_caller(PACK, *CLIENT)),
    )


def sessions_at(feature: Feature) -> Callable[[str, Caller, Emit], Session]:
    """Everybody's session at this feature, with the script for a model."""
    model = FunctionModel(_speak, model_name="scripted")

    def session(name: str, caller: Caller, emit: Emit) -> Session:
        return Session(feature, caller, model, emit=emit, routed=False)

    return session


async def _speak(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    spoken = replies(messages)
    if spoken < len(YEARS):
        arguments = {**rows_of(YEARS[spoken]), **SUMMED}
        return ModelResponse([ToolCallPart("aggregateTable", arguments, f"call-{spoken}")])
    told = ", ".join(
        f"{amount:,.2f} at the end of {year}"
        for year, amount in zip(YEARS, amounts(messages), strict=True)
    )
    return ModelResponse([TextPart(f"The balance of account 1020 was {told}.")])
