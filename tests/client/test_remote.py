"""A running server that is asked over HTTP."""

from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from tests.sample import trustee
from tests.server.standing import ACME, Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.cli.main import app
from veridical.client.remote import RemoteError, RemoteServer
from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role

__all__ = ["trustee"]

QUESTION = "Wie hoch war der Saldo von Konto 1020 Ende 2024?"


@pytest.fixture(scope="module")
def server(postgres_server: LocalPostgres, trustee: Feature) -> Iterator[Standing]:
    url = postgres_server.create_database("remote_own")
    with standing(url, trustee, prepare(url)) as running:
        yield running


@pytest.mark.postgres
def test_it_answers(server: Standing) -> None:
    remote = RemoteServer(server.address, server.keys[ACME, Role.ANALYST])
    given = remote.ask(QUESTION)
    assert isinstance(given, Answer)
    assert given.ok
    assert given.language is Language.DE


@pytest.mark.postgres
def test_the_command_shows_its_answer(server: Standing) -> None:
    asked = {"VERIDICAL_ASK_KEY": server.keys[ACME, Role.ANALYST], "COLUMNS": "200"}
    done = CliRunner(env=asked).invoke(app, ["ask", QUESTION, "--server", server.address])
    assert done.exit_code == 0, done.output
    assert "1020" in done.stdout
    assert "gate pass" in done.stdout


@pytest.mark.postgres
@pytest.mark.parametrize("key", ["", "vk_wrong"])
def test_a_wrong_key_is_told(server: Standing, key: str) -> None:
    with pytest.raises(RemoteError, match="refuses"):
        RemoteServer(server.address, key).ask(QUESTION)


@pytest.mark.parametrize(
    "address", ["http://example.com", "ftp://127.0.0.1", "127.0.0.1:8000", "file:///etc/passwd", ""]
)
def test_a_key_is_not_sent_in_the_open(address: str) -> None:
    with pytest.raises(RemoteError, match="https"):
        RemoteServer(address, "vk_secret").ask(QUESTION)


def test_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(RemoteError, match="Is the server running"):
        RemoteServer("http://127.0.0.1:1", "vk_secret").ask(QUESTION)


def test_what_the_server_decides_is_not_taken_from_the_command() -> None:
    words = ["ask", QUESTION, "--server", "http://127.0.0.1:1", "--database", "shop.db"]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "--database" in done.output
