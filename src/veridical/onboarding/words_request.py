"""Requests to a model for the meaning of a table and its columns, by their names alone.

No row leaves the database. Each answer is kept at once, so that no answer is paid for twice.
"""

import time
from collections.abc import Callable
from pathlib import Path

from pydantic_ai.models import Model

from veridical.contracts.language import Language
from veridical.messages import message
from veridical.onboarding.model_json import Ask, filled_form
from veridical.onboarding.record import append_words, read_words
from veridical.onboarding.table_words import TableWords
from veridical.ontology.model import Entity, OntologyDescriptor

TOOL = "tableWords"
MOST_TABLES = 60
_MOST_COLUMNS = 60
_MOST_TOKENS = 4000


async def ask_for_words(
    ontology: OntologyDescriptor,
    project: Path,
    model: Model,
    seconds: float,
    progress: Callable[[int, int], None],
) -> None:
    """Keeps a model's words for the first tables of the ontology without any, as long as there is
    time. Never raises for errors of a model."""
    known = read_words(project)
    wanted = [each for each in ontology.entities if each.name not in known][:MOST_TABLES]
    until = time.monotonic() + seconds
    for number, entity in enumerate(wanted, 1):
        left = until - time.monotonic()
        if left <= 0:
            return
        words = await table_words(entity, model, left)
        if words is not None:
            append_words(project, words)
        progress(number, len(wanted))


async def table_words(entity: Entity, model: Model, seconds: float) -> TableWords | None:
    """The model's words about one table; None if it fails or answers something else."""
    columns = ", ".join(f"{each.name} ({each.type})" for each in entity.fields[:_MOST_COLUMNS])
    named = {"table": entity.name, "columns": columns}
    request = message("onboarding.words_request", Language.EN, **named)
    ask = Ask(
        TOOL,
        message("onboarding.words_tool", Language.EN),
        message("onboarding.words_instructions", Language.EN),
        TableWords.model_json_schema(),
        _MOST_TOKENS,
    )
    words = await filled_form(ask, TableWords, request, model, seconds)
    return words.model_copy(update={"table": entity.name}) if words else None
