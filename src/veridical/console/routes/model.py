"""``/console/admin/model``: the model behind the agent, for maintainers of the installation."""

import asyncio
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Depends, Request, Response
from starlette.responses import RedirectResponse

from veridical.agent.failure import FailureCode
from veridical.agent.model_address import LONGEST_ADDRESS, AddressRefusedError
from veridical.console.form import Form, field, form_of
from veridical.console.maintenance import MaintainerAccess
from veridical.console.page import language_of, page
from veridical.contracts.language import Language
from veridical.host.model_switch import (
    ChoiceRefusedError,
    ModelChoice,
    ModelSwitch,
    Provider,
)
from veridical.messages import message
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.store.audit import AuditAction, note

if TYPE_CHECKING:
    from veridical.agent.model_trial import Trial

MODEL = "/console/admin/model"
router = APIRouter(prefix=MODEL)

_LONGEST_NAME = 200
_LONGEST_KEY = 1_000
_EXPLAINED = frozenset(
    {
        FailureCode.TIMEOUT,
        FailureCode.CONNECTION,
        FailureCode.AUTHENTICATION,
        FailureCode.NOT_FOUND,
        FailureCode.QUOTA,
        FailureCode.BUSY,
        FailureCode.REJECTED,
        FailureCode.SERVER,
        FailureCode.UNREADABLE,
    }
)
"""Failures with a message of their own."""
_NOTHING_ENTERED = ModelChoice(Provider.COMPATIBLE, "")


async def switch_of(request: Request) -> ModelSwitch:
    """The switch of the server that received this request."""
    return request.app.state.model_switch


SwitchDep = Annotated[ModelSwitch, Depends(switch_of)]


@router.get("")
async def show(request: Request, identity: MaintainerAccess, switch: SwitchDep) -> Response:
    """The current model, and the form to change it."""
    return _page(request, switch)


@router.post("")
async def change(
    request: Request, identity: MaintainerAccess, services: ServicesDep, switch: SwitchDep
) -> Response:
    """Tries a model out, switches it on, or switches it off."""
    fields = await form_of(request)
    match field(fields, "do"):
        case "try" | "on" as wanted:
            choice = _choice(fields)
            return await _tried(request, identity, services, choice, switches=wanted == "on")
        case "check":
            trial = await switch.try_current(language_of(request))
            if trial is None:
                return RedirectResponse(MODEL, 303)
            model, address = switch.state.model, switch.state.address
            await _noted_trial(services, identity, model, address, trial)
            return _page(request, switch, *_trial_text(trial, language_of(request)))
        case "off":
            await _noted_switch(services, identity, "off", switch.state.model)
            switch.turn_off()
        case "settings":
            await _noted_switch(services, identity, "settings", switch.configured)
            switch.as_configured()
        case _:
            raise ProblemError(ProblemCode.UNFITTING_CHOICE)
    return RedirectResponse(MODEL, 303)


async def _tried(
    request: Request,
    identity: Identity,
    services: Services,
    choice: ModelChoice,
    *,
    switches: bool,
) -> Response:
    """The page with the result; switched on where that was wanted and the model answered."""
    language = language_of(request)
    switch: ModelSwitch = request.app.state.model_switch
    try:
        trial = await switch.try_out(choice, language)
        await _noted_trial(services, identity, choice.model, choice.address, trial)
        if switches and trial.is_good:
            await _noted_switch(services, identity, "on", choice.model, choice.address)
            await switch.use(choice)
            return _page(request, switch, message("model.is_on", language), "good")
    except (ChoiceRefusedError, AddressRefusedError) as error:
        return _page(request, switch, _refused(error, language), "bad", choice)
    return _page(request, switch, *_trial_text(trial, language), choice)


def _page(
    request: Request,
    switch: ModelSwitch,
    notice: str = "",
    tone: str = "",
    entered: ModelChoice = _NOTHING_ENTERED,
) -> Response:
    """The page with the entered values, without the key."""
    return page(
        request,
        "model.html",
        address=MODEL,
        state=switch.state,
        configured=switch.configured,
        providers=tuple(Provider),
        entered=entered,
        notice=notice,
        tone=tone,
        longest=LONGEST_ADDRESS,
    )


def _choice(fields: Form) -> ModelChoice:
    provider = field(fields, "provider")
    if provider not in set(Provider):
        raise ProblemError(ProblemCode.UNFITTING_CHOICE)
    return ModelChoice(
        Provider(provider),
        field(fields, "name", _LONGEST_NAME),
        field(fields, "address", LONGEST_ADDRESS + 1).rstrip("/"),
        field(fields, "key", _LONGEST_KEY),
    )


def _trial_text(trial: "Trial", language: Language) -> tuple[str, str]:
    """The result of a trial as text, and whether that is good."""
    if trial.failure is None:
        return message("model.answered", language, seconds=f"{trial.seconds:.1f}"), "good"
    code = trial.failure.code
    reason = code if code in _EXPLAINED else FailureCode.UNEXPECTED
    detail = f" ({trial.failure.detail})" if trial.failure.detail else ""
    return message(f"model.failed_{reason}", language) + detail, "bad"


def _refused(error: ChoiceRefusedError | AddressRefusedError, language: Language) -> str:
    host = error.host if isinstance(error, AddressRefusedError) else ""
    return message(f"model.refused_{error.problem}", language, host=host)


async def _noted_trial(
    services: Services, identity: Identity, model: str, address: str, trial: "Trial"
) -> None:
    outcome = trial.failure.code.value if trial.failure else "answered"
    detail = {"address": address, "outcome": outcome}
    await asyncio.to_thread(_note, services, identity, AuditAction.MODEL_TESTED, model, detail)


async def _noted_switch(
    services: Services, identity: Identity, state: str, model: str, address: str = ""
) -> None:
    detail = {"address": address, "state": state}
    await asyncio.to_thread(_note, services, identity, AuditAction.MODEL_SWITCHED, model, detail)


def _note(
    services: Services,
    identity: Identity,
    action: AuditAction,
    subject: str,
    detail: dict[str, str],
) -> None:
    with services.store.tenant(identity.tenant) as connection:
        note(connection, identity.tenant, identity.name, action, subject, detail)
