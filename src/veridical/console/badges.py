"""The numbers of the navigation, and the steps of the checklist that are done: read once for each
page that a person opens."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from fastapi import Request
from sqlalchemy import text

from veridical.console.navigation import INBOX, REVIEWS
from veridical.console.tour import TOUR_COOKIE, ticks
from veridical.server.identity import Action, Identity
from veridical.server.routes.inbox import decider_of
from veridical.server.services import Services
from veridical.store.false_blocks import undecided_count
from veridical.store.feedback import wrong_answers

_DONE = text("""
    SELECT EXISTS (SELECT FROM veridical.runs WHERE tenant = :tenant AND caller = :name
                   AND outcome IN ('pattern', 'agent')) AS ask,
           EXISTS (SELECT FROM veridical.runs WHERE tenant = :tenant AND caller = :name
                   AND outcome IN ('unknown', 'askBack')) AS refused,
           EXISTS (SELECT FROM veridical.decisions WHERE tenant = :tenant AND decided_by = :name
                   AND NOT automatic) AS inbox
""")


@dataclass(frozen=True, slots=True)
class Badges:
    """What a person is shown on every page."""

    counts: Mapping[str, int] = field(default_factory=dict[str, int])
    """By the name of the number: how many things wait for this person."""
    done: frozenset[str] = frozenset()
    """The steps of the checklist."""


NOTHING = Badges()


async def load_badges(request: Request) -> None:
    """Reads them for whoever opens a page, not for its parts."""
    if request.method == "GET" and "hx-request" not in request.headers:
        await read_badges(request)


async def read_badges(request: Request) -> None:
    """Reads them as they are now."""
    identity: Identity | None = getattr(request.state, "identity", None)
    if identity is None:
        return
    services: Services = request.app.state.services
    with_tour = TOUR_COOKIE in request.cookies
    found = await asyncio.to_thread(_read, services, identity, with_tour=with_tour)
    request.state.badges = Badges(found.counts, found.done | ticks(request))


def badges_of(request: Request) -> Badges:
    """Those that were read for this page."""
    return getattr(request.state, "badges", NOTHING)


def _read(services: Services, identity: Identity, *, with_tour: bool) -> Badges:
    counts = {INBOX: services.inbox.count_for(decider_of(identity))}
    with services.store.tenant(identity.tenant) as connection:
        if Action.ADMIN in identity.actions:
            counts[REVIEWS] = undecided_count(connection) + wrong_answers(connection)
        if not with_tour:
            return Badges(counts)
        given = {"tenant": identity.tenant, "name": identity.name}
        row = connection.execute(_DONE, given).mappings().one()
    return Badges(counts, frozenset(name for name, is_done in row.items() if is_done))
