"""The package ``sqlsure`` on the same statements: what it is told is what the check is told."""

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from veridical.contracts.schema import Schema, Table
from veridical.ontology.catalog import Catalog, TableCard
from veridical.ontology.compile import compile_catalog
from veridical.ontology.model import OntologyDescriptor

NAME = "sqlsure"


@dataclass(frozen=True)
class Beside:
    """Its verdicts over one database, all in small letters: it tells ``Id`` from ``id``."""

    model: Any
    check: Any
    dialect: str = "sqlite"

    def verdict(self, sql: str) -> tuple[bool, bool]:
        """Whether it blocks, and whether it says anything at all."""
        try:
            found = self.check(sql.lower(), self.model, self.dialect)
        except Exception:  # what it can't read it lets pass: it raises for its caller
            return False, False
        return any(each.severity == "error" for each in found), bool(found)


def beside(
    schema: Schema, ontology: OntologyDescriptor | None = None, dialect: str = "sqlite"
) -> Beside | None:
    """It over a schema, with what an ontology says about measures; None where not installed."""
    try:
        package = importlib.import_module(NAME)
    except ImportError:
        return None
    catalog = compile_catalog(schema, ontology)
    model = package.SemanticModel.from_dict(_description(schema, catalog))
    return Beside(model, package.check, dialect)


def version() -> str:
    """Which one is installed."""
    return str(getattr(importlib.import_module(NAME), "__version__", "?"))


def _description(schema: Schema, catalog: Catalog) -> dict[str, Any]:
    return {
        "tables": {
            table.name.lower(): {
                "grain": [name.lower() for key in table.keys[:1] for name in key],
                "measures": dict(_measures(table, catalog.tables[table.name])),
            }
            for table in schema.tables.values()
        },
        "joins": [
            {
                "left": table.name.lower(),
                "right": key.target.lower(),
                "cardinality": "one_to_one" if key.columns in table.keys else "many_to_one",
                "keys": [
                    [near.lower(), far.lower()]
                    for near, far in zip(key.columns, key.target_columns, strict=True)
                ],
            }
            for table in schema.tables.values()
            for key in table.foreign_keys
        ],
    }


def _measures(table: Table, card: TableCard) -> Iterable[tuple[str, Any]]:
    """Numbers that are no keys are measures, as its own audit of the gold queries has it."""
    keys = {name for key in table.keys for name in key}
    keys |= {name for key in table.foreign_keys for name in key.columns}
    for column in table.columns:
        found = card.columns[column.name]
        if not column.type.is_numeric or column.name in keys:
            continue
        if found.never_aggregate is not None:
            yield column.name.lower(), "non_additive"
        elif found.semi_additive is not None:
            over = found.semi_additive.fields[0].lower()
            yield column.name.lower(), {"additivity": "semi_additive", "semi_additive_over": over}
        else:
            yield column.name.lower(), "additive"
