"""A schema as a JSON file: the shape that lint and the command line read and write."""

from pydantic import field_validator

from veridical.contracts.schema import Column, ForeignKey, Schema, Table, ValueType, value_type_of
from veridical.contracts.wire import Wire

_FAMILIES = frozenset(ValueType)


class ColumnEntry(Wire):
    """One column; its type is a family or any declared SQL type."""

    name: str
    type: ValueType = ValueType.UNKNOWN
    nullable: bool = True

    @field_validator("type", mode="before")
    @classmethod
    def _family(cls, declared: object) -> object:
        if isinstance(declared, str) and declared not in _FAMILIES:
            return value_type_of(declared)
        return declared


class ForeignKeyEntry(Wire):
    """Columns that name rows of another table."""

    columns: tuple[str, ...]
    target: str
    target_columns: tuple[str, ...]


class TableEntry(Wire):
    """One table."""

    name: str
    columns: tuple[ColumnEntry, ...]
    keys: tuple[tuple[str, ...], ...] = ()
    foreign_keys: tuple[ForeignKeyEntry, ...] = ()
    schema_name: str | None = None
    own_name: str = ""


class SchemaFile(Wire):
    """All tables of one database."""

    tables: tuple[TableEntry, ...]

    def schema_value(self) -> Schema:
        """The schema that the file describes."""
        return Schema.of(
            Table(
                entry.name,
                tuple(Column(each.name, each.type, each.nullable) for each in entry.columns),
                entry.keys,
                tuple(
                    ForeignKey(each.columns, each.target, each.target_columns)
                    for each in entry.foreign_keys
                ),
                entry.schema_name,
                own_name=entry.own_name,
            )
            for entry in self.tables
        )

    @staticmethod
    def of(schema: Schema) -> "SchemaFile":
        """The file that describes this schema."""
        return SchemaFile(
            tables=tuple(
                TableEntry(
                    name=table.name,
                    columns=tuple(
                        ColumnEntry(name=each.name, type=each.type, nullable=each.nullable)
                        for each in table.columns
                    ),
                    keys=table.keys,
                    foreign_keys=tuple(
                        ForeignKeyEntry(
                            columns=each.columns,
                            target=each.target,
                            target_columns=each.target_columns,
                        )
                        for each in table.foreign_keys
                    ),
                    schema_name=table.schema,
                    own_name=table.own_name,
                )
                for table in schema.tables.values()
            )
        )
