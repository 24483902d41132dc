"""``range``: the smallest and the largest figure, with the rows that have them."""

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, figure, key_of
from veridical.facts.forms.built import Frames, claim_of, counted, fact_of, plain_value
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel.evaluate import computed
from veridical.facts.kernel.frame import order_of
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.population import population
from veridical.facts.scope import measured, names_in, scoped


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    before = scoped(arguments, frames)
    scope, measures = in_groups(before)
    found = measured(measures[0], scope)
    orders = [(order, at) for at, cell in enumerate(found.vector.values)
              if (order := order_of(cell)) is not None]  # fmt: skip
    if not orders:
        raise FactError(Reason.NO_VALUE, measures[0].text)
    low, high = min(orders), max(orders, key=lambda each: each[0])
    names = names_in(scope, [scope.rows[low[1]], scope.rows[high[1]]])
    values = found.vector.at(low[1]), found.vector.at(high[1])
    keys = key_of(names[0]), key_of(names[1])
    parts = {
        "low": figure(values[0], row=keys[0]), "high": figure(values[1], row=keys[1]),
        "low_at": names[0], "high_at": names[1], "n": counted(len(orders)),
        "diff": figure(computed("-", values[1], values[0])),
    }  # fmt: skip
    said = {"measure": measures[0].text, "by": list(arguments.by)}
    claim = claim_of(
        "range", before, said,
        {"low": plain_value(values[0]), "high": plain_value(values[1])},
        ("highest", "lowest", "more", "less"),
    )  # fmt: skip
    words = {**parts, "label": found.label, "population": population(scope, found.vector)}
    return fact_of(before, claim, "range", words, parts, measures)
