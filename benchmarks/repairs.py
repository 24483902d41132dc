"""How often a refused call is repaired by who does nothing but what the refusal says.

    python -m benchmarks.repairs --json

The right calls are those of the gold questions of the Trustee pack: structured ones and SQL. Into
each, one error is planted: a misspelt column or table, an operator or a value of the wrong type,
a missing condition, a sum of balances. The planted call goes through the agent's own loop, tools
and check, over real books. The model that plays there does not know the right call, only the
conditions that the question gives. It sends what the refusal says: the corrected call; else, where
the suggestion is a column that the question has a condition on, its own call with this condition;
else its own call with the suggestion in place of what it is about. Without any of these it gives
up. ``rate`` is the share of refused calls after which the next round's call is another one that
brings data: the product's own figure (``repairConversionRate``). ``same_rows`` of those brought
exactly what the right call brings. Calls that pass in spite of the error are counted apart:
nothing was refused, so nothing was to repair.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import duckdb
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from sqlglot import exp

from benchmarks.command import command, show
from benchmarks.laboratory.simulated.call_mistakes import with_mistake
from benchmarks.laboratory.simulated.conversation import results_in
from benchmarks.laboratory.simulated.profile import Mistake
from benchmarks.laboratory.simulated.query import as_call, comparisons
from veridical.agent.loop import run_loop
from veridical.agent.request import LoopRequest
from veridical.answering.feature import Feature, open_feature
from veridical.contracts.caller import Caller
from veridical.contracts.trace import AgentTrace
from veridical.engines.duckdb import open_duckdb
from veridical.evals.gold.load import load_gold
from veridical.evals.gold.query import SQL_TOOL, drop, own_books, tree_of
from veridical.evals.scoring.score import repaired_at_once
from veridical.ontology.model import Encoding
from veridical.ontology.pack import load_pack
from veridical.packs.trustee.load import load_duckdb
from veridical.route.patterns import PatternMatch, match_pattern
from veridical.sample.caller import SAMPLE_TENANT, sample_caller
from veridical.tools.toolbox import Toolbox

Arguments = dict[str, Any]
Call = tuple[str, Arguments]
_GOLD = "pack:trustee"
_IN_SQL = (
    Mistake.INVENTED_COLUMN,
    Mistake.INVENTED_TABLE,
    Mistake.ISO_DATE,
    Mistake.MISSING_FILTER,
    Mistake.SUMMED_BALANCE,
    Mistake.MIXED_CURRENCIES,
)
_Z = 1.96


@dataclass(frozen=True, slots=True)
class Planted:
    """A call with one error in it."""

    kind: str
    right: Call
    wrong: Call


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a planted call."""

    kind: str
    code: str
    """Of the first refusal; empty where the call passed."""
    repaired: bool
    same_rows: bool


def right_calls(feature: Feature) -> Iterator[Call]:
    """The calls of the gold questions: as the product makes them, and the truth's own SQL."""
    seen: set[str] = set()
    for gold in load_gold(_GOLD):
        today = date.fromisoformat(gold.today)
        for case in gold.cases:
            match = (
                match_pattern(case.question, feature.patterns, case.language, today)
                if feature.patterns
                else None
            )
            calls = [(match.tool, dict(match.arguments))] if isinstance(match, PatternMatch) else []
            tree = own_books(case.truth) if case.truth else None
            for call in (*calls, *([as_call(tree)] if tree is not None else ())):
                key = json.dumps(call, sort_keys=True, default=str)
                if key not in seen:
                    seen.add(key)
                    yield call


def planted(feature: Feature, toolbox: Toolbox) -> Iterator[Planted]:
    """Every error in every right call that it can be made in."""
    for tool, arguments in right_calls(feature):
        if not toolbox.call(tool, arguments).success:
            continue
        wrongs = _in_sql if "sql" in arguments else _in_structure
        for kind, wrong in wrongs(feature, arguments):
            yield Planted(kind, (tool, arguments), (tool, wrong))


def _in_sql(feature: Feature, arguments: Arguments) -> Iterator[tuple[str, Arguments]]:
    tree = tree_of(SQL_TOOL, arguments)
    if tree is None:
        return
    for kind in _IN_SQL:
        wrong = with_mistake(kind, tree, feature.checker.catalog)
        if wrong is not None:
            yield f"sql {kind.value}", as_call(wrong)[1]


def _in_structure(feature: Feature, arguments: Arguments) -> Iterator[tuple[str, Arguments]]:
    table = str(arguments["tableName"])
    yield "table misspelt", {**arguments, "tableName": _misspelt(table)}
    for name in ("fields", "groupBy"):
        for place, each in enumerate(arguments.get(name) or ()):
            changed = [*arguments[name]]
            changed[place] = _misspelt(each)
            yield "column misspelt", {**arguments, name: changed}
    if arguments.get("field"):
        yield "column misspelt", {**arguments, "field": _misspelt(arguments["field"])}
    for place, each in enumerate(arguments.get("filters") or ()):
        for kind, wrong in _in_filter(feature, table, each):
            kept = [*arguments["filters"]]
            kept[place : place + 1] = [wrong] if wrong else []
            yield kind, {**arguments, "filters": kept}
    if fields := arguments.get("fields"):
        for measure in (each for each in fields if "alance" in each):
            rest = {name: arguments[name] for name in ("tableName", "filters") if name in arguments}
            dropped = [each for each in rest.get("filters", ()) if each["field"] != "periodMonth"]
            summed = {**rest, "filters": dropped, "aggregate": "SUM", "field": measure}
            yield "balances summed", {**summed, "tool": "aggregateTable"}


def _in_filter(
    feature: Feature, table: str, given: Mapping[str, Any]
) -> Iterator[tuple[str, Mapping[str, Any] | None]]:
    yield "column misspelt", {**given, "field": _misspelt(given["field"])}
    yield "condition left out", None
    card = feature.checker.catalog.table(table)
    column = card.columns.get(given["field"]) if card else None
    value = given.get("value")
    if column is not None and column.encoding is Encoding.UNIX_SECONDS and isinstance(value, int):
        day = datetime.fromtimestamp(value, UTC).date().isoformat()
        yield "date as text", {**given, "value": day}
    if isinstance(value, int):
        yield "operator of another type", {**given, "op": "LIKE"}
        yield "number as text", {**given, "value": str(value)}


def _misspelt(name: str) -> str:
    """The name with two letters swapped."""
    middle = max(1, len(name) // 2)
    return name[: middle - 1] + name[middle] + name[middle - 1] + name[middle + 1 :]


class Reader:
    """Plays a model that sends the planted call, then what the refusal says."""

    def __init__(self, each: Planted) -> None:
        tool, arguments = each.wrong
        self._call = (str(arguments.get("tool", tool)), _plain(arguments))
        self._question = _conditions(each.right[1])
        self.model = FunctionModel(self._speak, model_name="literal")

    async def _speak(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        results = results_in(messages)
        if results and results[-1]["success"]:
            return ModelResponse([TextPart("Done.")])
        if results:
            repaired = self._repaired(results[-1].get("errorDetails") or {})
            if repaired is None or repaired == self._call:
                return ModelResponse([TextPart("I can't say.")])
            self._call = repaired
        tool, arguments = self._call
        return ModelResponse([ToolCallPart(tool, arguments, f"call-{len(results)}")])

    def _repaired(self, details: Mapping[str, Any]) -> Call | None:
        corrected = details.get("correctedCall")
        if corrected:
            return str(corrected["tool"]), _plain(corrected)
        field, suggestion = details.get("field"), details.get("suggestion")
        if not field or not suggestion:
            return None
        tool, arguments = self._call
        if suggestion in self._question:
            condition = self._question[suggestion]
            return tool, _with_condition(arguments, str(suggestion), condition)
        text = json.dumps(arguments, ensure_ascii=False)
        return tool, json.loads(text.replace(str(field), json.dumps(suggestion)[1:-1]))


def _plain(arguments: Arguments) -> Arguments:
    return {name: value for name, value in arguments.items() if name != "tool"}


def _conditions(right: Arguments) -> dict[str, Any]:
    """The conditions of the right call, by column: in a structured call or in SQL."""
    if "sql" not in right:
        return {each["field"]: each for each in right.get("filters") or ()}
    tree = tree_of(SQL_TOOL, right)
    if tree is None:
        return {}
    found: dict[str, Any] = {}
    for name in {each.name for each in tree.find_all(exp.Column)}:
        for node in comparisons(tree, name):
            found.setdefault(name, node.copy())
    return found


def _with_condition(arguments: Arguments, column: str, condition: Any) -> Arguments:
    """The call with this condition on the column in place of its own."""
    if "sql" not in arguments:
        others = [each for each in arguments.get("filters") or () if each["field"] != column]
        return {**arguments, "filters": [*others, condition]}
    tree = tree_of(SQL_TOOL, arguments)
    if not isinstance(tree, exp.Select):
        return arguments
    for node in list(comparisons(tree, column)):
        drop(node)
    return as_call(tree.where(condition.copy()))[1]


async def play(each: Planted, toolbox: Toolbox, schemas: Sequence[dict[str, Any]]) -> Played:
    """One planted call through the loop."""
    events: list[Any] = []

    def call(name: str, arguments: Arguments) -> Any:
        return toolbox.call(name, arguments)

    reader = Reader(each)
    outcome = await run_loop(LoopRequest("…", "…"), reader.model, call, schemas, emit=events.append)
    trace = AgentTrace.model_validate({"traceId": each.kind, "events": _kept(events)})
    repaired = repaired_at_once(trace)
    code = next((one.validation_failure_code for one in _calls(trace) if not one.success), "")
    wanted = toolbox.call(*each.right).data["rows"]
    got = outcome.sources[-1].rows if outcome.sources else ()
    same = sorted(map(str, map(list, got))) == sorted(map(str, map(list, wanted)))
    return Played(each.kind, code or "", bool(repaired), bool(repaired) and same)


def _kept(events: Sequence[Any]) -> list[Any]:
    return [each for each in events if each.kind != "progress"]


def _calls(trace: AgentTrace) -> list[Any]:
    return [each for each in trace.events if each.kind == "toolCalled"]


def figures(*, misses: bool = False, most: int | None = None) -> dict[str, Any]:
    """The rate over all refused calls, by planted error and by code."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "books.duckdb"
        with duckdb.connect(str(path)) as connection:
            load_duckdb("small", connection)
        pack = load_pack("trustee")
        feature = open_feature(pack, open_duckdb(path))
        caller: Caller = sample_caller(pack, *SAMPLE_TENANT)
        toolbox = feature.toolbox(caller)
        plants = list(planted(feature, toolbox))[:most]
        schemas = toolbox.schemas()
        played = [asyncio.run(play(each, toolbox, schemas)) for each in plants]
        feature.engine.database.close()
    if misses:
        for each, one in zip(plants, played, strict=True):
            if one.code and not one.repaired:
                print(one.kind, one.code, json.dumps(each.wrong, default=str))
    refused = [each for each in played if each.code]
    right = sum(each.repaired for each in refused)
    return {
        "planted": len(played),
        "refused": len(refused),
        "repaired": right,
        "rate": round(right / max(1, len(refused)), 4),
        "interval": interval(right, len(refused)),
        "same_rows": sum(each.same_rows for each in refused),
        "by_error": _by(refused, [each.kind for each in refused]),
        "by_code": _by(refused, [each.code for each in refused]),
        "passed": dict(sorted(Counter(each.kind for each in played if not each.code).items())),
    }


def _by(played: Sequence[Played], names: Sequence[str]) -> dict[str, str]:
    every, right = Counter(names), Counter[str]()
    for each, name in zip(played, names, strict=True):
        right[name] += each.repaired
    return {name: f"{right[name]} of {count}" for name, count in sorted(every.items())}


def interval(right: int, whole: int) -> list[float]:
    """Wilson's 95 % interval."""
    if not whole:
        return [0.0, 1.0]
    share, square = right / whole, _Z * _Z
    middle = (share + square / (2 * whole)) / (1 + square / whole)
    spread = _Z / (1 + square / whole)
    width = spread * (share * (1 - share) / whole + square / (4 * whole * whole)) ** 0.5
    return [round(max(0.0, middle - width), 3), round(min(1.0, middle + width), 3)]


def main() -> None:
    """Print the figures; the last line is one JSON object."""
    parser: argparse.ArgumentParser = command(__doc__)
    parser.add_argument("--misses", action="store_true", help="print what was not repaired")
    parser.add_argument("--most", type=int, help="planted calls to play")
    options = parser.parse_args()
    show(figures(misses=options.misses, most=options.most), options)


if __name__ == "__main__":
    main()
