"""The arguments of the built-in tools as JSON schema, each with its text from the catalogue."""

from veridical.contracts.language import Language
from veridical.contracts.tool import JsonSchema, SchemaView
from veridical.messages import message

Properties = dict[str, JsonSchema]
_MOST_FIELDS = 300
"""The list is repeated for each argument; the check knows all names in any case."""


def built_in_texts(name: str) -> dict[Language, str]:
    """The catalogue's description of a built-in tool."""
    return {language: message(f"tools.{name}", language) for language in Language}


def one_object(properties: Properties, *required: str) -> JsonSchema:
    """The schema of one closed object."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


class ArgumentSchemas:
    """The arguments that several tools share, with the names that the caller may use."""

    def __init__(self, view: SchemaView, language: Language) -> None:
        self.enums = view.enums
        everywhere = view.enums.all_fields
        self.known_fields = () if view.lean or len(everywhere) > _MOST_FIELDS else everywhere
        self._language = language

    def described(self, name: str, schema: JsonSchema, text: str = "") -> Properties:
        """One argument with its description from the catalogue."""
        description = message(f"tools.arg_{text or name}", self._language)
        return {name: {**schema, "description": description}}

    def table(self) -> Properties:
        """The table."""
        return self.described("tableName", one_of(self.enums.tables))

    def fields(self) -> Properties:
        """Its fields."""
        return self.described("fields", list_of(one_of(self.known_fields)))

    def limit(self) -> Properties:
        """The maximum number of rows."""
        return self.described("limit", {"type": "integer", "minimum": 1})

    def sql(self) -> Properties:
        """One statement."""
        return self.described("sql", {"type": "string"})

    def filters(self, fields: tuple[str, ...]) -> Properties:
        """Conditions on fields, all required together."""
        scalar = {"type": ["string", "number", "boolean", "null"]}
        condition = one_object(
            {
                "field": one_of(fields),
                "op": one_of(self.enums.operators),
                "value": {"anyOf": [scalar, {"type": "array", "items": scalar}]},
            },
            "field",
            "op",
        )
        return self.described("filters", list_of(condition))

    def order_by(self) -> Properties:
        """Sort keys."""
        key = one_object(
            {"field": {"type": "string"}, "direction": one_of(("asc", "desc"))}, "field"
        )
        return self.described("orderBy", list_of(key))

    def aggregation(self, fields: tuple[str, ...]) -> Properties:
        """An aggregate with filters, groups and order."""
        return (
            self.described("aggregate", one_of(self.enums.aggregates))
            | self.described("field", one_of(fields))
            | self.filters(fields)
            | self.described("groupBy", list_of(one_of(fields)))
            | self.order_by()
        )

    def file(self, names: tuple[str, ...]) -> Properties:
        """The file and its table."""
        name = self.described("fileName", one_of(names))
        return name | self.described("tableName", {"type": "string"}, "fileTable")

    def metrics(self) -> Properties:
        """The metrics and their dimensions."""
        texts = list_of({"type": "string"})
        return (
            self.described("metrics", list_of(one_of(self.enums.metrics)))
            | self.described("groupBy", texts, "metricGroupBy")
            | self.filters(())
            | self.described("where", texts)
            | self.described("orderBy", texts, "metricOrderBy")
            | self.limit()
        )


def one_of(names: tuple[str, ...]) -> JsonSchema:
    """A text, or one of a list of texts."""
    return {"type": "string", "enum": list(names)} if names else {"type": "string"}


def list_of(item: JsonSchema) -> JsonSchema:
    """A list of items."""
    return {"type": "array", "items": item}
