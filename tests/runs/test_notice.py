"""Notices of what waits: one webhook and one mail each, signed, and again where none was taken."""

import json
import socketserver
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from urllib.error import HTTPError

import pytest
from pydantic import SecretStr, ValidationError

from tests.agent.local_server import LocalServer, serving
from tests.runs.inboxes import ACME, GRACE, asked_about, inbox, kept, let_time_pass, ruling, woken
from veridical.contracts.language import Language
from veridical.runs.inbox import Inbox
from veridical.runs.notice import signature
from veridical.runs.notice_settings import NoticeSettings
from veridical.runs.notifier import Notifier
from veridical.store.connection import Store

__all__ = ["inbox", "kept", "woken"]
SECRET = "a secret of both sides"
needs_database = pytest.mark.postgres


def _answering(handler: BaseHTTPRequestHandler, server: LocalServer) -> None:
    """Fails the first time."""
    handler.send_response(503 if len(server.bodies) == 1 else 204)
    handler.send_header("content-length", "0")
    handler.end_headers()


class _MailServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    mails: list[str]


class _Session(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server = self.server
        assert isinstance(server, _MailServer)
        self.wfile.write(b"220 here\r\n")
        while line := self.rfile.readline().decode().strip():
            match line.split()[0].upper():
                case "DATA":
                    self.wfile.write(b"354 go on\r\n")
                    lines = iter(lambda: self.rfile.readline().decode().rstrip("\r\n"), ".")
                    server.mails.append("\n".join(lines))
                    self.wfile.write(b"250 kept\r\n")
                case "QUIT":
                    self.wfile.write(b"221 bye\r\n")
                    return
                case _:
                    self.wfile.write(b"250 ok\r\n")


@contextmanager
def mail_server() -> Generator[_MailServer]:
    """An SMTP server that keeps what it takes."""
    with _MailServer(("127.0.0.1", 0), _Session) as server:
        server.mails = []
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


def test_half_of_a_setting_is_refused() -> None:
    for given in (
        {"webhook": "https://example.com/hook"},
        {"mail_server": "smtp://localhost"},
        {"webhook": "file:///etc/passwd", "webhook_secret": "s"},
    ):
        with pytest.raises(ValidationError):
            NoticeSettings.model_validate(given)
    assert not NoticeSettings().is_on


@needs_database
def test_a_webhook_is_signed_and_sent_until_it_is_taken(inbox: Inbox, kept: Store) -> None:
    _, item = asked_about(inbox, kept)
    with serving(_answering) as hook:
        settings = NoticeSettings(
            webhook=hook.url,
            webhook_secret=SecretStr(SECRET),
            console_url="https://veridical.example/",
        )
        notifier = Notifier(settings, kept)
        with pytest.raises(HTTPError):
            notifier.notify_one()
        assert [notifier.notify_one(), notifier.notify_one()] == [True, False]
        let_time_pass(kept, item, 23)
        assert [notifier.notify_one(), notifier.notify_one()] == [True, False]
    first, second, urgent = hook.bodies
    assert first == second
    assert second["event"] == "inbox.pending"
    assert second["url"] == f"https://veridical.example/console/inbox/{item}"
    assert (second["item"], second["tenant"], second["autoApprove"]) == (item, ACME, False)
    assert "results" not in second
    assert urgent["event"] == "inbox.expiring"
    signed = hook.headers[1]["x-veridical-signature"]
    at = int(signed.partition("=")[2].partition(",")[0])
    assert signed == signature(SECRET, json.dumps(second, ensure_ascii=False).encode(), at)


@needs_database
@pytest.mark.parametrize("language", tuple(Language))
def test_a_mail_says_who_asked_and_what_happens_otherwise(
    inbox: Inbox, kept: Store, language: Language
) -> None:
    asked_about(inbox, kept)
    with mail_server() as server:
        settings = NoticeSettings(
            mail_server=f"smtp://127.0.0.1:{server.server_address[1]}",
            mail_from="veridical@example.com",
            mail_to=("grace@example.com",),
            language=language,
        )
        assert Notifier(settings, kept).notify_one()
    (mail,) = server.mails
    assert "To: grace@example.com" in mail


@needs_database
def test_what_is_decided_needs_no_notice(inbox: Inbox, kept: Store) -> None:
    _, item = asked_about(inbox, kept)
    inbox.decide(item, GRACE, ruling())
    with mail_server() as server:
        settings = NoticeSettings(
            mail_server=f"smtp://127.0.0.1:{server.server_address[1]}",
            mail_from="veridical@example.com",
            mail_to=("grace@example.com",),
        )
        assert not Notifier(settings, kept).notify_one()
