"""Implementation of ``veridical worker``: checks the database, opens the runtime, works until
stopped."""

import asyncio
from contextlib import closing, suppress
from dataclasses import replace

import typer
from sqlalchemy.exc import SQLAlchemyError

from veridical.answering.session import Emit, Session
from veridical.cli.error_reporting import UsageError, err
from veridical.cli.runtime import opened_runtime, reported_setup_errors
from veridical.cli.terminal import log_to_terminal
from veridical.contracts.caller import Caller
from veridical.contracts.language import Language
from veridical.host.certified_questions import CertifiedQuestions
from veridical.host.current_runtime import CurrentRuntime
from veridical.host.reload_signal import on_reload_signal, watched_files
from veridical.host.runtime import reopen_runtime
from veridical.host.settings import read_runtime_settings
from veridical.messages import message
from veridical.runs.process_end import end_process, stop_events
from veridical.runs.question_verifier import QuestionVerifier
from veridical.runs.retry import is_transient
from veridical.runs.settings import RunsSettings
from veridical.runs.worker import Worker
from veridical.sample.folder import sample_folder
from veridical.sample.settings import resampled, sampled
from veridical.store.connection import Store, UnreachableError
from veridical.store.kept_results import StoredResults
from veridical.store.migrate import fits

_WITHOUT_DATABASE = 1
"""The exit code where nothing could be handed back."""
_LOOK_SECONDS = 2.0
_DRAIN_SECONDS = 3600.0
"""Runs that are under way when everything is reloaded end with what they began with."""


def run_worker(settings: RunsSettings, language: Language) -> None:
    """Work until SIGTERM or SIGINT; without its database it ends as an error. Raises
    ``UsageError`` when something is missing."""
    log_to_terminal()
    code = asyncio.run(_work(settings, language))
    if code:
        raise typer.Exit(code)


async def _work(settings: RunsSettings, language: Language) -> int:
    stop, at_once = stop_events()
    await _wait_for_database(settings, language, stop)
    is_handed_back = stop.is_set() or await _work_on(settings, language, stop, at_once)
    _say("durable.stopped" if is_handed_back else "durable.stopped_without", language)
    code = 0 if is_handed_back else _WITHOUT_DATABASE
    end_process(code)
    return code


async def _work_on(
    settings: RunsSettings, language: Language, stop: asyncio.Event, at_once: asyncio.Event
) -> bool:
    store = Store(settings.database_url, connections=2, pgbouncer=settings.pgbouncer)
    certified = CertifiedQuestions.of_worker(store)
    configured = replace(
        read_runtime_settings(),
        own_database=settings,
        certified=certified,
        results=StoredResults.of_worker(store),
    )
    with (
        closing(store),
        reported_setup_errors(language),
        sampled(configured, sample_folder()) as first,
    ):
        async with opened_runtime(first, language) as runtime:
            features = ", ".join(sorted(runtime.features))
            _say("durable.works", language, features=features)
            current = CurrentRuntime(
                runtime, lambda: reopen_runtime(resampled(first)), _DRAIN_SECONDS
            )

            def session(feature: str, caller: Caller, emit: Emit) -> Session:
                certified.look_if_old(caller.member_of)
                return current.session(feature, caller, emit)

            verifier = QuestionVerifier(store, lambda name: current.now.features.get(name))
            try:
                with (
                    on_reload_signal(current.renew, stop.set),
                    watched_files(lambda: current.files, current.renew),
                    verifier.at_work(),
                ):
                    return await Worker(settings, session).work(stop, at_once)
            finally:
                await current.close()


async def _wait_for_database(
    settings: RunsSettings, language: Language, stop: asyncio.Event
) -> None:
    """Wait until the database answers: machines that start together start in any order.

    Raises ``UsageError`` when it answers and is not what a worker needs.
    """
    text = ""
    while not stop.is_set():
        try:
            await asyncio.to_thread(_require_migrated, settings, language)
        except UnreachableError as error:
            if not _comes_back(error):
                raise UsageError(error.message(language)) from error
            if error.message(language) != text:
                text = error.message(language)
                _say("durable.waits", language, reason=text)
        else:
            return
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), _LOOK_SECONDS)


def _require_migrated(settings: RunsSettings, language: Language) -> None:
    store = Store(settings.database_url, connections=1, pgbouncer=settings.pgbouncer)
    try:
        with store.system() as connection:
            is_ready = fits(connection)
    except SQLAlchemyError as error:
        raise UsageError(message("durable.no_database", language)) from error
    finally:
        store.close()
    if not is_ready:
        raise UsageError(message("tenancy.not_migrated", language))


def _comes_back(error: UnreachableError) -> bool:
    """Whether it is the database that is away; an address or a login that is wrong stays wrong."""
    return isinstance(error.__cause__, Exception) and is_transient(error.__cause__)


def _say(key: str, language: Language, **parts: str) -> None:
    err.print(message(key, language, **parts), style="dim")
