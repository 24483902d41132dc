"""Age of evidence: the limit of each mode, and the points that age costs."""

from datetime import datetime, timedelta

from veridical.contracts.search_context import FreshnessMode
from veridical.search.score.settings import ScoreSettings

_DAYS_IN_A_MONTH = 365.25 / 12
_DAY = timedelta(days=1)


def oldest(mode: FreshnessMode, now: datetime, settings: ScoreSettings) -> datetime | None:
    """The oldest date that counts as fresh; none where any age does."""
    match mode:
        case FreshnessMode.STANDARD:
            return now - timedelta(days=settings.default_freshness_days)
        case FreshnessMode.SOFTWARE_DOCS_STRICT:
            return now - timedelta(days=settings.software_freshness_days)
        case FreshnessMode.LAW_EVERGREEN:
            return None


def months_old(date: datetime, now: datetime) -> int:
    """The age to the nearest month; what lies ahead is new."""
    return max(0, round((now - date) / _DAY / _DAYS_IN_A_MONTH))


def penalty_points(
    date: datetime | None, mode: FreshnessMode, now: datetime, settings: ScoreSettings
) -> float:
    """The points off for age: none without a date, and none for what does not age."""
    if date is None or mode is FreshnessMode.LAW_EVERGREEN:
        return 0.0
    return months_old(date, now) * settings.freshness_penalty_per_month
