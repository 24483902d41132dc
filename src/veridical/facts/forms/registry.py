"""Every form by its name."""

from collections.abc import Callable

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact
from veridical.facts.forms import (
    change,
    check,
    compare,
    listing,
    missing,
    ranking,
    share,
    value,
)
from veridical.facts.forms.built import Frames
from veridical.facts.kernel.value import FactError, Reason

Form = Callable[[Arguments, Frames], Fact]

FORMS: dict[str, Form] = {
    "value": value.value, "list": listing.state, "count": value.count, "which": listing.which,
    "total": value.total, "top": ranking.top, "bottom": ranking.bottom, "latest": ranking.top,
    "earliest": ranking.bottom, "rank": ranking.rank, "compare": compare.state,
    "share": share.state, "change": change.state, "range": ranking.ends, "check": check.state,
    "missing": missing.missing, "absent": missing.absent, "basis": missing.basis,
    "quote": missing.quote, "table": listing.table,
}  # fmt: skip


def evaluate(arguments: Arguments, frames: Frames) -> Fact:
    """The fact that the arguments ask for. Raises ``FactError``."""
    form = FORMS.get(arguments.say)
    if form is None:
        raise FactError(Reason.FORM, arguments.say, tuple(FORMS))
    return form(arguments, frames)
