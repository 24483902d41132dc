"""The verdict on an answer in facts: its refusals and the findings of the run's rules."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.contracts.facts_answer import FactsAnswer, Show, State
from veridical.contracts.input_budget import DEFAULT_BUDGET, OverBudgetError, time_limit
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Proof, Verdict
from veridical.contracts.result import Emptiness, ToolRun
from veridical.contracts.violation import Mode
from veridical.evidence.table import EvidenceTable
from veridical.facts.answer import Stated, state_answer
from veridical.facts.compose import composed
from veridical.facts.kernel.value import Reason
from veridical.facts.prose.finding import Code, ProseFinding
from veridical.facts.reasons import reason_of
from veridical.facts.record import record_of
from veridical.gate.evidence.exhibit import Exhibit
from veridical.gate.log import note_interception
from veridical.gate.policy import Policy
from veridical.gate.rules import Rule, after_error, empty_result, no_evidence, required_tools
from veridical.gate.rules.gate_facts import GateFacts, conversation
from veridical.gate.rules.problem import Problem
from veridical.gate.verdict import judged
from veridical.messages import message

_LOGGER = logging.getLogger("veridical.gate")
_OF_FACTS = frozenset({Code.FACT, Code.SLOT, Code.FORM, Code.ALIAS})
"""Codes of mistakes in the facts themselves, however they are worded."""


@dataclass(frozen=True, slots=True)
class JudgedFacts:
    """The written answer with its marks, and its proof, without claims until it is known what is
    shown."""

    written: FactsAnswer
    proof: Proof


@dataclass(frozen=True, slots=True)
class FactsRun:
    """The input of the rules about a run beside its results."""

    policy: Policy
    show: Show
    question: str
    earlier: str = ""
    runs: tuple[ToolRun, ...] = ()
    required_tools: tuple[str, ...] = ()


def check_facts(
    raw: Any,
    tables: Sequence[EvidenceTable],
    exhibits: Sequence[Exhibit],
    run: FactsRun,
    also: Sequence[Problem],
    language: Language,
) -> JudgedFacts:
    """Computes and checks an answer in facts; without any (``None``), the host writes its own.

    Never raises: an answer that can't be judged is held back.
    """
    try:
        with time_limit(DEFAULT_BUDGET.seconds):
            if isinstance(raw, str):
                DEFAULT_BUDGET.ensure_answer(raw)
            questions = conversation(run.earlier, run.question)
            stated = _stated(raw, tables, questions, language)
            known = _ruled(stated, tables, exhibits, run, also, language)
            if known.findings:
                note_interception(known, run.policy, language)
    except OverBudgetError:
        return JudgedFacts(FactsAnswer(policy=run.show), _unjudged(language))
    except Exception:
        _LOGGER.exception("an answer in facts could not be judged")
        return JudgedFacts(FactsAnswer(policy=run.show), _unjudged(language))
    findings = (*known.findings, *_findings(_refused(stated, run.show), language))
    blocked = any(finding.mode is Mode.BLOCK for finding in findings)
    written = record_of(stated, run.show)
    notes = (*written.notes, *_stale(exhibits, language))
    return JudgedFacts(
        written.model_copy(update={"notes": notes}),
        Proof(verdict=Verdict.BLOCK if blocked else known.verdict, findings=findings),
    )


def _stated(raw: Any, tables: Sequence[EvidenceTable], question: str, language: Language) -> Stated:
    if raw is None:
        return composed(tables, question, language)
    if not tables and isinstance(raw, str) and "{" not in raw:
        raw = {"answer": raw}  # without tables there can only be words
    return state_answer(raw, tables, question, language)


def _refused(stated: Stated, show: Show) -> Iterator[ProseFinding]:
    """The refusals that go back to the model; where prose is not shown, only those of facts."""
    return (each for each in stated.refused if show is not Show.EXACT or each.code in _OF_FACTS)


def _ruled(
    stated: Stated,
    tables: Sequence[EvidenceTable],
    exhibits: Sequence[Exhibit],
    run: FactsRun,
    also: Sequence[Problem],
    language: Language,
) -> Proof:
    """The verdict of the run's rules. The host states truncation and age itself."""

    def facts_of(text: str) -> GateFacts:
        return GateFacts(
            text=text,
            bounds=(),
            exhibits=tuple(exhibits),
            policy=run.policy,
            question=run.question,
            earlier=run.earlier,
            runs=run.runs,
            required_tools=run.required_tools,
        )

    rules: list[Rule] = [required_tools.find, after_error.find]
    if not stated.exact or any(each.emptiness for each in exhibits):
        rules.append(empty_result.find)
    own = "".join(each.text for each in stated.sentences if each.state is State.OWN).strip()
    alone = own and not any(table.rows for table in tables)
    problems = (*also, *(no_evidence.find(facts_of(own)) if alone else ()))
    return judged(facts_of(stated.text), problems, language, rules)


def _findings(refused: Iterator[ProseFinding], language: Language) -> Iterator[Finding]:
    for each in refused:
        yield Finding(code=_code(each), hint=reason_of(each, language), claim=each.text)


def _code(refusal: ProseFinding) -> GateCode:
    if refusal.code is Code.OPPOSITE:
        return GateCode.CONTRADICTED_CLAIM
    if refusal.reason == Reason.NOT_ADDITIVE:
        return GateCode.ILLEGAL_DERIVATION
    return GateCode.UNGROUNDED_CLAIM


def _stale(exhibits: Sequence[Exhibit], language: Language) -> Iterator[str]:
    if any(each.emptiness is Emptiness.STALE for each in exhibits):
        yield message("pattern.stale", language)


def _unjudged(language: Language) -> Proof:
    hint = message("gate.TOO_COMPLEX", language)
    finding = Finding(code=GateCode.TOO_COMPLEX, mode=Mode.BLOCK, hint=hint)
    return Proof(verdict=Verdict.BLOCK, findings=(finding,))
