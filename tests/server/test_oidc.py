import hashlib
import hmac
import time
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.effort import examples
from tests.server.provider import (
    AUDIENCE,
    EC_KEY,
    ISSUER,
    KEY_SET,
    PUBLIC_PEM,
    RSA_KEY,
    STRANGE_KEY,
    assembled,
    claims,
    jwk,
    reading,
    token,
)
from veridical.server.identity import Role
from veridical.server.oidc import Bearer, SigningKeys, TokenError, Tokens


def tokens(key_set: Any = KEY_SET, **changed: Any) -> Tokens:
    chosen = reading(**changed)
    return Tokens(chosen, SigningKeys(chosen, lambda: key_set))


@pytest.mark.parametrize(
    ("claimed", "role"),
    [
        ({}, Role.ANALYST),
        ({"aud": ["other", AUDIENCE]}, Role.ANALYST),
        ({"roles": "admin"}, Role.ADMIN),
        ({"roles": ["viewer", "approver", "analyst"]}, Role.APPROVER),
        ({"roles": ["staff", 7, None, ["admin"]]}, None),
        ({"roles": None}, None),
        ({"roles": {"admin": True}}, None),
        ({"roles": "Admin"}, None),
    ],
)
def test_a_good_token_says_who_came(claimed: dict[str, Any], role: Role | None) -> None:
    assert tokens().read(token(**claimed)) == Bearer("acme", "ada", role)
    assert tokens().read(token(EC_KEY, "ES256", "ec-1", **claimed)).role == role


@pytest.mark.parametrize(("claim", "seconds"), [("exp", -100), ("nbf", 100), ("iat", 100)])
def test_clocks_may_differ_a_little(claim: str, seconds: int) -> None:
    changed: dict[str, Any] = {claim: time.time() + seconds}
    signed = token(**changed)
    assert tokens(leeway_seconds=300).read(signed).name == "ada"
    with pytest.raises(TokenError):
        tokens(leeway_seconds=0).read(signed)


def _signed_with_the_public_key() -> str:
    """The old trick: the public key, which everybody has, taken for a shared secret."""
    unsigned = assembled({"alg": "HS256", "typ": "JWT", "kid": "rsa-1"}, claims(), b"")[:-1]
    signature = hmac.new(PUBLIC_PEM, unsigned.encode(), hashlib.sha256).digest()
    return assembled({"alg": "HS256", "typ": "JWT", "kid": "rsa-1"}, claims(), signature)


def _tampered() -> str:
    header, _, signature = token().split(".")
    payload = assembled({}, claims(tenant="globex"), b"").split(".")[1]
    return f"{header}.{payload}.{signature}"


MUST_REJECT: dict[str, tuple[str, Callable[[], str]]] = {
    "expired": ("ExpiredSignatureError", lambda: token(exp=time.time() - 3600)),
    "expired just past the leeway": ("ExpiredSignatureError", lambda: token(exp=time.time() - 40)),
    "not valid yet": ("ImmatureSignatureError", lambda: token(nbf=time.time() + 3600)),
    "issued in the future": ("ImmatureSignatureError", lambda: token(iat=time.time() + 3600)),
    "wrong audience": ("InvalidAudienceError", lambda: token(aud="another")),
    "wrong audiences": ("InvalidAudienceError", lambda: token(aud=["another", "veridical-test"])),
    "wrong issuer": ("InvalidIssuerError", lambda: token(iss="https://evil.example")),
    "issuer that only begins alike": ("InvalidIssuerError", lambda: token(iss=ISSUER + "/")),
    "no expiry": ("MissingRequiredClaimError", lambda: token(exp=None)),
    "no beginning": ("MissingRequiredClaimError", lambda: token(nbf=None)),
    "no audience": ("MissingRequiredClaimError", lambda: token(aud=None)),
    "no issuer": ("MissingRequiredClaimError", lambda: token(iss=None)),
    "no tenant": ("claim tenant", lambda: token(tenant=None)),
    "empty tenant": ("claim tenant", lambda: token(tenant="")),
    "tenant that is no text": ("claim tenant", lambda: token(tenant=["acme", "globex"])),
    "tenant with a control character": ("claim tenant", lambda: token(tenant="acme\x00")),
    "no subject": ("claim sub", lambda: token(sub=None)),
    "expiry that is no number": ("DecodeError", lambda: token(exp="never")),
    "no algorithm": (
        "algorithm",
        lambda: assembled({"alg": "none", "kid": "rsa-1"}, claims(), b""),
    ),
    "no algorithm, in capitals": (
        "algorithm",
        lambda: assembled({"alg": "NONE", "kid": "rsa-1"}, claims(), b""),
    ),
    "no algorithm, with a signature": (
        "algorithm",
        lambda: assembled({"alg": "none", "kid": "rsa-1"}, claims(), b"x"),
    ),
    "algorithm not named": ("algorithm", lambda: assembled({"kid": "rsa-1"}, claims(), b"")),
    "algorithm that is a list": (
        "algorithm",
        lambda: assembled({"alg": ["RS256"], "kid": "rsa-1"}, claims(), b""),
    ),
    "signed with the public key": ("algorithm", _signed_with_the_public_key),
    "signed with the shared secret of the set": (
        "algorithm",
        lambda: token("secret-secret-secret-secret-secret", "HS256", "shared"),
    ),
    "algorithm that is not allowed": ("algorithm", lambda: token(RSA_KEY, "RS512")),
    "algorithm of another key": ("InvalidAlgorithmError", lambda: token(EC_KEY, "ES256", "rsa-1")),
    "signed by a stranger": ("InvalidSignatureError", lambda: token(STRANGE_KEY)),
    "signed with the key for encryption": (
        "unknown key",
        lambda: token(STRANGE_KEY, key_id="for-encryption"),
    ),
    "unknown key": ("unknown key", lambda: token(key_id="rsa-2")),
    "key not named": ("no key is named", lambda: token(key_id=None)),
    "key named as empty": ("no key is named", lambda: token(key_id="")),
    "key that is brought along": (
        "unknown key",
        lambda: token(STRANGE_KEY, key_id="mine", headers={"jwk": jwk(STRANGE_KEY, "mine")}),
    ),
    "key to be fetched elsewhere": (
        "unknown key",
        lambda: token(STRANGE_KEY, key_id="mine", headers={"jku": "https://evil.example/keys"}),
    ),
    "extension that must be understood": (
        "InvalidTokenError",
        lambda: token(headers={"crit": ["future"], "future": 1}),
    ),
    "tampered claims": ("InvalidSignatureError", _tampered),
    "signature taken away": ("InvalidSignatureError", lambda: token().rpartition(".")[0] + "."),
    "last part taken away": ("DecodeError", lambda: token().rpartition(".")[0]),
    "another part": ("DecodeError", lambda: token() + ".x"),
    "claims that are a list": (
        "DecodeError",
        lambda: jwt.PyJWS().encode(b'["acme"]', RSA_KEY, "RS256", headers={"kid": "rsa-1"}),
    ),
    "empty": ("DecodeError", lambda: ""),
    "dots": ("DecodeError", lambda: ".."),
    "no token": ("DecodeError", lambda: "no-token-at-all"),
    "far too long": ("too long", lambda: token(padding="x" * 20_000)),
}


@pytest.mark.parametrize(("reason", "bad"), MUST_REJECT.values(), ids=MUST_REJECT.keys())
def test_what_must_be_rejected(reason: str, bad: Callable[[], str]) -> None:
    with pytest.raises(TokenError) as told:
        tokens().read(bad())
    assert str(told.value) == reason


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_no_character_of_a_token_can_be_changed(data: st.DataObject) -> None:
    good, reader = token(EC_KEY, "ES256", "ec-1"), tokens()
    place = data.draw(st.integers(0, len(good) - 2))  # the last one may hold bits that don't count
    other = data.draw(st.sampled_from("abcXYZ019-_."))
    changed = good[:place] + other + good[place + 1 :]
    if changed == good:
        assert reader.read(changed).name == "ada"
    else:
        with pytest.raises(TokenError):
            reader.read(changed)


@given(st.text())
def test_any_text_is_rejected_and_breaks_nothing(text: str) -> None:
    with pytest.raises(TokenError):
        tokens().read(text)


def test_a_weak_key_is_not_believed() -> None:
    weak = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    with pytest.warns(jwt.InsecureKeyLengthWarning):
        signed = token(weak, key_id="weak")
    with pytest.raises(TokenError):
        tokens({"keys": [jwk(weak, "weak")]}).read(signed)


def test_a_provider_without_nbf_must_be_configured_as_such() -> None:
    assert tokens(needs_not_before=False).read(token(nbf=None)).name == "ada"
    with pytest.raises(TokenError):
        tokens(needs_not_before=False).read(token(nbf=time.time() + 3600))


def test_claims_and_roles_have_the_providers_names() -> None:
    reader = tokens(
        tenant_claim="org", role_claim="groups", name_claim="email", roles={"Treuhand": "approver"}
    )
    signed = token(org="globex", groups=["Treuhand", "admin"], email="ada@example.com")
    assert reader.read(signed) == Bearer("globex", "ada@example.com", Role.APPROVER)


@pytest.mark.parametrize("broken", [[], {}, {"keys": "x"}, {"keys": [{"kty": "RSA", "kid": "x"}]}])
def test_a_key_set_that_is_none(broken: Any) -> None:
    with pytest.raises(TokenError):
        tokens(broken).read(token())
