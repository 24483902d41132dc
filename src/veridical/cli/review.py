"""``veridical review``: decides on what ``veridical init`` proposed, the gravest first."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridical.cli.error_reporting import UsageError, out
from veridical.cli.options import AsJson, In
from veridical.cli.own_database import operator_name
from veridical.cli.terminal import next_line
from veridical.contracts.language import Language
from veridical.messages import message

if TYPE_CHECKING:
    from veridical.onboarding.proposal import Proposal


def review(
    folder: Annotated[Path, typer.Option(help="The project's folder.")] = Path(),
    accept: Annotated[list[str] | None, typer.Option(help="Accept this decision.")] = None,
    reject: Annotated[list[str] | None, typer.Option(help="Reject this decision.")] = None,
    accept_all: Annotated[bool, typer.Option(help="Accept everything that is open.")] = False,
    show: Annotated[bool, typer.Option("--list", help="Only list the decisions.")] = False,
    by: Annotated[str, typer.Option(help="Who decides; else this machine's user.")] = "",
    as_json: AsJson = False,
    language: In = Language.EN,
) -> None:
    """Walk through open decisions: each with what was counted, and what goes wrong without it."""
    from veridical.onboarding.decisions import decisions
    from veridical.onboarding.record import read_proposals

    proposals = read_proposals(folder)
    if not proposals:
        raise UsageError(message("onboarding.no_project", language))
    known = {each.id for each in proposals}
    for wanted in (*(accept or ()), *(reject or ())):
        if wanted not in known:
            raise UsageError(message("onboarding.unknown_decision", language, id=wanted))
    if as_json:
        out.print_json(data=[_json(each, language) for each in decisions(proposals)])
        return
    if show:
        for each in decisions(proposals):
            _show(each, language)
        return
    _decide(folder, proposals, accept, reject, by or operator_name(), language, accept_all)


def _decide(
    folder: Path,
    proposals: "list[Proposal]",
    accept: list[str] | None,
    reject: list[str] | None,
    by: str,
    language: Language,
    accept_all: bool,
) -> None:
    from veridical.onboarding.decisions import decisions, open_decisions
    from veridical.onboarding.proposal import State
    from veridical.onboarding.review import apply_decisions, counted, decide

    accepted = [each.id for each in open_decisions(proposals)] if accept_all else accept or []
    decided = decide(proposals, accepted, State.ACCEPTED, by)
    decided = decide(decided, reject or [], State.REJECTED, by)
    if not (accept_all or accept or reject):
        decided = _walk(decided, by, language)
    apply_decisions(folder, decided)
    counts = counted(decisions(decided))
    text = message(
        "onboarding.decided",
        language,
        accepted=counts[State.ACCEPTED],
        rejected=counts[State.REJECTED],
        open=len(open_decisions(decided)),
    )
    out.print(text)


def _walk(proposals: "list[Proposal]", by: str, language: Language) -> "list[Proposal]":
    """Ask about each open decision, until there are no more or the user leaves."""
    from veridical.onboarding.decisions import open_decisions
    from veridical.onboarding.proposal import State
    from veridical.onboarding.review import decide

    waiting = open_decisions(proposals)
    if not waiting:
        out.print(message("onboarding.nothing_open", language))
    for each in waiting:
        _show(each, language)
        out.print(message("onboarding.ask_decision", language), style="bold")
        line = next_line("> ")
        reply = (line or "").strip().casefold()[:1]
        if line is None or reply == message("onboarding.answer_quit", language):
            break
        if reply == message("onboarding.answer_yes", language):
            proposals = decide(proposals, [each.id], State.ACCEPTED, by)
        elif reply == message("onboarding.answer_no", language):
            proposals = decide(proposals, [each.id], State.REJECTED, by)
    return proposals


def _show(each: "Proposal", language: Language) -> None:
    from veridical.onboarding.wording import evidence_of, proposal_text, stake_of, state_of

    place = f"{each.table}.{', '.join(each.columns)}"
    out.print(f"\n{place}: {proposal_text(each, language)}", style="bold")
    sure = f"{each.confidence:.0%}"
    line = f"  {evidence_of(each, language)} ({sure}; {state_of(each, language)})"
    out.print(line, soft_wrap=True)
    if stake := stake_of(each, language):
        out.print(f"  {stake}", style="yellow", soft_wrap=True)
    out.print(f"  {each.id}", style="dim", soft_wrap=True)


def _json(each: "Proposal", language: Language) -> dict[str, object]:
    from veridical.onboarding.wording import evidence_of, stake_of

    texts = {"id": each.id, "evidenceText": evidence_of(each, language)}
    return {
        **texts,
        "stakeText": stake_of(each, language),
        **each.model_dump(mode="json", by_alias=True),
    }
