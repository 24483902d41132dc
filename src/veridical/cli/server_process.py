"""Implementation of ``veridical serve`` and ``veridical demo``: opens everything, then
listens."""

import asyncio
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from socket import socket

from fastapi import FastAPI
from pydantic import ValidationError

from veridical.cli.error_reporting import UsageError, mistaken_setting, out
from veridical.cli.own_database import has_own_database, own_settings
from veridical.cli.runtime import reported_setup_errors
from veridical.cli.sample_server import sample_server
from veridical.cli.terminal import log_to_terminal
from veridical.cli.workspace import is_workspace, workspace
from veridical.console.mount import add_console
from veridical.console.one_time_link import OneTimeLink
from veridical.contracts.language import Language
from veridical.contracts.person import Approvals, ItemKind
from veridical.contracts.question import Question
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.host.settings import FeatureSettings, read_runtime_settings
from veridical.messages import message
from veridical.sample.folder import sample_folder
from veridical.sample.postgres import Started
from veridical.sample.settings import resampled, sampled
from veridical.server.answerer import Answerer, start_run
from veridical.server.app import create_app
from veridical.server.listener import AddressUnavailableError, listen, open_socket
from veridical.server.oidc_settings import OidcSettings, read_oidc_settings
from veridical.server.routes.inbox import entries_for
from veridical.server.services import Services
from veridical.server.settings import ServerSettings, read_server_settings
from veridical.server.startup import open_services
from veridical.store.connection import UnreachableError
from veridical.word_file import word_file

_SAMPLE = "trustee"
_SAMPLE_QUESTION: str = word_file("veridical.server.routes", "examples.toml")["short_balance"]
_LOOPBACK = "127.0.0.1"
_LOCAL = frozenset({_LOOPBACK, "::1", "localhost"})
_LOOKED_AT = 50
"""Number of inbox items searched for an approval."""


@dataclass(frozen=True, slots=True)
class Demo:
    """The start of a demo, once it can be reached."""

    begin: Callable[[str, str], None]
    """Called with the link that signs in, and the key."""
    started: Started | None = None
    """Its PostgreSQL, where it was started ahead."""


def run_server(
    host: str | None,
    port: int | None,
    database: str | None,
    language: Language,
    *,
    sample: bool,
    own: FeatureSettings | None = None,
    demo: Demo | None = None,
) -> None:
    """Serve until asked to stop. ``own`` is data that was named instead of the settings' features:
    without a database for Veridical's own tables, one is brought along as for the sample. A
    ``demo`` has documents too, and a link that signs in."""
    settings = _server_settings(host, port, language)
    oidc = _oidc_settings(language)
    begin = demo.begin if demo is not None else None
    home: Path | None = None
    log_to_terminal()
    with ExitStack() as stack:
        stack.enter_context(reported_setup_errors(language))
        listener = stack.enter_context(_listener(settings, language))
        if sample or (own is not None and not has_own_database()):
            tried = stack.enter_context(
                sample_server(
                    language,
                    own,
                    documents=demo is not None and own is None,
                    started=demo.started if demo is not None else None,
                )
            )
            runtime, runs, key = (lambda: tried.runtime), tried.runs, tried.key
            settings = _maintained(settings, tried.tenant)
        elif own is not None:
            settled = replace(read_runtime_settings(), features=(own,))
            runtime, runs, key = (lambda: settled), own_settings(None, language), ""
        else:
            configured = read_runtime_settings()
            started, folder = None, sample_folder()
            if database is None and is_workspace(settings.host, configured.features):
                served = stack.enter_context(workspace(configured.features, language))
                settings = _maintained(settings, served.tenant)
                runs, key, started = served.runs, served.key, lambda: served.postgres
                begin = partial(_show_link, language)
            else:
                runs, key = own_settings(database, language), ""
            first = stack.enter_context(sampled(configured, folder, started))
            runtime = partial(resampled, first)
            home = SETTINGS_FILE.parent

        link = OneTimeLink(key, with_tour=sample) if begin and key else None

        def ready() -> None:
            _announce(listener, settings, language)
            if link is not None and begin is not None:
                begin(f"{_address(listener)}{link.path()}", key)
            elif key:
                _show_how(listener, key, language, own)

        async def serve() -> None:
            async with open_services(settings, runtime, runs, oidc, home) as services:
                app = create_app(services)
                if settings.console:
                    add_console(app, link)
                if link is not None and link.with_tour:
                    await ask_for_approval(app, key, _SAMPLE, language)
                await listen(app, listener, settings, ready, services.current.renew)

        try:
            asyncio.run(serve())
        except UnreachableError as error:
            raise UsageError(error.message(language)) from error
    _line(message("serve.stopped", language))


def _server_settings(host: str | None, port: int | None, language: Language) -> ServerSettings:
    named = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    try:
        return read_server_settings().model_copy(update=named)
    except ValidationError as error:
        raise mistaken_setting(error, language) from error


def _maintained(settings: ServerSettings, tenant: str) -> ServerSettings:
    """The settings of a server whose one tenant looks after it, and may use models beside it."""
    hosts = (*settings.model_hosts, *sorted(_LOCAL))
    return settings.model_copy(update={"maintainers": (tenant,), "model_hosts": hosts})


def _oidc_settings(language: Language) -> OidcSettings | None:
    try:
        return read_oidc_settings()
    except ValidationError as error:
        raise mistaken_setting(error, language) from error


def _listener(settings: ServerSettings, language: Language) -> socket:
    try:
        return open_socket(settings)
    except AddressUnavailableError as error:
        place = {"host": settings.host, "port": settings.port, "reason": str(error)}
        raise UsageError(message("serve.no_place", language, **place)) from error


def _address(listener: socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def _announce(listener: socket, settings: ServerSettings, language: Language) -> None:
    _line(message("serve.listening", language, address=_address(listener)))
    if settings.host not in _LOCAL:
        out.print(message("serve.without_tls", language), style="yellow")


def _show_how(listener: socket, key: str, language: Language, own: FeatureSettings | None) -> None:
    feature = own.name if own else _SAMPLE
    question = message("serve.own_question", language) if own else _SAMPLE_QUESTION
    message_key = "serve.own_key" if own else "serve.sample_key"
    _line(message(message_key, language, written=key))
    _line(message("serve.sample_try", language))
    _line(
        f"  curl {_address(listener)}/v1/ask -H 'Authorization: Bearer {key}'"
        " -H 'Content-Type: application/json'"
        f' -d \'{{"feature": "{feature}", "question": "{question}"}}\''
    )


def _show_link(language: Language, link: str, key: str) -> None:
    _line(message("serve.demo_link", language, link=link))
    _line(message("serve.demo_key", language, written=key))
    _line(message("serve.demo_end", language))


def _line(text: str) -> None:
    """Print on one line however long, so that it can be copied."""
    out.print(text, soft_wrap=True)


def serve_demo(
    port: int,
    language: Language,
    *,
    opens_browser: bool,
    own: FeatureSettings | None = None,
    started: Started | None = None,
) -> None:
    """Serve until Ctrl+C, on this machine alone; with data of one's own instead of the sample, and
    with a PostgreSQL that is ``started`` already where there is one."""

    def begin(link: str, key: str) -> None:
        _show_link(language, link, key)
        if opens_browser:
            webbrowser.open(link)

    demo = Demo(begin, started)
    run_server(_LOOPBACK, port, None, language, sample=own is None, own=own, demo=demo)


async def ask_for_approval(app: FastAPI, key: str, feature: str, language: Language) -> None:
    """Ask as a colleague of the key's owner, who may then approve it: so the inbox is not empty.

    The worker looks the rows up and asks whether the answer may rest on them. Nothing is asked
    where an approval waits from an earlier time.
    """
    services: Services = app.state.services
    here: Answerer = app.state.answerer
    viewer = await services.identify(f"Bearer {key}")
    identity = replace(viewer, name=message("serve.demo_colleague", language), people=())
    waiting = await entries_for(services, identity, _LOOKED_AT, None, everything=False)
    if any(each.kind is ItemKind.EVIDENCE for each in waiting):
        return
    text = message("serve.demo_approval", language)
    question = Question(text=text, feature=feature, language=language)
    caller = here.caller(identity, feature, language)
    await start_run(services, identity, question, caller, Approvals(evidence=True))
