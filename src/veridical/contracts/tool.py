"""A tool that a model may call: the contract between the host, packs and embedding programs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from veridical.contracts.caller import Caller
from veridical.contracts.language import Language, Text
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.violation import malformed
from veridical.messages import message


@dataclass(frozen=True, slots=True)
class Enums:
    """The names and values that a call may use, with the hash of their ontology."""

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


Arguments = Mapping[str, Any] | str
"""A JSON object, parsed or still as the text that the model wrote."""
JsonSchema = dict[str, Any]

COLUMNS, ROWS, TRUNCATED = "columns", "rows", "truncated"
"""The keys of a result's ``data`` that make it evidence: see ``found_rows``."""


@dataclass(frozen=True)
class ToolContext:
    """The caller of a tool and the question. The host fills it in; a model never does."""

    caller: Caller
    question: str = ""

    @property
    def language(self) -> Language:
        """The language in which the caller is answered."""
        return self.caller.language


@dataclass(frozen=True, slots=True)
class SchemaView:
    """The content of a schema: the names that the caller may see, all or only the short lists."""

    enums: Enums
    lean: bool = False
    """True for a model with little context: descriptions and long lists are left out."""
    flat: bool = False
    """True for callers that no grammar holds to the schema: one object instead of a choice."""


Context = TypeVar("Context", bound=ToolContext)
Checked = TypeVar("Checked")


def failure_note(view: SchemaView, context: ToolContext) -> str:
    """The end of a description: how a failed call is reported."""
    return "" if view.lean else f" {message('tools.on_failure', context.language)}"


def always(context: ToolContext) -> bool:
    """Every caller has the tool."""
    del context
    return True


def nothing(checked: Any) -> tuple[str, ...]:
    """No names: an approval can only name the tool itself."""
    del checked
    return ()


@dataclass(frozen=True, slots=True)
class Tool(Generic[Context, Checked]):
    """One tool, as a value. It reads and changes nothing.

    A call is first checked, then run: ``check`` turns a model's arguments into a checked call or
    into the result of a refused one, and only a checked call reaches ``run``. Neither raises for
    anything a model may write; an exception is a defect of the tool and ends the question.

    Both are plain functions, called in a worker thread, several at once. A thread can't be
    interrupted, so a tool that may take long (a search, a request over the network) keeps a
    timeout of its own, shorter than the agent's wall time, and returns a failed result after it.
    """

    name: str
    """As the model calls it: a letter, then letters, digits or underscores, at most 64."""
    texts: Text
    """Its description for the model, in one language or in several."""
    schema: Callable[[SchemaView, Context], JsonSchema]
    """The JSON schema of its arguments, an object."""
    check: Callable[[Arguments, Context], Checked | ToolResult]
    run: Callable[[Checked, Context], ToolResult]
    reads: Callable[[Checked], tuple[str, ...]] = nothing
    """The sources that a checked call would read, for approvals: names of tables or files."""
    available: Callable[[Context], bool] = always
    """True if this caller has the tool at all."""
    note: Callable[[SchemaView, Context], str] = failure_note
    """The end of the description, after ``texts``."""
    passages: tuple[str, ...] = ()
    """Columns of its rows with running text: each cell is evidence as a text of its own."""


OutsideTool = Tool[ToolContext, Any]
"""A tool of a pack or of an embedding program: it gets the caller and the question alone."""


def found_rows(
    columns: Iterable[str], rows: Iterable[Sequence[Any]], *, truncated: bool = False
) -> ToolResult:
    """A result whose rows can prove an answer. The host writes the receipt.

    ``truncated`` says that there are more rows than these.
    """
    data = {COLUMNS: list(columns), ROWS: [list(row) for row in rows]}
    return ToolResult(success=True, data={**data, TRUNCATED: True} if truncated else data)


def refused_argument(field: str, hint: str, suggestion: str | None = None) -> ToolResult:
    """The result of a call with an argument that names nothing that exists: the hint says what to
    change, in at most 80 characters, and the model calls again."""
    return refused(malformed(field, hint, suggestion))
