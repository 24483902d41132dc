"""Metrics and log of gate verdicts in this process.

The log has codes, the language and the proof's id. Answer texts are left out unless the
installation asks for them.
"""

import logging

from veridical.answering.session import WatchGate
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof
from veridical.gate.log import proof_id
from veridical.server.metrics import Metrics
from veridical.trace.gate_meter import meter_gate, reasons
from veridical.trace.redact import redact_text

_log = logging.getLogger("veridical.gate")


class Interceptions:
    """Records every gate verdict in metrics and log."""

    def __init__(self, metrics: Metrics, *, with_texts: bool = False) -> None:
        self._metrics = metrics
        self.with_texts = with_texts

    def of(self, tenant: str) -> WatchGate:
        """The gate watcher of this tenant."""

        def watch(proof: Proof, language: Language, seconds: float) -> None:
            self.note(proof, language, seconds, tenant)

        return watch

    def note(
        self, proof: Proof, language: Language, seconds: float, tenant: str, named: str = ""
    ) -> None:
        """Count a verdict; log it where there was a reason for it, under the proof's id, which is
        given where not all of the proof is here."""
        self._metrics.judged(proof, language, seconds)
        meter_gate(proof, language, seconds)
        if not proof.findings or not _log.isEnabledFor(logging.INFO):
            return
        codes = ",".join(f"{code}:{mode}" for code, mode in reasons(proof))
        text = "intercepted %s %s %s tenant=%s proof=%s"
        given = [proof.verdict.value, language.value, codes, tenant, named or proof_id(proof)]
        if self.with_texts:
            text += " claims=%r"
            given.append(redact_text("; ".join(finding.claim for finding in proof.findings)))
        _log.info(text, *given)
