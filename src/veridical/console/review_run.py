"""The view of a review of requirements by the team: its progress, its question, and its result."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from sqlalchemy import Connection, text

from veridical.console.page import part
from veridical.console.relation_graph import Graph, Link, graph_of, links_of
from veridical.console.run_events import event_page
from veridical.console.step_view import status_after
from veridical.contracts.language import Language
from veridical.contracts.requirements_review import ReviewedRequirement, ReviewOutcome
from veridical.contracts.trace import Answered, Event, PersonAsked, PersonDecided, Reviewed
from veridical.requirements.finding import PASS_MARK
from veridical.runs.state import RunStatus


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of a rewrite: ``same``, ``added``, ``gone`` or ``placeholder``.

    The text has the spaces around it that the rewrite has: stretches are shown side by side.
    """

    kind: str
    text: str


def changes(before: str, after: str) -> list[Change]:
    """The rewrite with what it keeps, adds and asks for; what is gone from the source."""
    old, new = _words(before), _words(after)
    found: list[Change] = []
    matcher = SequenceMatcher(None, _bare(old), _bare(new), autojunk=False)
    for kind, start, end, new_start, new_end in matcher.get_opcodes():
        if kind in ("delete", "replace"):
            found.append(Change("gone", f"{''.join(old[start:end]).strip()} "))
        if kind in ("insert", "replace"):
            found += _added("".join(new[new_start:new_end]))
        if kind == "equal":
            found.append(Change("same", "".join(new[new_start:new_end])))
    return found


def _words(text: str) -> list[str]:
    """Each word with the space behind it."""
    return re.findall(r"\S+\s*", text)


def _bare(words: list[str]) -> list[str]:
    return [word.rstrip() for word in words]


def _added(text: str) -> list[Change]:
    """The new text, with placeholders apart: they are questions."""
    pieces = re.split(r"(\[[^\]]*\])", text)
    return [
        Change("placeholder" if place % 2 else "added", piece)
        for place, piece in enumerate(pieces)
        if piece
    ]


_COUNT = text("""
    SELECT jsonb_array_length(request -> 'review' -> 'requirements') FROM veridical.run_requests
    WHERE run_id = :run_id AND tenant = :tenant AND jsonb_typeof(request -> 'review') = 'object'
""")
_MOST_EVENTS = 5_000


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """The progress of a review."""

    evaluated: int
    requirements: int
    last: int = -1
    """The number of the last event that this is known from."""


@dataclass(frozen=True, slots=True)
class RequirementOutcome:
    """The team's result for one requirement."""

    found: ReviewedRequirement
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class OutcomeView:
    """The result of a review."""

    requirements: tuple[RequirementOutcome, ...]
    links: tuple[Link, ...]
    graph: Graph | None
    mark: float = PASS_MARK
    """The score from which a requirement is good enough."""


def review_progress(connection: Connection, run_id: str, tenant: str) -> ReviewProgress | None:
    """The progress of a review; none where this tenant has no such review."""
    count = connection.scalar(_COUNT, {"run_id": run_id, "tenant": tenant})
    if count is None:
        return None
    found = event_page(connection, run_id, tenant, -1, _MOST_EVENTS)
    if found is None:
        return ReviewProgress(0, count)
    counts = [event.evaluated for _, event in found.events if isinstance(event, Reviewed)]
    return ReviewProgress(max(counts, default=0), count, found.last)


def rendered_progress(run_id: str, number: int, event: Event, language: Language) -> str:
    """The part of the page that an event of a review changes; empty where none."""
    if isinstance(event, Reviewed):
        progress = ReviewProgress(event.evaluated, event.requirements)
        status = RunStatus.RUNNING
        return part(language, "part_review_progress.html", progress=progress, status=status)
    if isinstance(event, PersonAsked | PersonDecided | Answered):
        return part(language, "part_state.html", status=status_after(event))
    return ""


def outcome_view(outcome: ReviewOutcome) -> OutcomeView:
    """The result of a review, with the changes of each rewrite."""
    pairs: tuple[dict[str, Any], ...] = outcome.duplicates or ()
    links = links_of(pairs)
    return OutcomeView(
        requirements=tuple(
            RequirementOutcome(each, tuple(changes(each.original_text, each.corrected_text)))
            for each in outcome.requirements
        ),
        links=links,
        graph=graph_of(links),
    )
