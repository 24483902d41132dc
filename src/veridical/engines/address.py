"""Database addresses: a URL such as ``sqlite:///shop.db``, or the path of a file or folder."""

import re
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from veridical.ontology.errors import SourceError, SourceProblem

_MARK = "://"
_SCHEMAS = "schemas"
_HEAD = 16
_BAD_ESCAPE = re.compile("%(?![0-9A-Fa-f]{2})")


def scheme_of(address: str) -> str | None:
    """The scheme of a URL without its driver, in lower case; None for a path."""
    scheme, mark, _ = address.partition(_MARK)
    return scheme.partition("+")[0].lower() if mark else None


def ensure_readable(address: str, expected: str) -> None:
    """Raises ``SourceError`` for a malformed URL, without its text: it may be a password."""
    scheme = scheme_of(address) or ""
    try:
        parts = urlsplit(address)
        _ = parts.hostname
    except ValueError as error:
        raise SourceError(SourceProblem.NO_ADDRESS, scheme=scheme, expected=expected) from error
    login = parts.netloc
    if _BAD_ESCAPE.search(login):
        raise SourceError(SourceProblem.BAD_ESCAPE, scheme=scheme)
    if not unquote(login).isprintable():
        raise SourceError(SourceProblem.NO_ADDRESS, scheme=scheme, expected=expected)
    try:
        is_port = parts.port != 0
    except ValueError:
        is_port = False
    if not is_port:
        raise SourceError(SourceProblem.BAD_PORT, scheme=scheme)


def path_in(address: str) -> Path:
    """The path in an address: after three slashes a relative one, after four an absolute.

    This is how SQLAlchemy writes the addresses of SQLite and DuckDB files.
    """
    if _MARK not in address:
        return Path(address)
    return Path(address.partition(_MARK)[2].removeprefix("/"))


def split_schemas(address: str) -> tuple[str, tuple[str, ...]]:
    """A URL without its parameter ``schemas``, and the schemas in it."""
    if _MARK not in address or f"{_SCHEMAS}=" not in address:
        return address, ()
    head, _, query = address.partition("?")
    pairs = query.split("&")
    kept = [each for each in pairs if not each.startswith(f"{_SCHEMAS}=")]
    named = (unquote(each.partition("=")[2]) for each in pairs if each not in kept)
    found = tuple(name.strip() for each in named for name in each.split(",") if name.strip())
    return "?".join((head, "&".join(kept))) if kept else head, found


def with_schemas(address: str, schemas: Sequence[str]) -> str:
    """A URL with these schemas."""
    named = ",".join(quote(name, safe="") for name in schemas)
    plain = split_schemas(address)[0]
    return f"{plain}{'&' if '?' in plain else '?'}{_SCHEMAS}={named}" if schemas else address


def with_password(address: str, password: str) -> str:
    """A URL with the password of its login. Raises ``ValueError`` for a malformed one."""
    if not password:
        return address
    parts = urlsplit(address)
    if parts.username is None:
        return f"{address}{'&' if parts.query else '?'}password={quote(password, safe='')}"
    host = parts.netloc.rpartition("@")[2]
    login = f"{parts.username}:{quote(password, safe='')}"
    return urlunsplit(parts._replace(netloc=f"{login}@{host}"))


def file_of(address: str) -> Path:
    """The file of an address. Raises ``SourceError`` if there is none."""
    path = path_in(address)
    if not path.is_file():
        raise SourceError(SourceProblem.NO_FILE, source=path)
    return path


def head_of(path: Path) -> bytes:
    """The first bytes of a file, which identify its format. Raises ``SourceError``."""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(SourceProblem.UNREADABLE, source=path, reason=reason) from error
