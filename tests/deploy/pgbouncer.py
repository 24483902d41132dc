"""PgBouncer in transaction mode: Debian's, installed where it is missing and this may be done."""

import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import pytest
from sqlalchemy import make_url

from tests.deploy.places import DEPLOY

_PATIENCE = 60.0
_POOL = 3
"""Connections for each login: fewer than a worker opens without PgBouncer."""


@contextmanager
def pgbouncer(url: str, passwords: Mapping[str, str]) -> Generator[dict[str, str]]:
    """Addresses through PgBouncer to this database, by login, until the block ends."""
    program = shutil.which("pgbouncer") or _installed()
    to = make_url(url)
    folder = str(to.query["host"])
    with tempfile.TemporaryDirectory(prefix="vbouncer-") as place:
        owner = Path(folder).stat().st_uid  # who may open the socket of PostgreSQL
        os.chown(place, owner, -1)
        port = _free_port()
        users = Path(place) / "userlist.txt"
        users.write_text("".join(f'"{each}" "{word}"\n' for each, word in passwords.items()))
        given = (DEPLOY / "pgbouncer/pgbouncer.ini").read_text("utf-8")
        for found, put in {
            r"host=\S+ port=\d+": f"host={folder} port={to.port or 5432}",
            r"(?<=listen_port = ).*": str(port),
            r"(?<=auth_file = ).*": str(users),
            r"(?<=default_pool_size = ).*": str(_POOL),
        }.items():
            given, changed = re.subn(found, put, given)
            assert changed == 1, found
        settings = Path(place) / "pgbouncer.ini"
        settings.write_text(f"{given}unix_socket_dir =\n")
        command = [program, "--quiet", str(settings)]
        if os.geteuid() == 0:
            command[1:1] = ["--user", pwd.getpwuid(owner).pw_name]
        with subprocess.Popen(command) as process:
            try:
                _wait(port, process)
                at = f"127.0.0.1:{port}/{to.database}"
                yield {
                    login: f"postgresql://{login}:{quote(word)}@{at}"
                    for login, word in passwords.items()
                }
            finally:
                process.kill()


def _installed() -> str:
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        pytest.skip("Debian's package pgbouncer is not installed, and only root may install it")
    command = ("apt-get", "install", "--yes", "--quiet", "--no-install-recommends", "pgbouncer")
    if subprocess.run(command, timeout=600, stdout=subprocess.DEVNULL).returncode:
        pytest.skip("Debian's package pgbouncer can't be installed here")
    return shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("PgBouncer does not start")
