"""A notice that something waits for a person: as a signed webhook, and as a mail."""

import hashlib
import hmac
import json
import smtplib
import ssl
import time
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any, Literal
from urllib.parse import unquote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from veridical.messages import message
from veridical.runs.inbox_item import InboxEntry
from veridical.runs.notice_settings import NoticeSettings

Occasion = Literal["pending", "expiring"]
_SECONDS = 10
_SMTP_PORT = 587
_SMTPS_PORT = 465
_LONGEST_QUESTION = 500
_SHOWN = {"tenant", "kind", "asked_by", "expires_at", "auto_approve"}
"""What else a notice says of an item."""


def send_notice(settings: NoticeSettings, entry: InboxEntry, occasion: Occasion) -> None:
    """Send it everywhere it should go. Raises ``OSError``."""
    if settings.webhook:
        _post(settings, entry, occasion)
    if settings.mail_server:
        _mail(settings, notice_mail(settings, entry, occasion))


def notice_body(settings: NoticeSettings, entry: InboxEntry, occasion: Occasion) -> bytes:
    """The notice as JSON, without what the item shows."""
    shown = entry.model_dump(mode="json", by_alias=True, include=_SHOWN)
    body = {
        "event": f"inbox.{occasion}",
        "item": entry.id,
        **shown,
        "question": entry.question[:_LONGEST_QUESTION],
        "url": _link(settings, entry),
    }
    return json.dumps(body, ensure_ascii=False).encode()


def signature(secret: str, body: bytes, at: int) -> str:
    """The signature of a body that is sent at this time."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={signed}"


def notice_mail(settings: NoticeSettings, entry: InboxEntry, occasion: Occasion) -> EmailMessage:
    """The notice as a mail."""
    mail = EmailMessage()
    language = settings.language
    mail["Subject"] = message(f"notice.{occasion}", language)
    mail["From"] = settings.mail_from
    mail["To"] = ", ".join(settings.mail_to)
    date = f"{entry.expires_at:%Y-%m-%d %H:%M} UTC"
    then = "then_approved" if entry.auto_approve else "then_denied"
    lines = (
        message(f"notice.{occasion}", language),
        "",
        entry.question[:_LONGEST_QUESTION],
        message("notice.from", language, **entry.model_dump(include=_SHOWN)),
        message(f"inbox.{then}", language, date=date),
        "",
        _link(settings, entry),
    )
    mail.set_content("\n".join(lines).rstrip() + "\n")
    return mail


def _link(settings: NoticeSettings, entry: InboxEntry) -> str:
    address = settings.console_url.rstrip("/")
    return f"{address}/console/inbox/{entry.id}" if address else ""


class _Nowhere(HTTPRedirectHandler):
    """What is signed for one address is for no other."""

    def redirect_request(self, *args: Any, **more: Any) -> None:
        """Follows nothing."""


def _post(settings: NoticeSettings, entry: InboxEntry, occasion: Occasion) -> None:
    body = notice_body(settings, entry, occasion)
    secret = settings.webhook_secret.get_secret_value() if settings.webhook_secret else ""
    headers = {
        "content-type": "application/json",
        "x-veridical-signature": signature(secret, body, int(time.time())),
    }
    request = Request(settings.webhook, body, headers, method="POST")  # noqa: S310 # of the settings
    with build_opener(_Nowhere).open(request, timeout=_SECONDS) as answer:
        answer.read(1)


def _mail(settings: NoticeSettings, mail: EmailMessage) -> None:
    server = urlsplit(settings.mail_server)
    is_encrypted = server.scheme == "smtps"
    context = ssl.create_default_context()
    kind: Callable[..., smtplib.SMTP] = smtplib.SMTP
    options: dict[str, Any] = {"timeout": _SECONDS}
    if is_encrypted:
        kind = smtplib.SMTP_SSL
        options["context"] = context
    port = server.port or (_SMTPS_PORT if is_encrypted else _SMTP_PORT)
    with kind(server.hostname or "", port, **options) as opened:
        opened.ehlo()
        if not is_encrypted and (server.username or opened.has_extn("starttls")):
            opened.starttls(context=context)
        if server.username:
            opened.login(unquote(server.username), unquote(server.password or ""))
        opened.send_message(mail)
