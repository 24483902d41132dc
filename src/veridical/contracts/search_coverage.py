"""Coverage dimensions: the nine facets evidence is measured by, and a tenant's own beside them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator
from pydantic_core import PydanticCustomError

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
