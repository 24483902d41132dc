"""The Ed25519 key that signs files: a PEM file that only its owner may read."""

import os
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)


class KeyFileError(ValueError):
    """A file that has no Ed25519 key."""


def signing_key(path: Path) -> Ed25519PrivateKey:
    """The key in this file, which is made where it is missing. Raises ``OSError`` and
    ``KeyFileError``."""
    if not path.exists():
        _make(path)
    try:
        found = load_pem_private_key(path.read_bytes(), None)
    except (ValueError, TypeError) as error:
        raise KeyFileError(str(path)) from error
    if not isinstance(found, Ed25519PrivateKey):
        raise KeyFileError(str(path))
    return found


def public_key(pem: bytes) -> Ed25519PublicKey:
    """The key that somebody publishes. Raises ``KeyFileError``."""
    try:
        found = load_pem_public_key(pem)
    except ValueError as error:
        raise KeyFileError from error
    if not isinstance(found, Ed25519PublicKey):
        raise KeyFileError
    return found


def as_pem(key: Ed25519PublicKey) -> str:
    """The key to publish."""
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def raw(key: Ed25519PublicKey) -> bytes:
    """Its 32 bytes."""
    return key.public_bytes_raw()


def fingerprint(key: bytes) -> str:
    """A short name of a public key, to compare by eye."""
    return f"SHA256:{b64encode(sha256(key).digest()).decode().rstrip('=')}"


def _make(path: Path) -> None:
    """Writes a new key, unless another process was faster: whole, or not at all."""
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as made:
            made.write(pem)
        os.link(beside, path)
    except FileExistsError:
        return
    finally:
        beside.unlink(missing_ok=True)
