"""The tool that returns the owner's description of a table, a column or a term."""

from veridical.check.arguments import read_arguments
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.schema import Column, Schema, Table
from veridical.contracts.tool import Arguments, JsonSchema, SchemaView, Tool
from veridical.contracts.violation import Code, Refusal, Violation
from veridical.contracts.wire import Wire
from veridical.messages.hints import hint
from veridical.ontology.catalog import TableCard
from veridical.ontology.context import ontology_of
from veridical.ontology.describe import describe, topics
from veridical.ontology.nearest import nearest
from veridical.ontology.slice import OntologyIndex, index_ontology, visible_index
from veridical.statement.functions import allowed_functions
from veridical.tools.argument_schemas import ArgumentSchemas, built_in_texts, one_object
from veridical.tools.context import BuiltIn, DataContext

DESCRIBE = "describe"


class DescribeArguments(Wire):
    """The topic to describe; all topics without one."""

    topic: str = ""


def _check(arguments: Arguments, context: DataContext) -> DescribeArguments | ToolResult:
    request = read_arguments(DescribeArguments, arguments, context.language)
    return refused(request) if isinstance(request, Refusal) else request


def _run(request: DescribeArguments, context: DataContext) -> ToolResult:
    topic = request.topic.strip()
    index = visible_index(_index(context), context.caller.permissions)
    if not topic or context.checker.visible_to(context.caller).table(topic) is not None:
        index = _with_bare_tables(index, context)
    checker = context.checker
    description = describe(
        index,
        context.language,
        topic,
        dialect=checker.dialect_title,
        functions=allowed_functions(checker.dialect),
    )
    if description is not None:
        return ToolResult(success=True, about=description)
    unknown = hint("tools.no_such_topic", context.language, name=topic)
    near = nearest(topic, topics(index))
    violation = Violation(code=Code.FIELD_NOT_FOUND, field="topic", suggestion=near, hint=unknown)
    return refused(Refusal(violations=(violation,)))


def _with_bare_tables(index: OntologyIndex, context: DataContext) -> OntologyIndex:
    """The index with the existing tables that the ontology does not describe."""
    described = {each.table.casefold() for each in index.ontology.entities if each.table}
    bare = [
        _table(card)
        for card in context.checker.visible_to(context.caller).tables.values()
        if card.name.casefold() not in described
    ]
    if not bare:
        return index
    found = ontology_of(Schema({table.name: table for table in bare})).entities
    entities = (*index.ontology.entities, *found)
    return index_ontology(index.ontology.model_copy(update={"entities": entities}))


def _table(card: TableCard) -> Table:
    columns = tuple(Column(each.name, each.type) for each in card.columns.values())
    return Table(card.name, columns, tuple(tuple(sorted(key)) for key in card.keys))


def _index(context: DataContext) -> OntologyIndex:
    if context.index is None:
        raise LookupError("there is no ontology to describe")
    return context.index


def _schema(view: SchemaView, context: DataContext) -> JsonSchema:
    each = ArgumentSchemas(view, context.language)
    return one_object(each.described("topic", {"type": "string"}))


EXPLAIN: BuiltIn[DescribeArguments] = Tool(
    name=DESCRIBE,
    texts=built_in_texts(DESCRIBE),
    schema=_schema,
    check=_check,
    run=_run,
    available=lambda context: context.describes and context.index is not None,
)
