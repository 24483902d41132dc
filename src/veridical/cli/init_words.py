"""What ``veridical init`` asks the configured model: words for tables, and the rules of a page."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.cli.error_reporting import err, out
from veridical.cli.terminal import counting
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE, table
from veridical.messages import message
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import file_text

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from veridical.onboarding.look import Look
    from veridical.onboarding.proposal import Proposal

_MODEL = "VERIDICAL_MODEL"
_SECONDS = 180.0
_PAGE_SECONDS = 900.0
_Ask = Callable[["Model", Callable[[int, int], None]], Coroutine[Any, Any, None]]


def with_model_words(
    ontology: OntologyDescriptor, folder: Path, language: Language
) -> OntologyDescriptor:
    """The ontology with the words of the model that is configured; as it is where none is.

    Ctrl+C keeps the words received so far; the next ``init`` goes on there.
    """
    if not _has_model():
        return ontology
    from veridical.onboarding.record import read_words
    from veridical.onboarding.table_words import with_words
    from veridical.onboarding.words_request import ask_for_words

    async def ask(model: "Model", progress: Callable[[int, int], None]) -> None:
        await ask_for_words(ontology, folder, model, _SECONDS, progress)

    name = _with_model(ask, "describing", language)
    described = with_words(ontology, read_words(folder))
    count = {"count": len(described.drafts), "model": name}
    out.print(message("onboarding.described", language, **count))
    return described


def with_page(look: "Look", page: Path, folder: Path, language: Language) -> "Look":
    """The look with the rules that a page states, as open proposals; as it is without a model."""
    if not _has_model():
        err.print(message("onboarding.page_needs_model", language, file=page), style="yellow")
        return look
    from veridical.onboarding.page_request import ask_about_page
    from veridical.onboarding.record import with_decisions, write_proposals

    text = file_text(page)
    found: list[Proposal] = []

    async def ask(model: "Model", progress: Callable[[int, int], None]) -> None:
        tables = look.tables.values()
        found.extend(await ask_about_page(text, tables, model, _PAGE_SECONDS, progress))

    _with_model(ask, "reading_page", language)
    new = {each.id for each in found}
    kept = (each for each in look.proposals if each.id not in new)
    proposals = with_decisions((*kept, *found), look.proposals)
    write_proposals(folder, proposals)
    out.print(message("onboarding.page_read", language, count=len(found), file=page))
    return replace(look, proposals=tuple(proposals))


def _has_model() -> bool:
    return bool(os.environ.get(_MODEL) or table(SETTINGS_FILE, "model"))


def _with_model(ask: _Ask, progress_key: str, language: Language) -> str:
    """Runs the requests to the configured model; the model's name."""
    require("agent")
    from veridical.agent.provider import ModelNotConfiguredError, open_model
    from veridical.agent.settings import read_settings

    settings = read_settings()

    async def run() -> None:
        async with open_model(settings) as model:
            with counting(message(f"onboarding.{progress_key}", language)) as progress:
                await ask(model, progress)

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        err.print(message("onboarding.interrupted", language), style="yellow")
    except ModelNotConfiguredError as error:
        err.print(error.message(language), style="yellow")
    return settings.model
