"""The verdict on an answer in facts: its refusals and the findings of the run's rules."""

import logging
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any

from veridical.contracts.facts_answer import FactsAnswer, Show, State
from veridical.contracts.input_budget import DEFAULT_BUDGET, OverBudgetError, time_limit
from veridical.contracts.language import Language
from veridical.contracts.proof import Finding, GateCode, Proof, Verdict
from veridical.evidence.table import EvidenceTable
from veridical.facts.answer import Stated, state_answer
from veridical.facts.compose import composed
from veridical.facts.kernel.value import Reason
from veridical.facts.prose.finding import Code, ProseFinding
from veridical.facts.record import reason_of, record_of
from veridical.gate.policy import ProofPolicy
from veridical.gate.rules import Rule, after_error, empty_result, no_evidence, required_tools
from veridical.gate.rules.gate_facts import GateFacts
from veridical.gate.rules.problem import Problem
from veridical.gate.verdict import judged, noted, verdict_of
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


def check_facts(
    raw: Any,
    tables: Sequence[EvidenceTable],
    facts: GateFacts,
    show: Show,
    also: Callable[[str], Sequence[Problem]],
    language: Language,
) -> JudgedFacts:
    """Computes and checks an answer in facts; without any (``None``), the host writes its own.

    ``also`` returns the problems that others find with a text of the host.
    Never raises: an answer that can't be judged is held back.
    """
    try:
        # the host's own facts are few, and reading the clock takes longer than they do
        with nullcontext() if raw is None else time_limit(DEFAULT_BUDGET.seconds):
            if isinstance(raw, str):
                DEFAULT_BUDGET.ensure_answer(raw)
            stated = _stated(raw, tables, facts.conversation, language)
            others = also(stated.text if raw is None else "")
            known = noted(_ruled(stated, tables, facts, others, language), facts.policy, language)
    except OverBudgetError:
        return JudgedFacts(FactsAnswer(policy=show), _unjudged(language))
    except Exception:
        _LOGGER.exception("an answer in facts could not be judged")
        return JudgedFacts(FactsAnswer(policy=show), _unjudged(language))
    # where prose is not shown, only refusals of the facts themselves go back to the model
    refused = (each for each in stated.refused if show is not Show.EXACT or each.code in _OF_FACTS)
    findings = (*known.findings, *(_finding(each, language) for each in refused))
    written = record_of(stated, show)
    return JudgedFacts(written, Proof(verdict=verdict_of(findings), findings=findings))


def _stated(raw: Any, tables: Sequence[EvidenceTable], question: str, language: Language) -> Stated:
    if raw is None:
        return composed(tables, question, language)
    if not tables and isinstance(raw, str) and "{" not in raw:
        raw = {"answer": raw}  # without tables there can only be words
    return state_answer(raw, tables, question, language)


def _ruled(
    stated: Stated,
    tables: Sequence[EvidenceTable],
    facts: GateFacts,
    also: Sequence[Problem],
    language: Language,
) -> Proof:
    """The verdict of the run's rules. The host states truncation and age itself."""
    if facts.policy.policy is ProofPolicy.OFF:
        return Proof(verdict=Verdict.PASS)
    rules: list[Rule] = [required_tools.find, after_error.find]
    if not stated.exact or any(each.emptiness for each in facts.exhibits):
        rules.append(empty_result.find)
    own = "".join(each.text for each in stated.sentences if each.state is State.OWN).strip()
    alone = own and not any(table.rows for table in tables)
    unproven = no_evidence.find(replace(facts, text=own)) if alone else ()
    return judged(replace(facts, text=stated.text), (*also, *unproven), language, rules)


def _finding(refusal: ProseFinding, language: Language) -> Finding:
    code = GateCode.UNGROUNDED_CLAIM
    if refusal.code is Code.OPPOSITE:
        code = GateCode.CONTRADICTED_CLAIM
    elif refusal.reason in (Reason.NOT_ADDITIVE, Reason.MIXED_UNITS):
        code = GateCode.ILLEGAL_DERIVATION
    return Finding(code=code, hint=reason_of(refusal, language), claim=refusal.text)


def _unjudged(language: Language) -> Proof:
    hint = message("gate.TOO_COMPLEX", language)
    finding = Finding(code=GateCode.TOO_COMPLEX, hint=hint)
    return Proof(verdict=Verdict.BLOCK, findings=(finding,))
