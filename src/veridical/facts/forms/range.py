"""``range``: the smallest and the largest figure, with the rows that have them."""

from veridical.evidence.column import CellKind
from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, figure, key_of
from veridical.facts.forms.built import Frames, claim_of, counted, fact_of, plain_value
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel.arithmetic import computed
from veridical.facts.kernel.order import end_places, known_count
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.naming import names_in
from veridical.facts.population import population
from veridical.facts.scope import (
    measured,
    scoped,
)


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    scope, measures = in_groups(scoped(arguments, frames))
    found = measured(measures[0], scope)
    ends = end_places(found.vector)
    if ends is None:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    names = names_in(scope, [scope.rows[at] for at in ends])
    values = found.vector.at(ends[0]), found.vector.at(ends[1])
    keys = key_of(names[0]), key_of(names[1])
    # between two months lies no number of days
    timed = found.vector.kind is CellKind.PERIOD
    diff = None if timed else computed("-", values[1], values[0])
    parts = {
        "low": figure(values[0], row=keys[0]), "high": figure(values[1], row=keys[1]),
        "low_at": names[0], "high_at": names[1], "diff": figure(diff),
        "n": counted(known_count(found.vector)),
    }  # fmt: skip
    claim = claim_of(
        "range", scope, {"measure": measures[0].text},
        {"low": plain_value(values[0]), "high": plain_value(values[1]), "low_at": keys[0],
         "high_at": keys[1], "diff": plain_value(diff)},
        ("highest", "lowest", "more", "less"),
    )  # fmt: skip
    words = {**parts, "label": found.label, "population": population(scope, found.vector),
             "by": arguments.by}  # fmt: skip
    template = "range.plain" if diff is None else "range"
    return fact_of(scope, claim, template, words, parts, measures)
