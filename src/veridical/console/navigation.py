"""The navigation: sections by job, each with its pages, for those who may open them; a section of
a module that is switched off has none."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from fastapi import Request

from veridical.server.identity import Action
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import ServicesDep
from veridical.server.settings import Module


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the navigation, with those below its address."""

    path: str
    label: str
    """Key of its name in the message catalogue."""
    needs: Action = Action.READ
    is_maintenance: bool = False
    """True for pages about the whole installation, which only maintainers see."""
    counts: str = ""
    """Name of the number beside it."""
    also: tuple[str, ...] = ()
    """Other addresses that it has."""


@dataclass(frozen=True, slots=True)
class Section:
    """A job with its pages; the first one that somebody may open is its own address."""

    name: str
    """Its label is ``nav_NAME`` of the catalogue."""
    places: tuple[Place, ...]
    module: Module | None = None
    """The module that it belongs to, which a setting can switch off."""

    @property
    def path(self) -> str:
        """Where its link leads."""
        return self.places[0].path

    @property
    def counts(self) -> str:
        """Name of the number beside it."""
        return self.places[0].counts


_CONVERSATIONS = ("/console/c", "/console/conversations", "/console/s")
INBOX, REVIEWS = "inbox", "reviews"
SECTIONS = (
    Section("ask", (Place("/console/ask", "nav_ask", also=_CONVERSATIONS),)),
    Section("inbox", (Place("/console/inbox", "nav_inbox", counts=INBOX),)),
    Section("evidence", (Place("/console/evidence", "nav_evidence", Action.ASK),), Module.EVIDENCE),
    Section(
        "requirements",
        (Place("/console/requirements", "nav_requirements", Action.ASK),),
        Module.REQUIREMENTS,
    ),
    Section(
        "data",
        (
            Place("/console/data", "connect.sources"),
            Place("/console/ontology", "nav_ontology"),
            Place("/console/ontology/upkeep", "ontology.upkeep", Action.ADMIN, True),
        ),
    ),
    Section(
        "quality",
        (
            Place("/console/quality", "quality.weeks", Action.ADMIN),
            Place("/console/runs", "nav_runs"),
            Place("/console/quality/reviews", "quality.reviews", Action.ADMIN, counts=REVIEWS),
            Place("/console/quality/questions", "certified.title", Action.ADMIN),
            Place("/console/quality/evals", "quality.evals", Action.ADMIN, True),
        ),
    ),
    Section(
        "settings",
        (
            Place("/console/settings", "nav_general"),
            Place("/console/sessions", "sessions.title"),
            Place("/console/shares", "share.title"),
            Place("/console/admin", "nav_admin", Action.ADMIN),
            Place("/console/admin/model", "model.agent", Action.ADMIN, True),
            Place("/console/admin/audit", "audit", Action.ADMIN),
        ),
    ),
)


def navigation(
    actions: Collection[Action], modules: Collection[Module], *, maintains: bool
) -> tuple[Section, ...]:
    """The sections of somebody with these permissions."""
    found: list[Section] = []
    for section in SECTIONS:
        if section.module is not None and section.module not in modules:
            continue
        places = tuple(
            each
            for each in section.places
            if each.needs in actions and (maintains or not each.is_maintenance)
        )
        if places:
            found.append(Section(section.name, places, section.module))
    return tuple(found)


def current_place(sections: Iterable[Section], path: str) -> tuple[Section, Place] | None:
    """The section and the page of an address: those with the longest common beginning."""
    found = [
        (section, place)
        for section in sections
        for place in section.places
        if any(path == each or path.startswith(f"{each}/") for each in (place.path, *place.also))
    ]
    return max(found, key=lambda each: len(each[1].path), default=None)


def module_of(path: str) -> Module | None:
    """The module that an address belongs to."""
    found = current_place(SECTIONS, path)
    return found[0].module if found else None


async def require_module(request: Request, services: ServicesDep) -> None:
    """Lets only pages of modules pass that are on. Raises ``ProblemError``."""
    module = module_of(request.url.path)
    if module is not None and module not in services.settings.console_modules:
        raise ProblemError(ProblemCode.NOT_FOUND)
