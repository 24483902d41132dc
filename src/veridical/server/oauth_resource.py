"""What remote MCP clients read to sign people in: which provider issues tokens for ``/mcp``.

OAuth 2.1 with the configured identity provider as authorization server (RFC 9728). The server only
verifies tokens; it issues none.
"""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from veridical.server.oidc_settings import OidcSettings

MCP_PATH: Final = "/mcp"
METADATA: Final = f"/.well-known/oauth-protected-resource{MCP_PATH}"


@dataclass(frozen=True, slots=True)
class OAuthResource:
    """The endpoint ``/mcp`` as a protected resource."""

    url: str
    """Its public address, as clients know it."""
    issuer: str
    scopes: tuple[str, ...] = ()

    @property
    def metadata_url(self) -> str:
        """The public address of the metadata."""
        place = urlsplit(self.url)
        return f"{place.scheme}://{place.netloc}{METADATA}"

    @property
    def challenge(self) -> str:
        """The header of a refused request."""
        return f'Bearer resource_metadata="{self.metadata_url}"'

    def metadata(self) -> dict[str, Any]:
        """The metadata document."""
        return {
            "resource": self.url,
            "authorization_servers": [self.issuer],
            "scopes_supported": list(self.scopes),
            "bearer_methods_supported": ["header"],
            "resource_name": "Veridical",
        }


def oauth_resource(settings: OidcSettings | None) -> OAuthResource | None:
    """The protected resource of these settings; none without ``mcp_url``."""
    if settings is None or not settings.mcp_url:
        return None
    return OAuthResource(settings.mcp_url, settings.issuer, tuple(settings.scopes.split()))
