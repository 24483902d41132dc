"""``/console/ontology/edit``: words, formats and judgements are edited, with history and undo."""

from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from pydantic import ValidationError
from starlette.responses import RedirectResponse

from veridical.console.edit_view import edit_views, entity_view, rules_about
from veridical.console.form import Form, form_of
from veridical.console.form import field as entered
from veridical.console.ontology_changes import OntologyEditor, OntologyEditorDep
from veridical.console.ontology_form import (
    Entered,
    entered_entity,
    entered_field,
    entered_judgement,
    fingerprint,
    is_printed_as_figure,
    spelled,
)
from veridical.console.page import language_of, page
from veridical.console.rule_sentence import sentence_of
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.onboarding.edits import Edit, OutdatedEditError, UnfitEditError
from veridical.ontology.editable import Part, PartKind, Values, values_of
from veridical.ontology.errors import LoadError
from veridical.ontology.model import Comparator, Entity, Gender, OntologyDescriptor
from veridical.server.problem import ProblemCode, ProblemError

EDIT = "/console/ontology/edit"
HISTORY = "/console/ontology/history"
router = APIRouter(prefix="/console/ontology")

_LISTED = 100
REFUSED_EDITS = (OutdatedEditError, UnfitEditError, LoadError, ValidationError)
"""The errors of a change that was not made, which ``reasons`` explains."""


@router.get("/edit")
async def show(
    request: Request, editor: OntologyEditorDep, entity: str = "", saved: str = ""
) -> Response:
    """The forms of one entity: its words, its fields and its judgements."""
    done = next((each for each in await editor.edits() if str(each.number) == saved), None)
    return await _page(request, editor, entity, saved=done)


@router.post("/edit/{feature}")
async def save(request: Request, editor: OntologyEditorDep) -> Response:
    """Saves one part as entered; what does not fit is shown again with the reason."""
    form = await form_of(request)
    part, before, given = _read(await editor.ontology(), form)
    language = language_of(request)
    problems = [message(f"edit.unfit_{key}", language) for key in given.unfit]
    if not problems:
        wanted = None if entered(form, "do") == "remove" else given.values
        try:
            if fingerprint(before) != entered(form, "seen"):
                raise OutdatedEditError
            edit = await editor.save(part, before, wanted)
        except REFUSED_EDITS as error:
            problems = reasons(error, language)
        else:
            return shown_as_saved(editor, part.entity, edit)
    return await _page(request, editor, part.entity, problems, part, given.values)


@router.get("/history")
async def history(request: Request, editor: OntologyEditorDep) -> Response:
    """The changes to an ontology, the last one first."""
    return await _history(request, editor)


@router.post("/history/{feature}")
async def take_back(request: Request, editor: OntologyEditorDep) -> Response:
    """Takes back one change."""
    number = entered(await form_of(request), "number", 9)
    if not number.isdecimal():
        raise ProblemError(ProblemCode.NOT_FOUND)
    try:
        await editor.undo(int(number))
    except REFUSED_EDITS as error:
        return await _history(request, editor, reasons(error, language_of(request)))
    return RedirectResponse(f"{HISTORY}?{urlencode({'feature': editor.feature})}", 303)


def reasons(error: Exception, language: Language) -> list[str]:
    """The reasons why a change was not made, for the person who wanted it."""
    match error:
        case OutdatedEditError():
            return [message("edit.outdated", language)]
        case UnfitEditError():
            return [each.text(language) for each in error.drift]
        case ValidationError():
            return [each["msg"].removeprefix("Value error, ") for each in error.errors()]
        case LoadError():
            return [error.message(language)]
        case _:
            raise error


def _read(ontology: OntologyDescriptor, form: Form) -> tuple[Part, Values | None, Entered]:
    """The part that a form is about, its values now, and those that were entered."""
    entity = entity_named(ontology, entered(form, "entity", 200))
    kind, name = entered(form, "kind", 20), entered(form, "name", 200)
    if entity is None or kind not in (PartKind.ENTITY, PartKind.FIELD, PartKind.JUDGEMENT):
        raise ProblemError(ProblemCode.NOT_FOUND)
    part = Part(kind=PartKind(kind), entity=entity.name, name=name)
    before = values_of(ontology, part)
    if part.kind is PartKind.JUDGEMENT:
        return part, before, entered_judgement(form, before, entity)
    if before is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    read = entered_entity if part.kind is PartKind.ENTITY else entered_field
    return part, before, read(form, before)


async def _page(
    request: Request,
    editor: OntologyEditor,
    entity: str,
    problems: list[str] | None = None,
    part: Part | None = None,
    values: Values | None = None,
    saved: Edit | None = None,
) -> Response:
    ontology = await editor.ontology()
    chosen = entity_named(ontology, entity) or next(iter(ontology.entities), None)
    if chosen is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    language = language_of(request)
    return page(
        request,
        "ontology_edit.html",
        status=422 if problems else 200,
        chosen=editor.feature,
        entities=[each.name for each in ontology.entities],
        view=entity_view(ontology, chosen, part, values),
        rules=[(each, sentence_of(each, language)) for each in rules_about(ontology, chosen)],
        problems=problems or (),
        saved=saved,
        comparators=tuple(Comparator),
        genders=tuple(Gender),
        spelled=spelled,
        is_figure=is_printed_as_figure,
    )


async def _history(
    request: Request, editor: OntologyEditor, problems: list[str] | None = None
) -> Response:
    edits = await editor.edits()
    ontology = await editor.ontology()
    return page(
        request,
        "ontology_history.html",
        status=409 if problems else 200,
        chosen=editor.feature,
        edits=edit_views(edits[:_LISTED], ontology, language_of(request)),
        problems=problems or (),
    )


def entity_named(ontology: OntologyDescriptor, name: str) -> Entity | None:
    """The entity of this name."""
    return next((each for each in ontology.entities if each.name == name), None)


def shown_as_saved(editor: OntologyEditor, entity: str, edit: Edit) -> Response:
    """Leads to the forms of the entity, which say what was saved."""
    query = urlencode({"feature": editor.feature, "entity": entity, "saved": edit.number})
    return RedirectResponse(f"{EDIT}?{query}", 303)
