"""``rank``: the place of a row by a measure."""

from dataclasses import replace

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, figure, key_of
from veridical.facts.forms.built import (
    Frames,
    claim_of,
    counted,
    fact_of,
    plain_value,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel.order import known_count, standing
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.naming import names_in
from veridical.facts.population import population
from veridical.facts.scope import (
    measured,
    scoped,
)


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    scope, measures = in_groups(scoped(replace(arguments, rows=()), frames))
    found = measured(measures[0], scope)
    rows = scope.frame.find(arguments.rows[0], scope.rows) if arguments.rows else ()
    if len(rows) != 1:
        raise FactError(Reason.SEVERAL_ROWS if rows else Reason.NO_ROW, " ".join(arguments.rows))
    at = scope.rows.index(rows[0])
    value = found.vector.at(at)
    if value is None:
        raise FactError(Reason.NO_VALUE, arguments.rows[0])
    ascending = arguments.order.startswith("asc")
    ahead, same = standing(found.vector, at, ascending=ascending)
    of = known_count(found.vector)
    name = names_in(scope, rows)[0]
    rank = ahead + 1
    parts = {"row": name, "rank": counted(rank), "of": counted(of),
             "value": figure(value, row=key_of(name)), "ties": counted(same - 1)}  # fmt: skip
    inputs = {"measure": measures[0].text, "rows": list(arguments.rows[:1]),
              "order": "asc" if ascending else "desc"}  # fmt: skip
    shows: list[str] = []
    if rank == 1:
        shows.append("lowest" if ascending else "highest")
    if rank == of:
        shows.append("highest" if ascending else "lowest")
    values = {"rank": rank, "of": of, "row": key_of(name), "value": plain_value(value)}
    claim = claim_of("rank", scope, inputs, values, (*shows, "highest", "lowest"))
    words = {**parts, "label": found.label, "population": population(scope, found.vector),
             "by": arguments.by}  # fmt: skip
    template = ("rank.asc" if ascending else "rank.desc") + (".tied" if same > 1 else "")
    return fact_of(scope, claim, template, words, parts, measures)
