"""A real MariaDB for tests: the server of the Debian package, in a folder that is thrown away.

Nothing of an installed service is touched: own data, own socket, own port on the loopback.
"""

import os
import shutil
import subprocess  # for tests
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp
from typing import Any

import pymysql
from pymysql.connections import Connection

from benchmarks.engines.started import free_port, started

_PACKAGE = "mariadb-server-core"
"""The server without its service."""
_SEED = Path("/usr/share/mysql")
_PATIENCE = 30.0
_FLAGS = (
    "--no-defaults",
    "--skip-log-bin",
    "--innodb-log-file-size=8M",
    "--innodb-buffer-pool-size=64M",
    "--innodb-flush-log-at-trx-commit=0",
    "--skip-name-resolve",
)
OWNER, READER = "owner", "reader"


class NoMariadbError(RuntimeError):
    """There is no server to start; the text says why."""


@dataclass(frozen=True, slots=True)
class LocalMariadb:
    """A running server: its owner may do everything, its reader may read what it is granted."""

    port: int
    password: str

    def create_database(self, name: str) -> str:
        """The reader's URL of a new, empty database of this name; an old one is dropped."""
        with self.owner() as connection, connection.cursor() as cursor:
            cursor.execute(f"DROP DATABASE IF EXISTS `{name}`")
            cursor.execute(f"CREATE DATABASE `{name}` CHARACTER SET utf8mb4")
            cursor.execute(f"GRANT SELECT ON `{name}`.* TO {READER}@'%'")
        return self.url_of(name)

    def url_of(self, name: str, user: str = READER) -> str:
        """The URL of a database for this login."""
        return f"mysql://{user}:{self.password}@127.0.0.1:{self.port}/{name}"

    @contextmanager
    def owner(self, database: str | None = None) -> Generator["Connection[Any]"]:
        """A connection that may do everything, in this database."""
        connection = pymysql.connect(
            host="127.0.0.1",
            port=self.port,
            user=OWNER,
            password=self.password,
            database=database,
            autocommit=True,
        )
        with connection:
            yield connection


@contextmanager
def local_mariadb() -> Generator[LocalMariadb]:
    """A server that runs until the block ends. Raises ``NoMariadbError``."""
    program = _program()
    folder = Path(mkdtemp(prefix="veridical-maria-"))
    password = token_hex(12)
    try:
        _seed(program, folder)
        port = free_port()
        with _serving(program, folder, port, password) as process:
            server = LocalMariadb(port, password)
            _wait(server, process, folder)
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _program() -> str:
    """The path of the server; as root it is installed where it is missing."""
    found = _found()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _install()
        found = _found()
    if found is None:
        raise NoMariadbError(f"no mariadbd here: install the Debian package {_PACKAGE}")
    return found


def _found() -> str | None:
    return shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def _install() -> None:
    """Install the package; a failure is followed by a fresh package list, which may be old."""
    program = shutil.which("apt-get") or "apt-get"
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    wanted = ("install", "-y", "--no-install-recommends", _PACKAGE)
    for arguments in (wanted, ("update",), wanted):
        command = (program, "-qq", "-o", "DPkg::Lock::Timeout=180", *arguments)
        with suppress(OSError):
            done = subprocess.run(command, env=quiet, capture_output=True, check=False)
            if arguments is wanted and done.returncode == 0:
                return


def _seed(program: str, folder: Path) -> None:
    """The server's own tables, as its installation makes them."""
    (folder / "data").mkdir()
    text = "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;\n"
    text += "SET @current_hostname='localhost';\n"
    for name in ("mysql_system_tables.sql", "mysql_system_tables_data.sql"):
        text += (_SEED / name).read_text("utf-8")
    command = (program, *_FLAGS, "--bootstrap", *_owned(), f"--datadir={folder / 'data'}")
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if done.returncode:
        raise NoMariadbError(done.stderr.decode("utf-8", "replace")[-400:])


@contextmanager
def _serving(
    program: str, folder: Path, port: int, password: str
) -> Generator["subprocess.Popen[bytes]"]:
    start = folder / "start.sql"
    start.write_text(
        f"CREATE USER {OWNER}@'%' IDENTIFIED BY '{password}';\n"
        f"GRANT ALL ON *.* TO {OWNER}@'%' WITH GRANT OPTION;\n"
        f"CREATE USER {READER}@'%' IDENTIFIED BY '{password}';\n"
    )
    command = (
        program, *_FLAGS, *_owned(), f"--datadir={folder / 'data'}", f"--port={port}",
        "--bind-address=127.0.0.1", f"--socket={folder / 's'}", f"--pid-file={folder / 'pid'}",
        f"--init-file={start}",
    )  # fmt: skip
    with started(command, folder / "log") as process:
        yield process


def _owned() -> tuple[str, ...]:
    """The option that MariaDB needs to run as root; none for other users."""
    return ("--user=root",) if os.geteuid() == 0 else ()


def _wait(server: LocalMariadb, process: "subprocess.Popen[bytes]", folder: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with server.owner():
                return
        except (pymysql.Error, OSError):
            time.sleep(0.1)
    raise NoMariadbError((folder / "log").read_text("utf-8", "replace")[-400:])
