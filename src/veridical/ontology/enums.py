"""Compiles the names for tool calls from the visible part of an ontology."""

from collections.abc import Iterable

from veridical.contracts.caller import Permissions
from veridical.contracts.tool import Enums
from veridical.ontology.catalog import Catalog
from veridical.ontology.compile import restrict


def compile_enums(
    catalog: Catalog,
    aggregates: Iterable[str],
    operators: Iterable[str],
    permissions: Permissions | None = None,
    only: Iterable[str] | None = None,
) -> Enums:
    """The lists for a caller with these permissions; ``only`` narrows them to some tables."""
    shown = restrict(catalog, permissions or Permissions()).tables
    wanted = set(shown if only is None else only)
    fields = {name: tuple(sorted(shown[name].columns)) for name in sorted(shown) if name in wanted}
    return Enums(
        tables=tuple(fields),
        fields=fields,
        metrics=_metrics(catalog, {card.entity for card in shown.values()}),
        aggregates=tuple(aggregates),
        operators=tuple(operators),
        hash=catalog.ontology_hash,
    )


def _metrics(catalog: Catalog, entities: set[str | None]) -> tuple[str, ...]:
    """The metrics over visible entities; one over other metrics is checked with these."""
    graph = catalog.metrics
    if graph is None:
        return ()
    owners = {name: found.entity for name in graph.metrics if (found := graph.metric(name))}
    return tuple(sorted(name for name, owner in owners.items() if owner in entities | {None}))
