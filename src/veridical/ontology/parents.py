"""The tables that a row belongs to, along joins that lead to one row each."""

from veridical.ontology.catalog import Catalog, TableCard
from veridical.ontology.model import Cardinality

TO_ONE = frozenset({Cardinality.MANY_TO_ONE, Cardinality.ONE_TO_ONE})


def is_reached(catalog: Catalog, card: TableCard, path: str) -> bool:
    """True when joins lead from this table to that of ``table.column``, which has the column."""
    table, _, column = path.rpartition(".")
    seen, waiting = {card.name}, [card]
    while waiting:
        here = waiting.pop()
        if here.name == table:
            return here.column(column) is not None
        for join in here.joins:
            there = catalog.table(join.target)
            if there is not None and join.cardinality in TO_ONE and there.name not in seen:
                seen.add(there.name)
                waiting.append(there)
    return False
