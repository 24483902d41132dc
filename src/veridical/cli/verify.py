"""``veridical verify``: whether a signed file is as it was signed, and what was changed."""

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.error_reporting import REFUSED, UsageError, out
from veridical.cli.options import AsJson, In
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.messages import message

_MOST = 100
_LONGEST = 200
_PLACES = ("first", "second", "third")


def verify(
    file: Annotated[Path, typer.Argument(help="The HTML file.")],
    key: Annotated[Path | None, typer.Option(help="The issuer's public key, a PEM file.")] = None,
    as_json: AsJson = False,
    language: In = Language.EN,
) -> None:
    """Verify a signed answer, offline. Exit code 0: valid; 1: not; 2: invalid command."""
    require("verify")
    from veridical.signed_file.key import KeyFileError, public_key, raw
    from veridical.signed_file.verify import NotSignedError, verify_page

    try:
        expected = None if key is None else raw(public_key(_read(key, language)))
        found = verify_page(_read(file, language), expected)
    except KeyFileError as error:
        raise UsageError(message("signed.no_key", language, file=key)) from error
    except NotSignedError as error:
        raise UsageError(message("signed.unsigned", language, file=file)) from error
    changes = [
        (each.how, each.part, _part(each.part, language), each.text) for each in found.changes
    ]
    if as_json:
        listed = [
            {"how": how, "part": part, "name": name, "text": text}
            for how, part, name, text in changes
        ]
        whole = {"valid": found.ok, "key": found.key, "keyFits": found.is_expected,
                 "signatureFits": found.is_signed, "isWhole": found.is_whole,
                 "about": dict(found.about), "parts": found.parts, "changes": listed}  # fmt: skip
        out.print_json(data=whole)
    elif found.ok:
        at, tenant = found.about.get("signedAt", ""), found.about.get("tenant", "")
        line = message("signed.valid", language, parts=found.parts, at=at, tenant=tenant)
        out.print(f"✓ {line}", style="green")
        out.print(message("signed.by", language, fingerprint=found.key))
        if expected is None:
            out.print(message("signed.compare", language))
    else:
        verdict = "signed.not_valid" if found.is_expected else "signed.other_key"
        out.print(f"✗ {message(verdict, language)}", style="red")
        out.print(message("signed.by", language, fingerprint=found.key))
        if not found.is_signed:
            out.print(message("signed.forged", language))
        for how, _, name, text in changes[:_MOST]:
            line = message(f"signed.{how}", language, part=name, text=_shortened(text))
            out.print(f"  {line}")
        if len(changes) > _MOST:
            out.print(f"  {message('signed.more', language, count=len(changes) - _MOST)}")
        if not changes and not found.is_whole:
            out.print(f"  {message('signed.elsewhere', language)}")
    if not found.ok:
        raise typer.Exit(REFUSED)


def _read(path: Path, language: Language) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(message("signed.unreadable", language, file=path)) from error


def _part(name: str, language: Language) -> str:
    """A part as a reader would call it."""
    kind, *places = name.split("/", 3)
    given = dict(zip(_PLACES, places, strict=False))
    try:
        return message(f"signed.part_{kind}", language, **given)
    except KeyError:  # of a later version, or added when the file was changed
        return name


def _shortened(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= _LONGEST else f"{plain[: _LONGEST - 1]}…"
