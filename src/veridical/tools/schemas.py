"""The tools as function schemas in the convention that every model provider reads."""

from collections.abc import Iterable
from typing import Any

from veridical.contracts.enums import Enums
from veridical.contracts.language import Language
from veridical.messages import message

Schema = dict[str, Any]

KNOWN_QUESTION = "knownQuestion"
_REQUIRED = {
    "browseTable": ("tableName",),
    "queryTable": ("tableName",),
    "aggregateTable": ("tableName", "aggregate"),
    "executeSqlSafe": ("sql",),
    "queryMetrics": ("metrics",),
    "inspectFile": ("fileName",),
    "analyzeDataframe": ("fileName",),
    "calculate": ("expression",),
}
TOOL_NAMES: tuple[str, ...] = (KNOWN_QUESTION, *_REQUIRED)
"""Every tool there is, whether or not a caller has it."""
_MOST_FIELDS = 300
"""The list is repeated for each argument; the check knows all names anyway."""


def tool_schemas(
    enums: Enums,
    names: Iterable[str],
    language: Language = Language.EN,
    files: tuple[str, ...] = (),
    *,
    lean: bool = False,
) -> list[Schema]:
    """The schemas of these tools, with the names that a call may use as closed lists; lean ones
    leave out the fields and what the instructions say of failures."""
    arguments = _Arguments(enums, files, language, lean=lean)
    on_failure = "" if lean else f" {message('tools.on_failure', language)}"
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": f"{message(f'tools.{name}', language)}{on_failure}",
                "parameters": {
                    "type": "object",
                    "properties": arguments.of(name),
                    "required": list(_REQUIRED[name]),
                    "additionalProperties": False,
                },
            },
        }
        for name in names
    ]


class _Arguments:
    """The arguments of each tool."""

    def __init__(
        self, enums: Enums, files: tuple[str, ...], language: Language, *, lean: bool
    ) -> None:
        self._enums = enums
        everywhere = enums.all_fields
        self._known = () if lean or len(everywhere) > _MOST_FIELDS else everywhere
        self._files = files
        self._language = language

    def of(self, tool: str) -> dict[str, Schema]:
        match tool:
            case "browseTable":
                return self._table() | self._fields() | self._limit()
            case "queryTable":
                return (
                    self._table()
                    | self._fields()
                    | self._filters(self._known)
                    | self._order_by()
                    | self._limit()
                )
            case "aggregateTable":
                return self._table() | self._aggregation(self._known) | self._limit()
            case "executeSqlSafe":
                return self._told("sql", {"type": "string"}) | self._limit()
            case "queryMetrics":
                return self._metrics()
            case "inspectFile":
                return self._file()
            case "analyzeDataframe":
                sql = self._told("sql", {"type": "string"})
                return self._file() | sql | self._aggregation(()) | self._limit()
            case _:
                return self._told("expression", {"type": "string"})

    def _told(self, name: str, schema: Schema, text: str = "") -> dict[str, Schema]:
        told = message(f"tools.arg_{text or name}", self._language)
        return {name: {**schema, "description": told}}

    def _table(self) -> dict[str, Schema]:
        return self._told("tableName", _one_of(self._enums.tables))

    def _fields(self) -> dict[str, Schema]:
        return self._told("fields", _list_of(_one_of(self._known)))

    def _limit(self) -> dict[str, Schema]:
        return self._told("limit", {"type": "integer", "minimum": 1})

    def _filters(self, fields: tuple[str, ...]) -> dict[str, Schema]:
        scalar = {"type": ["string", "number", "boolean", "null"]}
        condition: Schema = {
            "type": "object",
            "properties": {
                "field": _one_of(fields),
                "op": _one_of(self._enums.operators),
                "value": {"anyOf": [scalar, {"type": "array", "items": scalar}]},
            },
            "required": ["field", "op"],
            "additionalProperties": False,
        }
        return self._told("filters", _list_of(condition))

    def _order_by(self) -> dict[str, Schema]:
        key: Schema = {
            "type": "object",
            "properties": {"field": {"type": "string"}, "direction": _one_of(("asc", "desc"))},
            "required": ["field"],
            "additionalProperties": False,
        }
        return self._told("orderBy", _list_of(key))

    def _aggregation(self, fields: tuple[str, ...]) -> dict[str, Schema]:
        return (
            self._told("aggregate", _one_of(self._enums.aggregates))
            | self._told("field", _one_of(fields))
            | self._filters(fields)
            | self._told("groupBy", _list_of(_one_of(fields)))
            | self._order_by()
        )

    def _file(self) -> dict[str, Schema]:
        name = self._told("fileName", _one_of(self._files))
        return name | self._told("tableName", {"type": "string"}, "fileTable")

    def _metrics(self) -> dict[str, Schema]:
        texts = _list_of({"type": "string"})
        return (
            self._told("metrics", _list_of(_one_of(self._enums.metrics)))
            | self._told("groupBy", texts, "metricGroupBy")
            | self._filters(())
            | self._told("where", texts)
            | self._told("orderBy", texts, "metricOrderBy")
            | self._limit()
        )


def _one_of(names: tuple[str, ...]) -> Schema:
    return {"type": "string", "enum": list(names)} if names else {"type": "string"}


def _list_of(item: Schema) -> Schema:
    return {"type": "array", "items": item}
