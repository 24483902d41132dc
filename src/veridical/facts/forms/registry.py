"""Every form by its name."""

from collections.abc import Callable

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact
from veridical.facts.forms import (
    change,
    check,
    compare,
    count,
    listing,
    missing,
    range,
    rank,
    share,
    table,
    top,
    total,
    value,
)
from veridical.facts.forms.built import Frames
from veridical.facts.kernel.value import FactError, Reason

Form = Callable[[Arguments, Frames], Fact]

FORMS: dict[str, Form] = {
    "value": value.state, "list": listing.state, "count": count.state, "which": listing.which,
    "total": total.state, "top": top.top, "bottom": top.bottom, "latest": top.top,
    "earliest": top.bottom, "rank": rank.state, "compare": compare.state, "share": share.state,
    "change": change.state, "range": range.state, "check": check.state,
    "missing": missing.missing, "absent": missing.absent, "basis": missing.basis,
    "quote": missing.quote, "table": table.state,
}  # fmt: skip


def evaluate(arguments: Arguments, frames: Frames) -> Fact:
    """The fact that the arguments ask for. Raises ``FactError``."""
    form = FORMS.get(arguments.say)
    if form is None:
        raise FactError(Reason.FORM, arguments.say, tuple(FORMS))
    return form(arguments, frames)
