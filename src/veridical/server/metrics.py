"""Prometheus metrics of the server, in a registry of their own."""

import logging
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from veridical.answering.session import WatchGate
from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof
from veridical.gate.log import proof_id
from veridical.trace.gate_meter import meter_gate, reasons
from veridical.trace.redact import redact_text

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120)
_GATE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


class Metrics:
    """The metrics of one server. Label values are a closed set: no caller can add to them."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter = partial(Counter, registry=self.registry)
        gauge = partial(Gauge, registry=self.registry)
        histogram = partial(Histogram, registry=self.registry)
        self._requests = counter(
            "veridical_http_requests",
            "Requests by method, route and status.",
            ("method", "route", "status"),
        )
        self._seconds = histogram(
            "veridical_http_request_seconds",
            "How long requests took, until the last byte.",
            ("route",),
            buckets=_SECONDS,
        )
        self._answers = counter(
            "veridical_answers",
            "Answers given in this process, by feature, kind and the gate's verdict.",
            ("feature", "kind", "verdict"),
        )
        self._interceptions = counter(
            "veridical_gate_interceptions",
            "Reasons for which the gate held answers back or warned about them.",
            ("code", "language", "mode"),
        )
        self._gate_seconds = histogram(
            "veridical_gate_seconds",
            "How long the gate took for an answer.",
            buckets=_GATE_SECONDS,
        )
        self.false_blocks = counter(
            "veridical_gate_false_blocks",
            "Reports of answers that were held back wrongly, by code and language.",
            ("code", "language"),
        )
        self.asks = gauge(
            "veridical_asks_in_progress", "Questions that are being answered in this process."
        )
        self.requests = gauge(
            "veridical_requests_in_progress",
            "Requests of known callers that are not done; streams are counted apart.",
        )
        self.works = gauge(
            "veridical_works_in_progress",
            "Gates and checks that a process works on or that wait for one.",
        )
        self.watchers = gauge("veridical_watchers", "Streams of events that are open.")
        self.pending_traces = gauge("veridical_traces_pending", "Traces that wait to be written.")
        self.lost_traces = counter(
            "veridical_traces_lost", "Traces that could not be kept because too many waited."
        )
        self.workers = gauge(
            "veridical_workers_alive", "Workers that were seen within their lease."
        )

    def observe(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one request."""
        known = method if method in _METHODS else "other"
        self._requests.labels(known, route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def answered(self, feature: str, answer: Answer) -> None:
        """Count one answer."""
        verdict = answer.proof.verdict.value if answer.proof else "none"
        self._answers.labels(feature, answer.kind.value, verdict).inc()

    def judged(self, proof: Proof, language: Language, seconds: float) -> None:
        """Count one verdict of the gate: each of its reasons once."""
        self._gate_seconds.observe(seconds)
        for code, mode in reasons(proof):
            self._interceptions.labels(code, language.value, mode).inc()

    def text(self) -> bytes:
        """All of it, as Prometheus reads it."""
        return generate_latest(self.registry)


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
