"""``/console/data``: the connected data, and the way to connect more in the browser."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from starlette.responses import RedirectResponse

from veridical.console.connecting import Attempt, Connections, NewData
from veridical.console.form import MOST_UPLOADS, field, form_of, parse_uploads
from veridical.console.known_questions import known_questions
from veridical.console.maintenance import MaintainerAccess, is_maintainer, may_connect
from veridical.console.page import language_of, page
from veridical.engines.address import with_password
from veridical.engines.data_file import FORMATS
from veridical.engines.registry import SHIPPED
from veridical.messages import message
from veridical.onboarding.connection import (
    CONNECTED,
    is_feature_name,
    kind_of,
    suggested_name,
)
from veridical.onboarding.decisions import open_decisions
from veridical.onboarding.record import read_proposals
from veridical.onboarding.unread import unread
from veridical.ontology.errors import LoadError
from veridical.server.answerer import Answerer, AnswererDep
from veridical.server.auth import ReadAccess
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.tools.suggested_questions import Suggestion

DATA = "/console/data"
UPLOAD = f"{DATA}/connect/file"
router = APIRouter(prefix=DATA)

_LONGEST_ADDRESS = 2_000
_FIRST_QUESTIONS = 8
_EXAMPLES = tuple(
    each.addresses[0] for each in SHIPPED if each.name in {"postgres", "sqlite", "duckdb", "mysql"}
)


async def connections_of(request: Request) -> Connections:
    """The connections of the application that received this request."""
    return request.app.state.connections


ConnectionsDep = Annotated[Connections, Depends(connections_of)]


async def _home(identity: MaintainerAccess, services: ServicesDep) -> Path:
    if services.home is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return services.home


HomeDep = Annotated[Path, Depends(_home)]
"""Lets only maintainers pass, where data may be connected at all."""


@dataclass(frozen=True, slots=True)
class DataView:
    """One feature in the list."""

    name: str
    dialect: str
    tables: int
    rules: int
    questions: int
    open: int
    """Proposals that nobody has decided on."""
    is_removable: bool


@router.get("")
async def show(
    request: Request, identity: ReadAccess, services: ServicesDep, here: AnswererDep
) -> Response:
    """What there is to ask about, and how well it is known."""
    names = here.features(identity)
    maintains = is_maintainer(services, identity)
    found = await asyncio.to_thread(_views, services, names, removable=maintains)
    return page(
        request,
        "data.html",
        found=found,
        maintains=maintains,
        may_connect=may_connect(services, identity),
        model=services.runtime.settings.model if services.runtime.model else "",
        has_model=services.runtime.model is not None,
    )


@router.get("/connect")
async def form(request: Request, identity: MaintainerAccess, home: HomeDep) -> Response:
    """The two ways to connect data."""
    return _form(request)


@router.post("/connect/file")
async def upload(
    request: Request, identity: MaintainerAccess, home: HomeDep, connections: ConnectionsDep
) -> Response:
    """Connects the uploaded files as one body of data, one table each."""
    language = language_of(request)
    fields, files = await parse_uploads(request.headers, await request.body(), MOST_UPLOADS)
    if not files:
        return _form(request, message("connect.choose_file", language))
    if len({each.name.casefold() for each in files}) < len(files):
        return _form(request, message("connect.same_name", language))
    name = field(fields, "name") or suggested_name(files[0].name)
    if not is_feature_name(name):
        return _form(request, message("connect.name_unfit", language), name=name)
    return _begun(connections.begin(identity, NewData(name, files), home, language))


@router.post("/connect/address")
async def address(
    request: Request, identity: MaintainerAccess, home: HomeDep, connections: ConnectionsDep
) -> Response:
    """Connects the database behind an address, which is never shown again."""
    language = language_of(request)
    fields = await form_of(request)
    wanted, password = field(fields, "address", _LONGEST_ADDRESS), field(fields, "password")
    schemas = tuple(each for each in field(fields, "schemas").replace(",", " ").split() if each)
    name = field(fields, "name")
    try:
        kind_of(wanted)
        wanted = with_password(wanted, password)
        name = name or suggested_name(wanted)
    except LoadError as error:
        return _form(request, error.message(language), name=name)
    if not is_feature_name(name):
        return _form(request, message("connect.name_unfit", language), name=name)
    data = NewData(name, address=wanted, schemas=schemas)
    return _begun(connections.begin(identity, data, home, language))


@router.get("/connect/{attempt_id}")
async def progress(
    request: Request,
    identity: MaintainerAccess,
    services: ServicesDep,
    here: AnswererDep,
    connections: ConnectionsDep,
    attempt_id: str,
) -> Response:
    """How far it is; then what was found, and the first questions."""
    attempt = _attempt(connections, identity, attempt_id)
    language = language_of(request)
    return page(
        request,
        "connecting.html",
        attempt=attempt,
        decisions=len(open_decisions(attempt.found.look.proposals)) if attempt.found else 0,
        questions=_questions(request, identity, here, attempt),
        agent_is_off=services.runtime.model is None,
        unread=tuple(unread(attempt.found.look, language)) if attempt.found else (),
    )


@router.get("/connect/{attempt_id}/state")
async def state(
    request: Request, identity: MaintainerAccess, connections: ConnectionsDep, attempt_id: str
) -> Response:
    """The part of that page that changes; the whole page when it is over."""
    attempt = _attempt(connections, identity, attempt_id)
    shown = page(request, "part_connecting.html", attempt=attempt)
    if attempt.is_over:
        shown.headers["hx-redirect"] = f"{DATA}/connect/{attempt.id}"
    return shown


@router.post("/{name}/remove")
async def remove(
    request: Request,
    identity: MaintainerAccess,
    home: HomeDep,
    connections: ConnectionsDep,
    name: str,
) -> Response:
    """Removes data that was connected here."""
    if not await connections.remove(identity, name, home):
        raise ProblemError(ProblemCode.NOT_FOUND)
    return RedirectResponse(DATA, 303)


def _begun(attempt: Attempt) -> Response:
    return RedirectResponse(f"{DATA}/connect/{attempt.id}", 303)


def _attempt(connections: Connections, identity: Identity, attempt_id: str) -> Attempt:
    found = connections.find(identity, attempt_id)
    if found is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return found


def _form(request: Request, problem: str = "", name: str = "") -> Response:
    services: Services = request.app.state.services
    return page(
        request,
        "connect.html",
        problem=problem,
        name=name,
        formats=FORMATS,
        most=MOST_UPLOADS,
        megabytes=services.settings.upload_bytes // 1_048_576,
        examples=_EXAMPLES,
    )


def _questions(
    request: Request, identity: Identity, here: Answerer, attempt: Attempt
) -> list[Suggestion]:
    """The first questions about data that was just connected."""
    if attempt.found is None or attempt.is_closed:
        return []
    known = known_questions(request, identity, here, attempt.data.name)
    return [each for each in known if each.ask][:_FIRST_QUESTIONS]


def _views(services: Services, names: tuple[str, ...], *, removable: bool) -> list[DataView]:
    found: list[DataView] = []
    for name in names:
        feature = services.runtime.feature(name)
        ontology = services.runtime.ontologies.get(name)
        connected = services.home is not None and (services.home / CONNECTED / name).is_dir()
        proposals = read_proposals(ontology.parent) if ontology else []
        view = DataView(
            name=name,
            dialect=feature.engine.database.dialect,
            tables=len(feature.schema.tables),
            rules=len(feature.ontology.constraints),
            questions=len(feature.ontology.canonical_patterns),
            open=len(open_decisions(proposals)),
            is_removable=removable and connected,
        )
        found.append(view)
    return found
