"""Verifies a signed page: by whom it was signed, and what was changed since."""

import json
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from veridical.signed_file.key import fingerprint
from veridical.signed_file.parts import digest, parts_of
from veridical.signed_file.sign import BEGIN, END, FORMAT


class How(StrEnum):
    """What happened to a part."""

    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Change:
    """A part that is not as it was signed."""

    how: How
    part: str
    text: str = ""
    """How it reads now."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What is known about a signed file."""

    key: str
    """The fingerprint of the key that the file names."""
    is_signed: bool
    """True if that key signed the list of parts."""
    is_expected: bool
    """True if it is the key that was asked for, or none was."""
    about: Mapping[str, str]
    parts: int
    changes: tuple[Change, ...]
    is_whole: bool
    """True if everything else is as it was signed as well: order, layout, labels."""

    @property
    def ok(self) -> bool:
        """True if the key signed exactly this file."""
        return self.is_signed and self.is_expected and self.is_whole and not self.changes


class NotSignedError(ValueError):
    """A file without a signature that can be read."""


def verify_page(content: bytes, key: bytes | None = None) -> Verified:
    """The verdict on a file; with a key, only that one may have signed it. Raises
    ``NotSignedError``."""
    page, found, end = _split(content)
    try:
        block = json.loads(found)
        signed, signature, named = (
            b64decode(block[each], validate=True) for each in ("signed", "signature", "key")
        )
        listed = json.loads(signed)
        known = {str(name): str(text) for name, text in listed["parts"]}
        is_ours = listed["format"] == FORMAT
    except (ValueError, TypeError, KeyError) as error:
        raise NotSignedError from error
    if not is_ours:
        raise NotSignedError
    return Verified(
        key=fingerprint(named),
        is_signed=_is_signed(named, signature, signed),
        is_expected=key is None or key == named,
        about={name: each for name, each in listed.items() if isinstance(each, str)},
        parts=len(known),
        changes=tuple(_changes(known, parts_of(page))),
        is_whole=end == END and digest(page) == listed.get("page"),
    )


def _split(content: bytes) -> tuple[str, str, str]:
    """The page, its signature, and what follows."""
    try:
        page, begin, rest = content.decode().partition(BEGIN)
    except UnicodeDecodeError as error:
        raise NotSignedError from error
    at = rest.find("<")
    if not begin or at < 0:
        raise NotSignedError
    return page, rest[:at], rest[at:]


def _is_signed(key: bytes, signature: bytes, signed: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except (InvalidSignature, ValueError):
        return False
    return True


def _changes(known: Mapping[str, str], parts: list[tuple[str, str]]) -> Iterator[Change]:
    found: set[str] = set()
    for name, text in parts:
        if name not in known or name in found:
            yield Change(How.ADDED, name, text)
        elif known[name] != digest(text):
            yield Change(How.CHANGED, name, text)
        found.add(name)
    for name in known:
        if name not in found:
            yield Change(How.REMOVED, name)
