"""Proposals in words: each with its evidence and the error that it prevents."""

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.onboarding.proposal import Proposal, State
from veridical.reading.shown import count

_WITH_FIGURES = frozenset(
    {
        "snapshot",
        "total_rows",
        "soft_delete",
        "validity",
        "uncounted",
        "empty_counts",
        "events",
        "conversion",
        "not_additive",
        "code",
        "unit",
        "tenant",
    }
)


def proposal_text(proposal: Proposal, language: Language) -> str:
    """The proposal in a few words."""
    return message(
        f"onboarding.kind_{proposal.kind}",
        language,
        target=proposal.target or "",
        over=", ".join(proposal.target_columns),
        encoding=proposal.encoding or "",
        value=proposal.evidence.get("value") or (proposal.values[0] if proposal.values else ""),
    )


def evidence_of(proposal: Proposal, language: Language) -> str:
    """The evidence for it."""
    key = f"onboarding.evidence_{proposal.kind}_{proposal.reason}"
    text = message(key, language, **proposal.evidence)
    seen, rows = (proposal.evidence.get(name) for name in ("sample_seen", "sample_rows"))
    if not isinstance(seen, int) or not isinstance(rows, int):
        return text
    return f"{text} {sample_of(seen, rows, language)}"


def sample_of(seen: int, rows: int, language: Language) -> str:
    """The size of a sample; that of the table is never more exact than three digits."""
    about = int(float(f"{rows:.3g}"))
    return message(
        "onboarding.in_sample",
        language,
        seen=count(seen, language),
        rows=count(about, language),
    )


def stake_of(proposal: Proposal, language: Language) -> str:
    """The error if it is ignored; empty if no figure was found for it."""
    figures = {
        name: proposal.evidence.get(name, "") for name in ("wrong", "right", "units", "value")
    }
    if proposal.kind in _WITH_FIGURES and not figures["wrong"]:
        return ""
    return message(
        f"onboarding.stake_{proposal.kind}",
        language,
        column=f"{proposal.table}.{', '.join(proposal.columns)}",
        first=proposal.values[0] if proposal.values else "",
        **{name: "–" if value == "" else value for name, value in figures.items()},
    )


def state_of(proposal: Proposal, language: Language) -> str:
    """Its effect, blocking or warning, and the person who decided."""
    if proposal.state is State.OPEN:
        key = "state_proven" if proposal.proven else "state_open"
        return message(f"onboarding.{key}", language)
    return message(f"onboarding.state_{proposal.state}", language, by=proposal.decided_by)
