"""Search candidates: what a retrieval found, with its rank in each leg, before it is scored."""

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, Field, Tag
from pydantic_core import PydanticCustomError

from veridical.contracts.search_context import ScoringContext, scoring_context
from veridical.contracts.wire import Wire

INVALID_DIMENSION = "invalid coverage dimension"
INVALID_COVERAGE = "coverage scores must be between 0 and 1"
INVALID_CUSTOM_SCORE = "custom facet scores must be numeric"
CUSTOM_PREFIX = "CUSTOM_"


class CoverageDimension(StrEnum):
    """A subject that evidence can cover."""

    LEGAL = "LEGAL"
    TECHNICAL = "TECHNICAL"
    PROCEDURAL = "PROCEDURAL"
    DATA_CATEGORIES = "DATA_CATEGORIES"
    MONITORING_SURVEILLANCE = "MONITORING_SURVEILLANCE"
    LOGGING_AUDIT = "LOGGING_AUDIT"
    ANALYTICS_REPORTING = "ANALYTICS_REPORTING"
    ACCESS_PRIVACY_SECURITY = "ACCESS_PRIVACY_SECURITY"
    API_INTEGRATION = "API_INTEGRATION"


_DIMENSIONS = frozenset(CoverageDimension)


def _known_dimensions(given: Any) -> Any:
    if isinstance(given, Mapping) and any(key not in _DIMENSIONS for key in given):
        raise PydanticCustomError("coverage_dimension", INVALID_DIMENSION)
    return given


def _shares(given: dict[CoverageDimension, float]) -> dict[CoverageDimension, float]:
    if not all(0 <= value <= 1 for value in given.values()):
        raise PydanticCustomError("coverage_score", INVALID_COVERAGE)
    return given


def _custom_facets(given: Any) -> Any:
    """Every key with the prefix, every value a share: ``reporting`` is ``CUSTOM_REPORTING``."""
    if not isinstance(given, Mapping):
        return given
    if not all(is_share(value) for value in given.values()):
        raise PydanticCustomError("custom_facet_score", INVALID_CUSTOM_SCORE)
    return {_custom_key(str(key)): value for key, value in given.items()}


def is_share(value: object) -> bool:
    """True if this is a number from 0 to 1; a truth value is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _custom_key(key: str) -> str:
    upper = key.strip().upper()
    return upper if upper.startswith(CUSTOM_PREFIX) else CUSTOM_PREFIX + upper


FacetCoverage = Annotated[
    dict[CoverageDimension, float], BeforeValidator(_known_dimensions), AfterValidator(_shares)
]
"""The covered share of each dimension, 0 to 1; a missing dimension is not covered."""

CustomFacets = Annotated[dict[str, float], BeforeValidator(_custom_facets)]
"""A tenant's own facets, 0 to 1, under names that begin with ``CUSTOM_``."""


NAIVE_DATE = "detected_date must have a timezone offset, such as 2024-06-01T09:00:00+02:00 or Z"


def _in_utc(given: datetime) -> datetime:
    if given.tzinfo is None or given.utcoffset() is None:
        raise PydanticCustomError("detected_date", NAIVE_DATE)
    return given.astimezone(UTC)


class LegRank(Wire):
    """A candidate's place in one leg of the retrieval."""

    rank: int = Field(ge=1)
    score: float | None = None
    """The leg's own score, which only that leg can compare."""


HYBRID = "hybrid"
"""The leg that words and vectors make together, where it is known what each weighs."""
HYBRID_OF = frozenset({"lexical", "vector"})
"""The legs that it is made of."""


class HybridPart(Wire):
    """The share of one leg in a candidate's score in the leg ``hybrid``."""

    weight: float
    """Of the leg; those of all legs add up to 1."""
    standard: float
    """The leg's score in deviations from the mean of its hits; where it did not find the candidate,
    the lowest of them."""
    rank: int | None = None
    """In the leg; none where it did not find the candidate."""
    score: float | None = None


class SearchCandidate(Wire):
    """A piece of evidence that may be used for an answer."""

    id: str = Field(min_length=1)
    title: str = ""
    snippet: str = ""
    url: str = ""
    """Any address: ``https://…``, ``intranet://legal/…``."""
    domain_type: str | None = None
    """The kind of source, such as ``government``; derived from the address where not given."""
    detected_date: Annotated[datetime, AfterValidator(_in_utc)] | None = None
    """When the text was published or last changed, with an offset; UTC inside, ``Z`` outside."""
    version: str | None = None
    jurisdiction: str | None = None
    collection: str | None = None
    policy_priority: float = Field(default=0.0, ge=0, le=1)
    """The favour of a policy for this source."""
    facet_coverage: FacetCoverage = Field(default_factory=dict)
    """Empty where it is not known: then it is estimated."""
    content_hash: str | None = None
    """Of the whole text, where the snippet is a part of it."""
    stored: bool = False
    """True if the store has it already."""
    legs: dict[str, LegRank] = Field(default_factory=dict[str, LegRank])
    """By the leg's name, such as ``lexical`` and ``vector``. Where there is one named ``hybrid``,
    these two are part of it and count no more."""
    hybrid: dict[str, HybridPart] = Field(default_factory=dict[str, HybridPart])
    """By leg, what its score in the leg ``hybrid`` is the sum of."""

    @cached_property
    def fingerprint(self) -> str:
        """Changes when the content does."""
        if self.content_hash:
            return self.content_hash
        text = "\0".join((self.url, self.title, self.snippet))
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class ScoreResultInput(Wire):
    """The older form of a candidate: no date, no legs. What else a client sends is not read."""

    model_config = ConfigDict(extra="ignore")

    id: str = Field(min_length=1)
    title: str = ""
    snippet: str = ""
    url: str = ""

    @property
    def candidate(self) -> SearchCandidate:
        """The same in the form that is scored."""
        return SearchCandidate(id=self.id, title=self.title, snippet=self.snippet, url=self.url)


_NEW_FIELDS = {
    spelling
    for name, field in SearchCandidate.model_fields.items()
    if name not in ScoreResultInput.model_fields
    for spelling in (name, field.alias)
}


def _form(given: Any) -> str:
    """An older client's extra fields don't count, a new field does: it must be right then."""
    if isinstance(given, ScoreResultInput):
        return "older"
    if isinstance(given, Mapping) and not _NEW_FIELDS & given.keys():
        return "older"
    return "candidate"


AnyResult = Annotated[
    Annotated[SearchCandidate, Tag("candidate")] | Annotated[ScoreResultInput, Tag("older")],
    Discriminator(_form),
]


class ScoreResultsData(Wire):
    """The results that are to be scored, in either form."""

    query: str = ""
    results: tuple[AnyResult, ...] = ()

    @property
    def candidates(self) -> tuple[SearchCandidate, ...]:
        """All of them as candidates."""
        return tuple(
            each.candidate if isinstance(each, ScoreResultInput) else each for each in self.results
        )


class NameStyle(StrEnum):
    """How the names of a response are written; requests are read either way."""

    CAMEL = "camelCase"
    SNAKE = "snake_case"


class ScoreControl(Wire):
    """Settings for one request."""

    max_tokens: int | None = Field(default=None, ge=1)
    """For each request to the model that scores."""
    names: NameStyle = NameStyle.CAMEL
    """How the response writes its names."""


class ScoreRequest(Wire):
    """A request to score results. The context travels in ``meta``, as tools carry theirs."""

    data: ScoreResultsData
    control: ScoreControl = ScoreControl()
    meta: dict[str, Any] = Field(default_factory=dict[str, Any])

    @property
    def context(self) -> ScoringContext:
        """The context of the scoring; the query alone without one. Raises ``ValidationError``."""
        return scoring_context(self.meta) or ScoringContext(question=self.data.query)
