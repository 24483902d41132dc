"""The scoring context: what evidence is searched for, and which sources count."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from veridical.contracts.wire import Wire

META_KEY = "scoring_context"
TOO_FEW_BUCKETS = "min_diversity_buckets must be at least 1"
DEFAULT_BUCKETS = 3


class FreshnessMode(StrEnum):
    """The age that evidence may have."""

    STANDARD = "standard"
    """a year"""
    SOFTWARE_DOCS_STRICT = "software_docs_strict"
    """three years"""
    LAW_EVERGREEN = "law_evergreen"
    """any age: a norm is valid until it is repealed"""


def _at_least_one(given: int) -> int:
    if given < 1:
        raise PydanticCustomError("min_diversity_buckets", TOO_FEW_BUCKETS)
    return given


class ScoringContext(Wire):
    """The question evidence is scored for, with the limits on sources, age and version."""

    question: str = Field(min_length=1)
    purpose: str = ""
    jurisdiction: str | None = None
    """Such as ``DE`` or ``CH-ZH``."""
    output_target: str = ""
    preferred_sources: tuple[str, ...] = ()
    """Hosts, or the beginnings of addresses: ``example.org``, ``intranet://legal``."""
    disallowed_sources: tuple[str, ...] = ()
    collection_scope: str | None = None
    version_target: str | None = None
    freshness_mode: FreshnessMode = FreshnessMode.STANDARD
    min_diversity_buckets: Annotated[int, AfterValidator(_at_least_one)] = DEFAULT_BUCKETS
    """The number of kinds of source in a selection; the setting of that name where left out."""

    def buckets(self, default: int) -> int:
        """The number in the request, or the default."""
        is_set = "min_diversity_buckets" in self.model_fields_set
        return self.min_diversity_buckets if is_set else default


def from_json_text(given: Any) -> Any:
    """The object that a JSON text is of; anything else as it is."""
    if not isinstance(given, str | bytes):
        return given
    try:
        return json.loads(given)
    except ValueError:
        return given


def context_in(meta: Mapping[str, Any]) -> Any:
    """The context as the metadata carries it; none where it carries none."""
    return meta.get(META_KEY, meta.get("scoringContext"))


def scoring_context(meta: Mapping[str, Any]) -> ScoringContext | None:
    """The context that a tool's metadata carries, as an object or as its JSON text.

    Raises ``ValidationError``.
    """
    given = context_in(meta)
    if given is None or isinstance(given, ScoringContext):
        return given
    if isinstance(given, str | bytes):
        return ScoringContext.model_validate_json(given)
    return ScoringContext.model_validate(given)


def as_meta(context: ScoringContext) -> dict[str, Any]:
    """The metadata that carries this context, under the names of the contract."""
    return {META_KEY: json.loads(context.model_dump_json())}
