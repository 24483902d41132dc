"""``/console/ontology/rules``: rules are added as sentences, with their effect on what ran."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from veridical.console.constraint_effect import Effect, effect_of, past_statements
from veridical.console.form import field, form_of
from veridical.console.ontology_changes import OntologyEditor, OntologyEditorDep
from veridical.console.page import language_of, page
from veridical.console.quality import DAYS
from veridical.console.routes.ontology_edit import (
    REFUSED_EDITS,
    entity_named,
    reasons,
    shown_as_saved,
)
from veridical.console.rule_sentence import (
    MOST_VALUES,
    SENTENCES,
    Blanks,
    Sentence,
    constraint_of,
    part_of,
    sentence_named,
    sentence_of,
    unfit_blanks,
)
from veridical.messages import message
from veridical.onboarding.edits import OutdatedEditError
from veridical.ontology.editable import Part, PartKind, values_of
from veridical.ontology.model import Constraint, OntologyDescriptor
from veridical.server.problem import ProblemCode, ProblemError

RULES = "/console/ontology/rules"
router = APIRouter(prefix=RULES)

_LISTED = 50
_CHANGES = {"remove": None, "enforce": False, "warn": True}
"""What becomes of a rule: none, or whether it only warns."""


def blanks_of(
    subject: str = "",
    other: str = "",
    values: Annotated[str, Query(max_length=20_000)] = "",
    strength: str = "refuse",
) -> Blanks:
    """What the address of a page says that was filled in; one value a line."""
    lines = tuple(dict.fromkeys(filter(None, map(str.strip, values.splitlines()))))
    return Blanks(subject, other, lines[:MOST_VALUES], warns=strength == "warn")


BlanksDep = Annotated[Blanks, Depends(blanks_of)]


@router.get("")
async def show(
    request: Request,
    editor: OntologyEditorDep,
    blanks: BlanksDep,
    entity: str = "",
    sentence: str = "",
    look: bool = False,
) -> Response:
    """The sentences; a chosen one with its blanks; a filled-in one with its effect."""
    return await _page(request, editor, entity, sentence_named(sentence), blanks, looks=look)


@router.post("/{feature}")
async def save(request: Request, editor: OntologyEditorDep) -> Response:
    """Adds a rule, or changes whether one is enforced, or removes it."""
    form = await form_of(request)
    language = language_of(request)
    entity = field(form, "entity", 200)
    do = field(form, "do", 20)
    ontology = await editor.ontology()
    if do in _CHANGES:
        part = Part(kind=PartKind.RULE, name=field(form, "rule", 2_000))
        seen = values_of(ontology, part)
        if seen is None:
            raise ProblemError(ProblemCode.NOT_FOUND)
        warns = _CHANGES[do]
        wanted = None if warns is None else {**seen, "warns": warns}
    else:
        blanks = blanks_of(
            *(field(form, name, 20_000) for name in ("subject", "other", "values", "strength"))
        )
        chosen = sentence_named(field(form, "sentence", 40))
        about = entity_named(ontology, entity)
        if chosen is None or about is None or unfit_blanks(chosen, about, blanks):
            raise ProblemError(ProblemCode.UNFITTING_CHOICE)
        part, wanted = part_of(constraint_of(chosen, about, blanks))
        seen = None
    try:
        edit = await editor.save(part, seen, wanted)
    except REFUSED_EDITS as error:
        problems = reasons(error, language)
        if isinstance(error, OutdatedEditError) and seen is None:
            problems = [message("rule.known", language)]
        return await _page(request, editor, entity, problems=problems)
    return shown_as_saved(editor, entity, edit)


async def _page(
    request: Request,
    editor: OntologyEditor,
    entity: str,
    sentence: Sentence | None = None,
    blanks: Blanks | None = None,
    *,
    looks: bool = False,
    problems: list[str] | None = None,
) -> Response:
    ontology = await editor.ontology()
    about = entity_named(ontology, entity) or next(iter(ontology.entities), None)
    if about is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    language = language_of(request)
    blanks = blanks or Blanks()
    found: list[str] = problems or []
    effect: Effect | None = None
    constraint: Constraint | None = None
    if looks and sentence is not None:
        unfit = unfit_blanks(sentence, about, blanks)
        found = [message(f"rule.{key}", language) for key in unfit]
        if not unfit:
            constraint = constraint_of(sentence, about, blanks)
            effect = await asyncio.to_thread(_effect, editor, ontology, constraint)
    return page(
        request,
        "rules.html",
        status=422 if found else 200,
        chosen=editor.feature,
        entities=[each.name for each in ontology.entities],
        entity=about,
        sentences=SENTENCES,
        sentence=sentence,
        blanks=blanks,
        problems=found,
        constraint=constraint,
        text=sentence_of(constraint, language) if constraint else "",
        effect=effect,
        shown=effect.changes[:_LISTED] if effect else (),
        period=DAYS,
    )


def _effect(editor: OntologyEditor, ontology: OntologyDescriptor, constraint: Constraint) -> Effect:
    tenant, feature = editor.identity.tenant, editor.feature
    opened = editor.services.runtime.feature(feature)
    since = datetime.now(UTC) - timedelta(days=DAYS)
    with editor.services.store.tenant(tenant) as connection:
        ran = past_statements(connection, tenant, feature, since)
    after = ontology.model_copy(update={"constraints": (*ontology.constraints, constraint)})
    dialect = opened.engine.database.dialect
    return effect_of(ontology, after, opened.schema, ran, dialect)
