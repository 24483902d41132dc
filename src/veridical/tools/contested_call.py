"""Settles a contested call: it and its correction run, and where both return the same rows, they
are the result, and doubts about them are dropped; so they are where witnesses find nothing of what
is feared. All have the caller's scope, and together the time of one statement."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from veridical.check.contested import Contested
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.language import Language
from veridical.contracts.result import Settled, ToolResult, refused
from veridical.contracts.tool import found_rows
from veridical.contracts.violation import Mode, Violation
from veridical.engines import Engine, EngineError, Outcome
from veridical.messages.hints import hint


@dataclass(frozen=True, slots=True)
class ContestedCall:
    """A refused call that its rows may settle, with the engine that runs it."""

    contested: Contested
    engine: Engine

    @property
    def refusal(self) -> ToolResult:
        """The result while nothing settles it."""
        return refused(self.contested.refusal)

    @property
    def reads(self) -> tuple[str, ...]:
        """The tables that one of its queries reads."""
        return self.contested.reads


@dataclass(frozen=True, slots=True)
class Settlement:
    """The rows of the call, and what shows that they are right."""

    written: Outcome
    proof: Outcome
    """The same rows from the correction, or what a witness found."""


def run_contested(call: ContestedCall, language: Language) -> ToolResult:
    """The rows where the refusal is settled, with a warning for each violation; else the refusal.
    An error stays the refusal, too: it could say what the rows do not."""
    found = settlement(call.contested, call.engine)
    if found is None:
        return call.refusal
    return found_rows(found.written.columns, found.written.rows).model_copy(
        update={
            "warnings": tuple(_warnings(call.contested, language)),
            "receipt": found.written.receipt,
            "settled": Settled(rules=call.contested.rules, receipt=found.proof.receipt),
        }
    )


def without_settled_doubts(
    result: ToolResult, outcome: Outcome, contested: Contested, engine: Engine
) -> ToolResult:
    """The result of a doubted call without the doubts, if its correction returns the same rows, or
    its witnesses find nothing, in the time that is left."""
    if contested.corrected is None:
        proof = _found_nothing(contested, engine, outcome)
    else:
        proof = _same_rows(outcome, contested.corrected, contested.written, engine)
    if proof is None:
        return result
    doubts = contested.refusal.violations
    settled = Settled(rules=contested.rules, receipt=proof.receipt, doubted=True)
    kept = tuple(each for each in result.warnings if each not in doubts)
    return result.model_copy(update={"warnings": kept, "settled": settled})


def settlement(contested: Contested, engine: Engine) -> Settlement | None:
    """What both queries return, if it is the same and all there is, or what the call returns where
    witnesses find nothing; an empty result proves nothing."""
    corrected = contested.corrected
    try:
        first = engine.run(corrected or contested.written)
    except EngineError:
        return None
    if corrected is None:
        proof = _found_nothing(contested, engine, first)
        return None if proof is None else Settlement(first, proof)
    written = _same_rows(first, contested.written, contested.written, engine)
    return None if written is None else Settlement(written, first)


def _found_nothing(contested: Contested, engine: Engine, written: Outcome) -> Outcome | None:
    """What the last witness returns, if none finds anything in the time that the call left."""
    left = int(engine.limits.statement_ms - written.receipt.elapsed_ms)
    found: Outcome | None = None
    for each in contested.witnesses if _is_whole(written) else ():
        if left < 1:
            return None
        try:
            found = engine.within(milliseconds=left).run(each)
        except EngineError:
            return None
        if [list(row) for row in found.rows] != [[0]]:
            return None
        left -= int(found.receipt.elapsed_ms)
    return found


def _same_rows(
    one: Outcome, query: CheckedQuery, ordered_by: CheckedQuery, engine: Engine
) -> Outcome | None:
    """What this query returns in the time that the other one left, if it is the same."""
    left = int(engine.limits.statement_ms - one.receipt.elapsed_ms)
    if not _is_whole(one) or left < 1:
        return None
    try:
        other = engine.within(milliseconds=left).run(query)
    except EngineError:
        return None
    return other if _is_whole(other) and _same(one, other, ordered_by) else None


def _is_whole(outcome: Outcome) -> bool:
    """True for rows that are neither cut off, nor none, nor of unknown age."""
    return bool(outcome.rows) and not outcome.receipt.truncated and not outcome.receipt.emptiness


def _same(one: Outcome, other: Outcome, query: CheckedQuery) -> bool:
    if len(one.columns) != len(other.columns):
        return False
    rows, others = list(map(repr, one.rows)), list(map(repr, other.rows))
    return rows == others if _is_ordered(query) else Counter(rows) == Counter(others)


def _is_ordered(query: CheckedQuery) -> bool:
    if query.tree is not None:
        return query.tree.args.get("order") is not None
    return bool(getattr(query.call, "order_by", ()))


def _warnings(contested: Contested, language: Language) -> Iterable[Violation]:
    """Each violation as a warning that says how it was settled, then all other warnings."""
    text = hint("tools.settled", language)
    codes = set[str]()
    for each in contested.refusal.violations:
        codes.add(each.code)
        yield each.model_copy(update={"mode": Mode.WARN, "hint": text})
    yield from (each for each in contested.written.warnings if each.code not in codes)
