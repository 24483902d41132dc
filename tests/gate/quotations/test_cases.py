"""Answers over chunks that must pass and that must be held back, as plain text.

A line is ``+`` and an answer that must pass, or ``!``, the code that it must be held back for, and
the answer; a line break is written as ``\\n``.
"""

import pytest

from tests.gate.quotations.sample import CASES, OF_DOCUMENTS, chunks_in
from tests.gate.strictly import strictly
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Standing, Verdict


def _lines(sign: str) -> list[tuple[Language, str]]:
    return [
        (language, line.removeprefix(sign).strip().replace("\\n", "\n"))
        for language in Language
        for line in (CASES / f"{language}.txt").read_text("utf-8").splitlines()
        if line.startswith(sign)
    ]


def _found(language: Language, code: GateCode) -> bool:
    return any(lang is language and case.startswith(code) for lang, case in _lines("!"))


@pytest.mark.parametrize(("language", "answer"), _lines("+"))
def test_what_the_chunks_say_passes(language: Language, answer: str) -> None:
    proof = strictly(answer, chunks_in(language))
    assert proof.verdict is Verdict.PASS, proof.findings
    assert all(claim.standing is Standing.GROUNDED for claim in proof.claims)


@pytest.mark.parametrize(("language", "case"), _lines("!"))
def test_what_they_do_not_say_is_held_back(language: Language, case: str) -> None:
    named, _, answer = case.partition(" ")
    code = GateCode(named)
    proof = strictly(answer, chunks_in(language))
    assert proof.verdict is Verdict.BLOCK
    assert code in {finding.code for finding in proof.findings}, proof.findings


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("code", sorted(OF_DOCUMENTS))
def test_every_code_has_cases_in_every_language(code: GateCode, language: Language) -> None:
    assert _found(language, code)
    assert any(lang is language for lang, _ in _lines("+"))
