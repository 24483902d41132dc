"""``veridical ask --server``: the question goes to a running server; nothing is opened here."""

import os

from veridical.cli.answer_view import UNANSWERED, show_answer
from veridical.cli.error_reporting import UsageError, out
from veridical.client.remote import RemoteError, RemoteServer, StartedRun
from veridical.contracts.language import Language
from veridical.messages import message
from veridical.reading.language import language_of

ASK_KEY = "VERIDICAL_ASK_KEY"


def ask_server(
    address: str,
    question: str,
    feature: str,
    language: Language | None,
    *,
    as_json: bool,
    proof: bool,
) -> bool:
    """Ask, and print the answer; true when there was one. Raises ``UsageError``."""
    told = language or language_of(question, Language.EN)
    try:
        given = RemoteServer(address, os.environ.get(ASK_KEY, ""), told).ask(
            question, feature, language
        )
    except RemoteError as error:
        raise UsageError(error.message(told)) from error
    if isinstance(given, StartedRun):
        out.print(message("cli.server_run", told, run=given.run_id), highlight=False, markup=False)
        return False
    if as_json:
        out.print_json(given.model_dump_json(by_alias=True))
    else:
        show_answer(given, proof=proof)
    return given.kind not in UNANSWERED
