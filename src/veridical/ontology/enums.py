"""The names a tool call may use, as closed lists for the tools' schemas."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from veridical.contracts.caller import Permissions
from veridical.ontology.catalog import Catalog
from veridical.ontology.compile import restrict


@dataclass(frozen=True, slots=True)
class Enums:
    """What may stand in a call, under the hash of the ontology it comes from."""

    tables: tuple[str, ...]
    fields: Mapping[str, tuple[str, ...]]
    """By table."""
    metrics: tuple[str, ...]
    aggregates: tuple[str, ...]
    operators: tuple[str, ...]
    hash: str

    @property
    def all_fields(self) -> tuple[str, ...]:
        """The fields of all tables, each once."""
        return tuple(sorted({name for names in self.fields.values() for name in names}))


def compile_enums(
    catalog: Catalog,
    permissions: Permissions,
    aggregates: Iterable[str],
    operators: Iterable[str],
    only: Iterable[str] | None = None,
) -> Enums:
    """The lists for a caller with these permissions; ``only`` narrows them to some tables."""
    shown = restrict(catalog, permissions).tables
    wanted = set(shown if only is None else only)
    fields = {name: tuple(sorted(shown[name].columns)) for name in sorted(shown) if name in wanted}
    entities = {card.entity for card in shown.values()}
    return Enums(
        tables=tuple(fields),
        fields=fields,
        metrics=tuple(
            sorted(
                name
                for name, metric in catalog.metrics.items()
                if metric.entity is None or metric.entity in entities
            )
        ),
        aggregates=tuple(aggregates),
        operators=tuple(operators),
        hash=catalog.ontology_hash,
    )
