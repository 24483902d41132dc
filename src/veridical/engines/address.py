"""Database addresses: a URL such as ``sqlite:///shop.db``, or the path of a file or folder."""

from pathlib import Path

from veridical.ontology.errors import SourceError, SourceProblem

_MARK = "://"
_HEAD = 16


def scheme_of(address: str) -> str | None:
    """The scheme of a URL without its driver, in lower case; None for a path."""
    scheme, mark, _ = address.partition(_MARK)
    return scheme.partition("+")[0].lower() if mark else None


def path_in(address: str) -> Path:
    """The path that an address names: after three slashes a relative one, after four an absolute.

    This is how SQLAlchemy writes the addresses of SQLite and DuckDB files.
    """
    if _MARK not in address:
        return Path(address)
    return Path(address.partition(_MARK)[2].removeprefix("/"))


def file_of(address: str) -> Path:
    """The file that an address names. Raises ``SourceError`` where there is none."""
    path = path_in(address)
    if not path.is_file():
        raise SourceError(SourceProblem.NO_FILE, source=path)
    return path


def head_of(path: Path) -> bytes:
    """The first bytes of a file, which tell its format. Raises ``SourceError``."""
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SourceError(SourceProblem.UNREADABLE, source=path, reason=reason) from error
