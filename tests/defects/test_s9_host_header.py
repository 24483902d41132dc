"""What a request calls its host leads nobody anywhere: addresses come from the settings."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from tests.console.identity_provider import Provider, identity_provider
from tests.console.pages import signed_in, visitor
from tests.sample import trustee
from tests.server.rights import NEEDS, belongings, body_of
from tests.server.standing import Standing, prepare, standing
from veridical.answering.feature import Feature
from veridical.cli.main import app
from veridical.console.mount import ROUTERS, add_console
from veridical.sample.postgres import LocalPostgres
from veridical.server.identity import Role
from veridical.server.oidc import Tokens
from veridical.server.oidc_sign_in import OidcSignIn

__all__ = ["trustee"]
EVIL = "evil.example"
PUBLIC = "https://veridical.example"


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with identity_provider() as running:
        yield running


@pytest.fixture(scope="module")
def server(
    postgres_server: LocalPostgres, trustee: Feature, provider: Provider
) -> Iterator[Standing]:
    url = postgres_server.create_database("s9_host_header")
    settings = provider.settings(PUBLIC)
    tokens = Tokens(settings)
    with standing(
        url,
        trustee,
        prepare(url),
        tokens=tokens,
        sign_in=OidcSignIn(settings, tokens),
        furnish=add_console,
        docs=True,
    ) as running:
        yield running


@pytest.mark.postgres
@pytest.mark.parametrize("name", ["host", "x-forwarded-host", "forwarded"])
def test_s9_the_provider_sends_people_back_to_the_address_of_the_settings(
    server: Standing, name: str
) -> None:
    value = f"host={EVIL}" if name == "forwarded" else EVIL
    with visitor(server) as client:
        sent = client.get("/console/signin/oidc", headers={name: value})
    assert sent.status_code == 303
    asked = parse_qs(urlsplit(sent.headers["location"]).query)
    assert asked["redirect_uri"] == [f"{PUBLIC}/console/signin/callback"]


@pytest.mark.parametrize(
    "redirect_url",
    [
        "",
        "/console/signin/callback",
        "veridical.example/console/signin/callback",
        "http://veridical.example/console/signin/callback",
        "https://veridical.example/",
        "https://veridical.example/console/signin/callback?next=x",
    ],
)
def test_s9_no_sign_in_with_a_provider_without_a_public_address(
    provider: Provider, redirect_url: str
) -> None:
    with pytest.raises(ValidationError, match="redirect_url"):
        provider.settings(redirect_url=redirect_url)


def test_s9_keys_alone_need_no_public_address(provider: Provider) -> None:
    assert provider.settings(client_id="", redirect_url="").redirect_url == ""


@pytest.mark.parametrize(
    ("language", "word"),
    [("en", "public https address"), ("de", "öffentliche https-Adresse"), ("zh", "公开")],
)
def test_s9_the_server_says_before_it_starts_what_to_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, word: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "veridical.toml").write_text(
        '[oidc]\nissuer = "https://login.example"\naudience = "veridical"\n'
        'jwks_url = "https://login.example/keys"\nclient_id = "console"\n'
    )
    given = ("serve", "--port", "0", "--database", "postgresql://x/y", "--language", language)
    result = CliRunner(env={"COLUMNS": "400"}).invoke(app, given)
    assert result.exit_code == 2
    for each in (word, "redirect_url", "VERIDICAL_OIDC_REDIRECT_URL", "/console/signin/callback"):
        assert each in result.output
    assert "Traceback" not in result.output


@pytest.mark.postgres
def test_s9_no_operation_repeats_the_host_of_the_request(server: Standing) -> None:
    of = belongings(server)
    with server.client(role=Role.ADMIN, headers={"host": EVIL}) as client:
        for method, path in NEEDS:
            if path.endswith(("/events", "/decision", "/keys/{id}")):
                continue
            named = path.replace("{id}", of.run if "runs" in path else of.trace)
            named = named.replace("{feature}", "trustee").replace("{model}", "trustee")
            response = client.request(method, named, json=body_of((method, path), of))
            assert EVIL not in response.text, (method, path)
            assert EVIL not in str(response.headers), (method, path)


@pytest.mark.postgres
def test_s9_no_page_repeats_the_host_of_the_request(server: Standing) -> None:
    pages = {route.path for router in ROUTERS for route in router.routes}  # pyright: ignore
    with signed_in(server) as client:
        for path in sorted(path for path in pages if "{" not in path):
            response = client.get(path, headers={"host": EVIL})
            assert EVIL not in response.text, path
            assert EVIL not in str(response.headers), path
