"""The options that several commands share, and which extra sample data needs."""

from typing import Annotated

import typer

from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE

In = Annotated[Language, typer.Option(help="The language of the texts.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Feature = Annotated[
    str,
    typer.Option(
        help="A feature of veridical.toml, or an installed pack; else the file's only one."
    ),
]
Data = Annotated[
    str,
    typer.Option(
        help="postgresql://…, a DuckDB or SQLite file, a CSV, Excel or Parquet file or a folder of"
        " them; without one, the pack's sample books."
    ),
]
DataFiles = Annotated[
    list[str] | None,
    typer.Option("--file", help="A CSV, Excel or Parquet file to ask about; repeat for several."),
]
OntologyFile = Annotated[
    str, typer.Option(help="The file that knows the data instead of a pack: ontology.yaml.")
]
SchemaRef = Annotated[
    str | None,
    typer.Option(
        help="pack:NAME, postgresql://…, a .json, .sql, DuckDB or SQLite file, or data files."
    ),
]
Reader = Annotated[str, typer.Option(help="The read-only role to ask as, on PostgreSQL.")]
TenantScope = Annotated[
    list[str] | None, typer.Option(help="Your tenant, as COLUMN=VALUE; repeat for each.")
]


def local_extra(database: str) -> tuple[str, ...]:
    """The extra with a PostgreSQL for sample data, where it is certain to be needed."""
    return () if database or SETTINGS_FILE.is_file() else ("local",)
