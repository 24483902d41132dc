"""``rank``: the place of a row by a measure."""

from dataclasses import replace

from veridical.facts.arguments import Arguments
from veridical.facts.fact import Fact, figure, key_of
from veridical.facts.forms.built import Frames, claim_of, counted, fact_of, plain_value
from veridical.facts.forms.groups import in_groups
from veridical.facts.kernel.frame import order_of
from veridical.facts.kernel.value import FactError, Reason
from veridical.facts.population import population
from veridical.facts.scope import measured, names_in, scoped


def state(arguments: Arguments, frames: Frames) -> Fact:
    """The fact. Raises ``FactError``."""
    whole = scoped(replace(arguments, rows=()), frames)
    scope, measures = in_groups(whole)
    found = measured(measures[0], scope)
    rows = scope.frame.find(arguments.rows[0], scope.rows) if arguments.rows else ()
    if len(rows) != 1:
        raise FactError(Reason.SEVERAL_ROWS if rows else Reason.NO_ROW, " ".join(arguments.rows))
    orders = {row: order_of(cell) for row, cell in zip(scope.rows, found.vector.values,
                                                      strict=True)}  # fmt: skip
    mine = orders[rows[0]]
    if mine is None:
        raise FactError(Reason.NO_VALUE, arguments.rows[0])
    ascending = arguments.order.startswith("asc")
    others = [each for each in orders.values() if each is not None]
    ahead = sum(each < mine if ascending else each > mine for each in others)
    same = sum(each == mine for each in others)
    name = names_in(scope, rows)[0]
    value = found.vector.at(scope.rows.index(rows[0]))
    rank = ahead + 1
    parts = {"row": name, "rank": counted(rank), "of": counted(len(others)),
             "value": figure(value, row=key_of(name)), "ties": counted(same - 1)}  # fmt: skip
    said = {"measure": measures[0].text, "row": key_of(name), "order": "asc" if ascending
            else "desc", "by": list(arguments.by)}  # fmt: skip
    shows: list[str] = []
    if rank == 1:
        shows.append("lowest" if ascending else "highest")
    if rank == len(others):
        shows.append("highest" if ascending else "lowest")
    claim = claim_of("rank", whole, said, {"rank": rank, "of": len(others),
                     "value": plain_value(value)}, (*shows, "highest", "lowest"))  # fmt: skip
    words = {**parts, "label": found.label, "population": population(scope, found.vector)}
    template = ("rank.asc" if ascending else "rank.desc") + (".tied" if same > 1 else "")
    return fact_of(whole, claim, template, words, parts, measures)
