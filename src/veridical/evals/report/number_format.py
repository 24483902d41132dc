"""Formats numbers and outcomes for readers; an unknown value is a dash."""

from veridical.evals.comparison.statistics import Proportion
from veridical.evals.scoring.record import Outcome

UNKNOWN = "–"
MARKS = {Outcome.CORRECT: "✓", Outcome.REFUSED: "–", Outcome.WRONG: "✗"}
"""An outcome never shows by its colour alone."""
SIMULATED = (
    "A program that makes mistakes of known kinds answered here, and no language model: "
    "all figures are simulated."
)
_SMALLEST_P = 0.001


def percent(share: float | None) -> str:
    """``62.5 %``."""
    return UNKNOWN if share is None else f"{share * 100:.1f} %"


def with_interval(found: Proportion) -> str:
    """``62.5 % [51.0, 72.4]``."""
    if found.low is None or found.high is None:
        return UNKNOWN
    return f"{percent(found.share)} [{found.low * 100:.1f}, {found.high * 100:.1f}]"


def counted(found: Proportion) -> str:
    """``62.5 % of 40 [47.0, 75.8]``; of too few the count: ``3 of 5, too few [23.1, 88.2]``."""
    if found.low is None or found.high is None:
        return UNKNOWN
    interval = f"[{found.low * 100:.1f}, {found.high * 100:.1f}]"
    if found.rate is None:
        return f"{found.count} of {found.of}, too few {interval}"
    return f"{percent(found.rate)} of {found.of} {interval}"


def points(difference: float | None) -> str:
    """``+12.5`` or ``−3.0``."""
    if difference is None:
        return UNKNOWN
    return f"{difference * 100:+.1f}".replace("-", "−")


def points_with_interval(difference: float | None, low: float | None, high: float | None) -> str:
    """``+12.5 [+2.0, +23.0]``."""
    if difference is None:
        return UNKNOWN
    return f"{points(difference)} [{points(low)}, {points(high)}]"


def p_value(p: float | None) -> str:
    """``0.034``."""
    if p is None:
        return UNKNOWN
    return f"< {_SMALLEST_P}" if p < _SMALLEST_P else f"{p:.3f}"


def amount(value: float | None, decimals: int = 0) -> str:
    """``12,345``."""
    return UNKNOWN if value is None else f"{value:,.{decimals}f}"


def seconds(elapsed_ms: float | None) -> str:
    """``4.2 s``."""
    return UNKNOWN if elapsed_ms is None else f"{elapsed_ms / 1000:.1f} s"


def dollars(cost: float | None) -> str:
    """``$0.0420``."""
    return UNKNOWN if cost is None else f"${cost:.4f}"


def mean_and_spread(mean: float | None, spread: float | None) -> str:
    """``62.5 ± 3.1 %``."""
    if mean is None:
        return UNKNOWN
    return percent(mean) if spread is None else f"{mean * 100:.1f} ± {spread * 100:.1f} %"
