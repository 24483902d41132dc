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
    tied,
)
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel.frame import orders_of
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.population import population
from veridical.facts.scope import measured, names_in, scoped


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    scope, measures = in_groups(scoped(replace(arguments, rows=()), frames))
    found = measured(measures[0], scope)
    rows = scope.frame.find(arguments.rows[0], scope.rows) if arguments.rows else ()
    if len(rows) != 1:
        raise FactError(Reason.SEVERAL_ROWS if rows else Reason.NO_ROW, " ".join(arguments.rows))
    orders = orders_of(found.vector)
    at = scope.rows.index(rows[0])
    mine = orders[at]
    if mine is None:
        raise FactError(Reason.NO_VALUE, arguments.rows[0])
    ascending = arguments.order.startswith("asc")
    own = found.vector.values[at]
    others = [(order, cell) for order, cell in zip(orders, found.vector.values, strict=True)
              if order is not None]  # fmt: skip
    same = sum(tied(cell, own) for _, cell in others)
    ahead = sum((order < mine if ascending else order > mine) and not tied(cell, own)
                for order, cell in others)  # fmt: skip
    name = names_in(scope, rows)[0]
    value = found.vector.at(at)
    rank = ahead + 1
    parts = {"row": name, "rank": counted(rank), "of": counted(len(others)),
             "value": figure(value, row=key_of(name)), "ties": counted(same - 1)}  # fmt: skip
    said = {"measure": measures[0].text, "rows": list(arguments.rows[:1]),
            "order": "asc" if ascending else "desc"}  # fmt: skip
    shows: list[str] = []
    if rank == 1:
        shows.append("lowest" if ascending else "highest")
    if rank == len(others):
        shows.append("highest" if ascending else "lowest")
    values = {"rank": rank, "of": len(others), "row": key_of(name), "value": plain_value(value)}
    claim = claim_of("rank", scope, said, values, (*shows, "highest", "lowest"))
    words = {**parts, "label": found.label, "population": population(scope, found.vector),
             "by": arguments.by}  # fmt: skip
    template = ("rank.asc" if ascending else "rank.desc") + (".tied" if same > 1 else "")
    return fact_of(scope, claim, template, words, parts, measures)
