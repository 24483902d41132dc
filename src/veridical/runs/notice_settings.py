"""Settings of notices to people: ``[runs.notices]``."""

from typing import Self

from pydantic import Field, SecretStr, model_validator

from veridical.contracts.language import Language
from veridical.contracts.wire import Wire


class NoticeSettings(Wire):
    """Where people learn by webhook or mail that something waits for them, or soon expires."""

    webhook: str = Field(default="", pattern=r"^(https?://\S+)?$", repr=False)
    """Address that gets each notice as JSON, signed with ``webhook_secret``."""
    webhook_secret: SecretStr | None = None
    """Key of the signature, ``X-Veridical-Signature: t=TIME,v1=HMAC-SHA256 of "TIME.BODY"``."""
    mail_server: str = Field(default="", pattern=r"^(smtps?://\S+)?$", repr=False)
    """``smtp://USER:PASSWORD@HOST:587`` or ``smtps://…``. A password is only sent encrypted."""
    mail_from: str = ""
    """The sender's address."""
    mail_to: tuple[str, ...] = ()
    """Who gets the mails."""
    console_url: str = ""
    """Where people open the console, for the links: ``https://veridical.example``."""
    language: Language = Language.EN
    """Of the mails."""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.webhook and self.webhook_secret is None:
            raise ValueError("webhook needs webhook_secret")
        if self.mail_server and not (self.mail_from and self.mail_to):
            raise ValueError("mail_server needs mail_from and mail_to")
        return self

    @property
    def is_on(self) -> bool:
        """True if somebody is notified."""
        return bool(self.webhook or self.mail_server)


NO_NOTICES = NoticeSettings()
