"""``count``: how many rows meet a condition."""

from dataclasses import replace

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact
from veridical.facts.forms.built import Frames, claim_of, counted, fact_of, fraction
from veridical.facts.forms.listing import quantified
from veridical.facts.forms.total import state as total
from veridical.facts.population import population
from veridical.facts.scope import scoped


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    if arguments.by:
        return total(replace(arguments, measures=("count()",), agg="sum"), frames)
    scope = scoped(arguments, frames)
    n, of = len(scope.rows), len(scope.of)
    parts = {"n": counted(n), "value": counted(n), "of": counted(of), "share": fraction(n, of),
             "rest": counted(of - n)}  # fmt: skip
    claim = claim_of("count", scope, {}, {"n": n, "of": of}, *quantified(n, of))
    words = {"population": population(scope), "n": parts["n"], "of": parts["of"]}
    template = (
        "count.only"
        if scope.condition is None
        else ("count.none" if not n else "count.all" if n == of else "count.some")
    )
    return fact_of(scope, claim, template, words, parts, ())
