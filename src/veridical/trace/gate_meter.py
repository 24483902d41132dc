"""OpenTelemetry metrics of the gate: interceptions by reason, and duration."""

from opentelemetry import metrics

from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Proof
from veridical.contracts.violation import Mode, stronger

_METER = metrics.get_meter("veridical")
_INTERCEPTIONS = _METER.create_counter(
    "veridical.gate.interceptions",
    description="Reasons for which the gate held answers back or warned about them.",
)
_SECONDS = _METER.create_histogram(
    "veridical.gate.duration", unit="s", description="How long the gate took for an answer."
)


def meter_gate(proof: Proof, language: Language, seconds: float) -> None:
    """Count one verdict; does nothing where no exporter is set up."""
    _SECONDS.record(seconds, {"veridical.verdict": proof.verdict.value})
    for code, mode in reasons(proof):
        _INTERCEPTIONS.add(
            1,
            {
                "veridical.code": code,
                "veridical.language": language.value,
                "veridical.mode": mode,
            },
        )


def reasons(proof: Proof) -> tuple[tuple[str, str], ...]:
    """Each code of a verdict once, with its strictest mode."""
    found: dict[GateCode, Mode] = {}
    for finding in proof.findings:
        found[finding.code] = stronger(found.get(finding.code, Mode.OFF), finding.mode)
    return tuple((code.value, mode.value) for code, mode in found.items())
