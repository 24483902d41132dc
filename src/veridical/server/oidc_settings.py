"""Settings of the identity provider and its claims: ``[oidc]``."""

from pathlib import Path
from typing import Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict

from veridical.contracts.language import Language
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.contracts.settings_table import merged_table
from veridical.messages import message
from veridical.server.identity import Role

TABLE = "oidc"
"""The table of ``veridical.toml``."""
Algorithm = Literal[
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"
]
"""All of them sign with a key that the provider keeps to itself. A shared secret, or none, is not
among them and can't be configured."""
CALLBACK = "/console/signin/callback"
"""The page to which the provider sends people back."""
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def is_safe_url(url: str) -> bool:
    """Whether what is fetched from there, or sent there, can't be read or altered on its way."""
    parts = urlsplit(url)
    return parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK)


class OidcSettings(BaseSettings):
    """The trusted identity provider. The environment, ``VERIDICAL_OIDC_*``, overrides the file."""

    model_config = SettingsConfigDict(
        env_prefix="VERIDICAL_OIDC_",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    issuer: str = Field(min_length=1)
    """Exactly as the tokens name it in ``iss``."""
    audience: str = Field(min_length=1)
    """The ``aud`` of tokens for this server."""
    jwks_url: str = ""
    """Where the provider publishes its keys: https."""
    jwks_file: Path | None = None
    """Or the same as a file, for where nothing may be fetched."""
    algorithms: tuple[Algorithm, ...] = Field(default=("RS256", "ES256"), min_length=1)
    """The allowed signature algorithms of tokens."""
    tenant_claim: str = Field(default="tenant", min_length=1)
    """The claim that names the tenant."""
    role_claim: str = Field(default="roles", min_length=1)
    """A role or a list of them, perhaps among other things; the highest one counts."""
    name_claim: str = Field(default="sub", min_length=1)
    """Should be one that its bearer can't choose: it says who may not approve their own request."""
    roles: dict[str, Role] = Field(default_factory=lambda: {role.value: role for role in Role})
    """The provider's names of the roles."""
    leeway_seconds: float = Field(default=30, ge=0, le=300)
    """Allowed clock difference."""
    longest_seconds: float = Field(default=86_400, gt=0)
    """Tokens that last longer than this are refused: tokens can't be revoked."""
    needs_not_before: bool = True
    """Some providers leave ``nbf`` out: then this must be off. One that is there always counts."""

    client_id: str = ""
    """The console's client id at the provider, for signing in with it."""
    client_secret: SecretStr | None = None
    """None for a client that the provider knows as public; the exchange is bound to the browser
    either way."""
    scopes: str = "openid profile"
    """The scopes that the console requests from the provider."""
    session_token: Literal["access_token", "id_token"] = "access_token"  # noqa: S105
    """Which token of the provider is the credential of a session: the one whose ``aud`` is
    ``audience``."""
    redirect_url: str = Field(default="", validate_default=True)
    """Where the provider sends people back to: the console's public address, ending in
    ``/console/signin/callback``. Needed with ``client_id``: what a request calls its host is for
    anybody to choose."""
    mcp_url: str = ""
    """The public address of ``/mcp``. With it, remote MCP clients find the provider and sign people
    in by OAuth 2.1; ``audience`` is then what the provider puts into tokens for this address."""

    @field_validator("mcp_url")
    @classmethod
    def _is_public_endpoint(cls, url: str) -> str:
        if url and (not is_safe_url(url) or urlsplit(url).path != "/mcp"):
            raise ValueError("the address of /mcp, by https")
        return url

    @field_validator("jwks_url")
    @classmethod
    def _is_fetched_safely(cls, url: str) -> str:
        if url and not is_safe_url(url):
            raise ValueError("keys are fetched over https")
        return url

    @field_validator("redirect_url")
    @classmethod
    def _leads_back_here(cls, url: str, others: ValidationInfo) -> str:
        if not url and not others.data.get("client_id"):
            return url
        parts = urlsplit(url)
        if not is_safe_url(url) or parts.path != CALLBACK or parts.query or parts.fragment:
            reason = message("provider.redirect_needed", Language.EN)
            raise PydanticCustomError("provider.redirect_needed", "{reason}", {"reason": reason})
        return url

    @model_validator(mode="after")
    def _has_one_source_of_keys(self) -> Self:
        if bool(self.jwks_url) == (self.jwks_file is not None):
            raise ValueError("give either jwks_url or jwks_file")
        return self


def read_oidc_settings(path: Path = SETTINGS_FILE) -> OidcSettings | None:
    """The settings of ``[oidc]`` and of the environment; none where neither names an issuer."""
    found = merged_table(OidcSettings, path, TABLE)
    return OidcSettings(**found) if found else None
