"""The server under test with a model that says what a script says."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from tests.server.serving import served
from tests.server.standing import Standing
from veridical.agent.settings import AgentSettings
from veridical.host.current_runtime import CurrentRuntime
from veridical.server.app import create_app
from veridical.testing.script import Script


@contextmanager
def scripted(server: Standing, script: Script) -> Generator[Standing]:
    """The same services at an address of their own, where the script answers."""
    settings = AgentSettings(model="scripted", stream=True)
    runtime = replace(server.services.runtime, model=script.model, settings=settings)
    services = replace(server.services, current=CurrentRuntime(runtime))
    with served(create_app(services)) as address:
        yield replace(server, services=services, address=address)
