"""An identity provider of the tests: its keys, and tokens right and wrong."""

import base64
import json
import time
from collections.abc import Mapping
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
)
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from veridical.server.oidc_settings import OidcSettings

ISSUER = "https://login.example"
AUDIENCE = "veridical"
RSA_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC_KEY = ec.generate_private_key(ec.SECP256R1())
STRANGE_KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
PrivateKey = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey


def jwk(key: PrivateKey, key_id: str, **more: Any) -> dict[str, Any]:
    if isinstance(key, rsa.RSAPrivateKey):
        written = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    else:
        written = ECAlgorithm.to_jwk(key.public_key(), as_dict=True)
    return {**written, "kid": key_id, "use": "sig", **more}


KEY_SET: dict[str, Any] = {
    "keys": [
        jwk(RSA_KEY, "rsa-1", alg="RS256"),
        jwk(EC_KEY, "ec-1"),
        {"kty": "oct", "kid": "shared", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"},
        jwk(STRANGE_KEY, "for-encryption", use="enc"),
        "no key at all",
    ]
}


def claims(**changed: Any) -> dict[str, Any]:
    """Those of a good token; what is set to None is left out."""
    now = int(time.time())
    good = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ada",
        "tenant": "acme",
        "roles": ["staff", "analyst"],
        "iat": now,
        "nbf": now,
        "exp": now + 300,
    }
    return {name: value for name, value in {**good, **changed}.items() if value is not None}


def token(
    key: Any = RSA_KEY,
    algorithm: str = "RS256",
    key_id: str | None = "rsa-1",
    headers: Mapping[str, Any] | None = None,
    **changed: Any,
) -> str:
    named = {} if key_id is None else {"kid": key_id}
    return jwt.encode(claims(**changed), key, algorithm, headers={**named, **(headers or {})})


def assembled(header: Mapping[str, Any], payload: Mapping[str, Any], signature: bytes) -> str:
    """A token that no library would make."""
    parts = (json.dumps(header).encode(), json.dumps(payload).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts)


PUBLIC_PEM = RSA_KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def reading(**changed: Any) -> OidcSettings:
    given = {"issuer": ISSUER, "audience": AUDIENCE, "jwks_url": "https://login.example/keys"}
    return OidcSettings.model_validate({**given, **changed})
