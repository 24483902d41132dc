"""The server under test with a model that says what a script says."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace

from fastapi import FastAPI

from tests.server.serving import served
from tests.server.standing import Standing
from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.host.current_runtime import CurrentRuntime
from veridical.server.app import create_app
from veridical.testing.script import Script


@contextmanager
def scripted(
    server: Standing,
    script: Script,
    furnish: Callable[[FastAPI], None] = lambda app: None,
    form: AnswerForm = AnswerForm.TEXT,
) -> Generator[Standing]:
    """The same services at an address of their own, where the script answers; ``furnish`` adds to
    the application."""
    settings = AgentSettings(model="scripted", stream=True, answer_form=form)
    runtime = replace(server.services.runtime, model=script.model, settings=settings)
    services = replace(server.services, current=CurrentRuntime(runtime))
    app = create_app(services)
    furnish(app)
    with served(app) as address:
        yield replace(server, services=services, address=address)
