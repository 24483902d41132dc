import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from requirements.audit import LOCKED, Audit, ask, packages, read_report, verdict

pytestmark = pytest.mark.slow

LOCK = """
alembic==1.20.1 \\
    --hash=sha256:83
pyjwt[crypto]==2.15.0 ; sys_platform == 'linux' \\
    --hash=sha256:97
"""
FOUND = {"id": "PYSEC-1", "fix_versions": ["2.16.0"]}
NAMES = packages(LOCK)


def report(*dependencies: dict[str, object]) -> Audit:
    return read_report(json.dumps({"dependencies": dependencies, "fixes": []}))


def clean(name: str) -> dict[str, object]:
    return {"name": name, "version": "1", "vulns": []}


def test_the_names_of_locked_packages():
    assert packages(LOCK) == {"alembic", "pyjwt"}
    assert {"dbos", "fastapi", "mcp", "pydantic"} <= packages(LOCKED.read_text())


def test_what_is_known_fails():
    audit = report(clean("alembic"), {"name": "pyjwt", "version": "2.15.0", "vulns": [FOUND]})
    code, said = verdict(audit, NAMES)
    assert code == 1
    assert "pyjwt 2.15.0: PYSEC-1 (fixed in 2.16.0)" in "\n".join(said)


def test_packages_that_were_all_answered_for_are_clean():
    code, said = verdict(report(clean("alembic"), clean("pyjwt")), NAMES)
    assert (code, said) == (0, ["nothing is known against 2 locked packages"])


def test_a_package_without_an_answer_is_named():
    audit = report(clean("alembic"), {"name": "pyjwt", "skip_reason": "not found"})
    code, said = verdict(audit, NAMES)
    assert code == 0
    assert said[0] == "nothing is known against 1 locked packages"
    assert said[1].endswith("pyjwt")


@pytest.mark.parametrize(
    "answer", ["", "Traceback", "{}", "[]", '{"dependencies": [{"name": "a", "skip_reason": ""}]}']
)
def test_silence_is_not_called_clean(answer: str):
    code, said = verdict(read_report(answer), NAMES)
    assert code == 0
    assert said[0].startswith("NOT CHECKED")
    assert "nothing is known" not in "\n".join(said)


def test_what_one_service_knows_is_kept_whatever_the_other_says():
    known = report({"name": "pyjwt", "version": "2.15.0", "vulns": [FOUND]})
    both = report(clean("alembic"), clean("pyjwt")) | known | Audit()
    assert both.findings == known.findings
    assert both.answered == NAMES


@contextmanager
def advisories(against: str) -> Generator[str]:
    """A service in the protocol of OSV that knows one thing, of one package."""

    class Service(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            name = asked["package"]["name"]
            affected = {
                "package": {"name": name, "ecosystem": "PyPI"},
                "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}],
            }
            known = {"id": "PYSEC-2", "summary": "planted", "affected": [affected]}
            body = json.dumps({"vulns": [known]} if name == against else {}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Service) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1/query"
        finally:
            server.shutdown()
            thread.join()


def test_a_service_that_answers_is_asked_for_every_package(monkeypatch: pytest.MonkeyPatch):
    with advisories(against="pyjwt") as url:
        monkeypatch.setenv("PIP_AUDIT_OSV_URL", url)
        audit = ask("osv")
    assert [each.split()[0] for each in audit.findings] == ["pyjwt"]
    assert "PYSEC-2 (fixed in no version)" in audit.findings[0]
    assert {"dbos", "fastapi", "pyjwt"} <= audit.answered
    assert verdict(audit, packages(LOCKED.read_text()))[0] == 1


def test_a_service_that_cannot_be_reached_has_said_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PIP_AUDIT_OSV_URL", "http://127.0.0.1:9/v1/query")
    assert ask("osv") == Audit()
