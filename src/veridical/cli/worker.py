"""``veridical worker``: takes runs from the queue and answers them, until it is asked to stop."""

from typing import Annotated

import typer

from veridical.cli.error_reporting import reported_errors
from veridical.cli.own_database import Database, In, own_settings
from veridical.contracts.extras import require
from veridical.contracts.language import Language


def worker(
    database: Database = None,
    concurrency: Annotated[
        int | None, typer.Option(help="The most runs at once.", min=1, max=1000)
    ] = None,
    language: In = Language.EN,
) -> None:
    """Answer runs on the features of veridical.toml.

    SIGTERM stops it: running work is finished or handed back to another worker; a second SIGTERM
    hands it back at once.
    """
    with reported_errors(language):
        require("runs")
        settings = own_settings(database, language)
        if concurrency is not None:
            settings = settings.model_copy(update={"worker_concurrency": concurrency})
        from veridical.cli.worker_process import run_worker

        run_worker(settings, language)
