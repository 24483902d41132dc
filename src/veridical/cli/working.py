"""What ``veridical worker`` does: look whether all is there, open the office, work until told."""

import asyncio
import logging
import signal

from sqlalchemy.exc import SQLAlchemyError

from veridical.cli.friendly import UsageError, err
from veridical.cli.office import opened_office
from veridical.contracts.language import Language
from veridical.host.settings import read_office_settings
from veridical.messages import say
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import Worker
from veridical.server.redacted_log import redact_logs
from veridical.store.connection import Store, UnreachableError
from veridical.store.migrate import fits

_FORM = "%(asctime)s %(levelname)s %(name)s %(message)s"


def run_worker(settings: RunsSettings, language: Language) -> None:
    """Work until SIGTERM or SIGINT. Raises ``UsageError`` when something is missing."""
    logging.basicConfig(level=logging.WARNING, format=_FORM)
    logging.getLogger("veridical").setLevel(logging.INFO)
    redact_logs()
    _require_migrated(settings, language)
    asyncio.run(_work(settings, language))


async def _work(settings: RunsSettings, language: Language) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with opened_office(read_office_settings(), language) as office:
        features = ", ".join(sorted(office.features))
        err.print(say("durable.works", language, features=features), style="dim", highlight=False)
        await Worker(settings, office.desk).work(stop)
    err.print(say("durable.stopped", language), style="dim", highlight=False)


def _require_migrated(settings: RunsSettings, language: Language) -> None:
    store = Store(settings.database_url, connections=1, pgbouncer=settings.pgbouncer)
    try:
        with store.system() as connection:
            is_ready = fits(connection)
    except UnreachableError as error:
        raise UsageError(str(error)) from error
    except SQLAlchemyError as error:
        raise UsageError(say("durable.no_database", language)) from error
    finally:
        store.close()
    if not is_ready:
        raise UsageError(say("tenancy.not_migrated", language))
