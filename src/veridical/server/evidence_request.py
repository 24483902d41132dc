"""Requests for evidence, and how one that collects it stands."""

from typing import Annotated, Any, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from veridical.contracts.person import Hitl
from veridical.contracts.search_candidate import ScoreRequest
from veridical.contracts.search_collect import CollectOutcome
from veridical.contracts.step import Json
from veridical.contracts.wire import Wire
from veridical.runs.state import RunStatus
from veridical.server.body_types import FEATURE, LONGEST_TEXT, PlainJson

_MOST_RESULTS = 200
_LONGEST_PLACE = 60
_PLAIN = TypeAdapter[Json](PlainJson)


class SearchRequest(ScoreRequest):
    """A search in the data of one feature. The tenant is the credential's."""

    feature: Annotated[str, Field(pattern=FEATURE)]
    collection: Annotated[str | None, Field(max_length=200)] = None
    """One collection of the feature; without one, that of the context, else all."""

    def as_request(self) -> ScoreRequest:
        """The request without where it is about."""
        return ScoreRequest(data=self.data, control=self.control, meta=self.meta)

    @model_validator(mode="before")
    @classmethod
    def _is_plain(cls, given: Any) -> Any:
        return _PLAIN.validate_python(given) if isinstance(given, dict) else given

    @model_validator(mode="after")
    def _can_be_searched(self) -> Self:
        if len(self.data.results) > _MOST_RESULTS:
            raise PydanticCustomError(
                "results", "at most {most} results are scored", {"most": _MOST_RESULTS}
            )
        try:
            question = self.context.question
        except ValidationError as error:
            fault = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, fault["loc"]))[:_LONGEST_PLACE]
            raise PydanticCustomError(
                "scoring_context", "{place}: {reason}", {"place": place, "reason": fault["msg"]}
            ) from error
        if len(question) > LONGEST_TEXT:
            raise PydanticCustomError(
                "question", "a question has at most {most} characters", {"most": LONGEST_TEXT}
            )
        return self


class CollectRequest(SearchRequest):
    """A search whose approved results are stored in the collection."""

    collection: Annotated[str, Field(min_length=1, max_length=200)]  # pyright: ignore[reportGeneralTypeIssues,reportIncompatibleVariableOverride]
    """Takes in what is approved: a collection of the feature."""


class CollectState(Wire):
    """How a run that collects evidence stands."""

    run_id: str
    status: RunStatus
    waiting_for: str | None = None
    """The inbox item with the selection, while nobody has decided."""
    text: str = ""
    hitl: Hitl | None = None
    collect: CollectOutcome | None = None
    """The ranking, the decision, and what the store has of it now."""
