"""A client of a running server over HTTP: nothing that answers questions is imported."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from veridical.contracts.answer import Answer
from veridical.contracts.language import Language
from veridical.messages import message

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_SECONDS = 200.0
"""A little longer than a server takes before it gives up itself."""
_LONGEST = 50_000_000


class RemoteError(Exception):
    """A server that can't be used; says who must act."""

    def __init__(self, problem: str, **values: object) -> None:
        self._problem = problem
        self._values = values
        super().__init__(self.message(Language.EN))

    def message(self, language: Language) -> str:
        """The problem, in this language."""
        return message(f"cli.server_{self._problem}", language, **self._values)


@dataclass(frozen=True, slots=True)
class StartedRun:
    """A person must decide first: the server started a run."""

    run_id: str


@dataclass(frozen=True, slots=True)
class RemoteServer:
    """A server, the key to it, and the language of its error messages."""

    address: str
    key: str
    language: Language = Language.EN

    def ask(
        self, question: str, feature: str = "", language: Language | None = None
    ) -> Answer | StartedRun:
        """The answer of the server. Without a feature, about the only one there is.

        Raises ``RemoteError``.
        """
        body: dict[str, Any] = {"feature": feature or self._feature(), "question": question}
        if language is not None:
            body["language"] = language.value
        status, given = self._called("/v1/ask", body)
        if status == HTTPStatus.ACCEPTED:
            return StartedRun(str(given["runId"]))
        return Answer.model_validate(given)

    def _feature(self) -> str:
        _, listed = self._called("/v1/ontology")
        names = [str(each["name"]) for each in listed["features"]]
        if len(names) != 1:
            raise RemoteError("features", known=", ".join(names) or "-")
        return names[0]

    def _called(self, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        request = urllib.request.Request(  # noqa: S310 # the scheme is checked
            f"{self._base()}{path}",
            None if body is None else json.dumps(body).encode(),
            {
                "Accept-Language": self.language.value,
                "Authorization": f"Bearer {self.key}",
                "Content-Type": "application/json",
            },
        )
        try:
            with _opener(request).open(request, timeout=_SECONDS) as response:
                return response.status, json.loads(response.read(_LONGEST))
        except urllib.error.HTTPError as error:
            raise RemoteError("refused", reason=_detail(error)) from error
        except (OSError, ValueError) as error:
            raise RemoteError("unreachable", address=self.address) from error

    def _base(self) -> str:
        """The address, which must protect the key: encrypted, or on this machine."""
        parts = urlsplit(self.address)
        is_safe = parts.scheme == "https" or (
            parts.scheme == "http" and parts.hostname in _LOOPBACK
        )
        if not is_safe or not parts.hostname:
            raise RemoteError("address", address=self.address)
        return self.address.rstrip("/")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: a key is sent only to the named server."""

    def redirect_request(
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> None:
        """Follows no redirect."""


def _opener(request: urllib.request.Request) -> urllib.request.OpenerDirector:
    """Without a proxy where the server is on this machine."""
    if request.type == "http":
        return urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))
    return urllib.request.build_opener(_NoRedirects)


def _detail(error: urllib.error.HTTPError) -> str:
    """The server's description of the problem, else the status."""
    try:
        return str(json.loads(error.read(_LONGEST))["detail"])
    except (OSError, ValueError, KeyError, TypeError):
        return str(error.code)
