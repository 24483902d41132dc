"""The tools that review requirements: evaluate, rewrite, improve, compare; by rules alone.

Their names and arguments are those that callers of such tools know. A tool that fails reports that
nothing was evaluated. Questions to people are no tool: a run asks them through the inbox.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, StringConstraints

from veridical.agent.refusals import refuse
from veridical.check.arguments import read_arguments
from veridical.contracts.extras import EXTRAS
from veridical.contracts.language import Language
from veridical.contracts.requirements_review import RequirementText
from veridical.contracts.result import ToolResult, refused
from veridical.contracts.tool import Arguments, JsonSchema, SchemaView, Tool
from veridical.contracts.violation import Refusal
from veridical.contracts.wire import Wire
from veridical.limited_process.limits import LimitError
from veridical.requirements.finding import Criterion
from veridical.tools.argument_schemas import ArgumentSchemas, built_in_texts, list_of, one_object
from veridical.tools.context import BuiltIn, DataContext

_MOST = 200
_TOO_MUCH = "TOO_MUCH_WORK"
RequestArguments = TypeVar("RequestArguments", bound=Wire)


class EvaluateArguments(Wire):
    """A requirement and the criteria to score it by."""

    requirement_text: RequirementText = Field(alias="requirement_text")
    criteria_keys: tuple[Criterion | Literal["all"], ...] | None = Field(
        default=None, alias="criteria_keys"
    )


class RequirementArguments(Wire):
    """A requirement."""

    requirement_text: RequirementText = Field(alias="requirement_text")


class CompareArguments(Wire):
    """Requirements to compare."""

    requirements: Annotated[
        tuple[Annotated[str, StringConstraints(min_length=1, max_length=2_000)], ...],
        Field(min_length=1, max_length=_MOST),
    ]


def _evaluate(request: EvaluateArguments, language: Language) -> Any:
    from veridical.requirements.batch_process import evaluated

    return evaluated(request.requirement_text, request.criteria_keys, language)


def _rewrite(request: RequirementArguments, language: Language) -> Any:
    from veridical.requirements.batch_process import rewritten

    return rewritten((request.requirement_text,), language)[0]


def _suggest(request: RequirementArguments, language: Language) -> Any:
    from veridical.requirements.batch_process import suggested

    return suggested((request.requirement_text,), language)[0]


def _compare(request: CompareArguments, language: Language) -> Any:
    from veridical.requirements.batch_process import related

    return related(request.requirements, language)


def _text(each: ArgumentSchemas) -> dict[str, JsonSchema]:
    return each.described("requirement_text", {"type": "string"})


def _evaluate_schema(each: ArgumentSchemas) -> JsonSchema:
    keys = list_of({"type": "string", "enum": [*Criterion, "all"]})
    criteria = each.described("criteria_keys", keys)
    return one_object({**_text(each), **criteria}, "requirement_text")


def _text_schema(each: ArgumentSchemas) -> JsonSchema:
    return one_object(_text(each), "requirement_text")


def _compare_schema(each: ArgumentSchemas) -> JsonSchema:
    several = {**list_of({"type": "string"}), "maxItems": _MOST}
    return one_object(each.described("requirements", several), "requirements")


def _tool(
    name: str,
    arguments: type[RequestArguments],
    schema: Callable[[ArgumentSchemas], JsonSchema],
    run: Callable[[RequestArguments, Language], Any],
) -> BuiltIn[RequestArguments]:
    def check(given: Arguments, context: DataContext) -> RequestArguments | ToolResult:
        request = read_arguments(arguments, given, context.language)
        return refused(request) if isinstance(request, Refusal) else request

    def ran(request: RequestArguments, context: DataContext) -> ToolResult:
        try:
            return ToolResult(success=True, data=run(request, context.language))
        except LimitError as error:
            return refuse(_TOO_MUCH, error.message(context.language))

    def described(view: SchemaView, context: DataContext) -> JsonSchema:
        return schema(ArgumentSchemas(view, context.language))

    return Tool(
        name=name,
        texts=built_in_texts(name),
        schema=described,
        check=check,
        run=ran,
        available=_is_there,
    )


def _is_there(context: DataContext) -> bool:
    """True if the feature offers them and the words can be read."""
    return context.requirements and all(find_spec(each) for each in EXTRAS["requirements"])


REQUIREMENTS: tuple[BuiltIn[Any], ...] = (
    _tool("evaluate_requirement", EvaluateArguments, _evaluate_schema, _evaluate),
    _tool("rewrite_requirement", RequirementArguments, _text_schema, _rewrite),
    _tool("suggest_improvements", RequirementArguments, _text_schema, _suggest),
    _tool("detect_duplicates", CompareArguments, _compare_schema, _compare),
)
REQUIREMENT_TOOLS: tuple[str, ...] = tuple(tool.name for tool in REQUIREMENTS)
