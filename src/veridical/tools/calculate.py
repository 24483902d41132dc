"""The tool that does arithmetic so that the model doesn't."""

import hashlib
from time import perf_counter
from uuid import uuid4

from veridical.arithmetic import FUNCTIONS, ArithmeticRefusedError, Calculation, compute
from veridical.arithmetic import Refusal as Reason
from veridical.check.arguments import read_arguments
from veridical.contracts.language import Language
from veridical.contracts.result import Receipt, ToolResult, refused
from veridical.contracts.tool import Arguments, JsonSchema, SchemaView, Tool
from veridical.contracts.violation import Code, Refusal, Violation
from veridical.contracts.wire import Wire
from veridical.messages.hints import hint
from veridical.ontology.nearest import nearest
from veridical.tools.argument_schemas import ArgumentSchemas, built_in_texts, one_object
from veridical.tools.context import BuiltIn, DataContext

CALCULATE = "calculate"
_CODES = {
    Reason.UNKNOWN_FUNCTION: Code.FUNCTION_NOT_ALLOWED,
    Reason.DIVISION_BY_ZERO: Code.OPERATOR_INCOMPATIBLE,
    Reason.UNDEFINED: Code.OPERATOR_INCOMPATIBLE,
    Reason.TOO_LARGE: Code.TOO_COMPLEX,
}
_LONGEST_DETAIL = 20


class CalculateArguments(Wire):
    """The arguments of a calculation."""

    expression: str


def calculate(arguments: Arguments, language: Language) -> ToolResult:
    """The value of an expression, with its numbers and a receipt."""
    request = read_arguments(CalculateArguments, arguments, language)
    if isinstance(request, Refusal):
        return refused(request)
    started = perf_counter()
    try:
        done = compute(request.expression)
    except ArithmeticRefusedError as error:
        return refused(Refusal(violations=(_violation(error, language),)))
    return ToolResult(
        success=True,
        data={
            "expression": request.expression,
            "result": done.text,
            "exact": done.exact,
            "inputs": [f"{number:f}" for number in done.inputs],
        },
        receipt=_receipt(request.expression, done, started),
    )


def _receipt(expression: str, done: Calculation, started: float) -> Receipt:
    numbers = ", ".join(f"{number:f}" for number in done.inputs)
    return Receipt(
        call_id=str(uuid4()),
        query_hash=hashlib.sha256(expression.encode()).hexdigest(),
        ontology_hash="",
        sql=f"{expression} = {done.text} [{numbers}]",
        row_count=1,
        truncated=False,
        elapsed_ms=round((perf_counter() - started) * 1000, 3),
    )


def _violation(error: ArithmeticRefusedError, language: Language) -> Violation:
    detail = error.detail[:_LONGEST_DETAIL]
    unknown = error.reason is Reason.UNKNOWN_FUNCTION
    names = ", ".join(FUNCTIONS)
    text = hint(f"tools.{error.reason}", language, detail=detail, functions=names)
    return Violation(
        code=_CODES.get(error.reason, Code.SYNTAX_ERROR),
        field="expression",
        suggestion=nearest(error.detail, FUNCTIONS) if unknown else None,
        hint=text,
    )


def _schema(view: SchemaView, context: DataContext) -> JsonSchema:
    each = ArgumentSchemas(view, context.language)
    return one_object(each.described("expression", {"type": "string"}), "expression")


def _unchecked(arguments: Arguments, context: DataContext) -> Arguments:
    """The arguments unchanged: the calculation itself finds out whether they can be computed."""
    del context
    return arguments


ARITHMETIC: BuiltIn[Arguments] = Tool(
    name=CALCULATE,
    texts=built_in_texts(CALCULATE),
    schema=_schema,
    check=_unchecked,
    run=lambda arguments, context: calculate(arguments, context.language),
)
