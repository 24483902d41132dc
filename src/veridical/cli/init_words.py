"""``veridical init`` with a model: it drafts descriptions and other names, in three languages."""

import asyncio
import os
from pathlib import Path

from veridical.cli.counted_bar import counted_bar
from veridical.cli.error_reporting import err, out
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE, table
from veridical.messages import message
from veridical.ontology.model import OntologyDescriptor

_MODEL = "VERIDICAL_MODEL"
_SECONDS = 180.0


def with_model_words(
    ontology: OntologyDescriptor, folder: Path, language: Language
) -> OntologyDescriptor:
    """The ontology with the words of the model that is configured; as it is where none is.

    Ctrl+C keeps what the model has said; the next ``init`` goes on there.
    """
    if not (os.environ.get(_MODEL) or table(SETTINGS_FILE, "model")):
        return ontology
    require("agent")
    from veridical.agent.provider import ModelNotConfiguredError, open_model
    from veridical.agent.settings import read_settings
    from veridical.onboarding.record import read_words
    from veridical.onboarding.table_words import with_words
    from veridical.onboarding.words_request import ask_for_words

    settings = read_settings()

    async def ask() -> None:
        async with open_model(settings) as model:
            with counted_bar() as bar:
                task = bar.add_task(message("onboarding.describing", language), total=None)

                def progress(done: int, of: int) -> None:
                    bar.update(task, completed=done, total=of)

                await ask_for_words(ontology, folder, model, _SECONDS, progress)

    try:
        asyncio.run(ask())
    except KeyboardInterrupt:
        err.print(message("onboarding.interrupted", language), style="yellow")
    except ModelNotConfiguredError as error:
        err.print(error.message(language), style="yellow")
    told = with_words(ontology, read_words(folder))
    count = {"count": len(told.drafts), "model": settings.model}
    out.print(message("onboarding.described", language, **count), highlight=False, markup=False)
    return told
