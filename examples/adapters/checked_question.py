"""The part that all adapters share: a checked query, the gate over answers, and the host's own."""

from typing import Any

import veridical.client
from veridical.engines import EngineError
from veridical.gate import Proof

ATTEMPTS = 2
"""Answers that the model may give before the host answers by itself."""


class CheckedQuestion:
    """One question about opened data, with every result and proof on the way to its answer."""

    def __init__(self, question: str, client: veridical.Client) -> None:
        self.question, self._client = question, client
        self.context = client.context(question)
        """The meaning of the data, for the model's instructions."""
        self.results: list[veridical.client.Source] = []
        self.proofs: list[Proof] = []
        self.answer = ""
        """The text to show, once nothing is left to object to."""

    @property
    def messages(self) -> list[Any]:
        """The conversation as it begins, for code that talks to the model itself."""
        return [
            {"role": "system", "content": self.context},
            {"role": "user", "content": self.question},
        ]

    def query(self, sql: str) -> str:
        """Run one SELECT statement."""
        verdict = self._client.check(sql, question=self.question)
        if not verdict:
            return verdict.feedback
        try:
            self.results.append(self._client.run(verdict))
        except EngineError as error:
            return str(error)
        return f"{self.results[-1].columns}: {self.results[-1].rows}\n{verdict.feedback}"

    def objection(self, answer: str) -> str:
        """What the model is to change in an answer; empty as soon as ``self.answer`` is settled."""
        proof = self._client.gate(answer, self.results, question=self.question)
        self.proofs.append(proof)
        if proof.findings and len(self.proofs) < ATTEMPTS:
            return "\n".join(finding.hint for finding in proof.findings)
        self.answer = self._own_answer() if proof.findings else answer
        return ""

    def _own_answer(self) -> str:
        """The answer that the host composes from the results alone."""
        stated = self._client.state(None, self.results, question=self.question)
        return stated.text or "I can't say."
