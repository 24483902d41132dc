"""``veridical inbox``: pending approvals and clarifications, for operators."""

import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridical.cli.error_reporting import UsageError, out, printable, reported_errors
from veridical.cli.inbox_view import listed, shown
from veridical.cli.own_database import (
    OPERATOR,
    AsJson,
    Database,
    In,
    opened_store,
    operator_name,
)
from veridical.contracts.language import Language
from veridical.contracts.person import RESULTS, TEXT
from veridical.messages import message

if TYPE_CHECKING:
    from veridical.runs.inbox_item import InboxItem
    from veridical.store.connection import Store

app = typer.Typer(no_args_is_help=True, help="See what waits for a person, and decide it.")

Item = Annotated[str, typer.Argument(metavar="ITEM", help="The item, as list names it.")]
_SHORTEST_HASH = 8


@app.command("list")
def list_command(
    tenant: Annotated[str | None, typer.Option(help="Only this tenant's.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what has been decided or is no longer needed.")
    ] = False,
    limit: Annotated[int, typer.Option(help="The most items.", min=1, max=1000)] = 50,
    before: Annotated[
        str | None, typer.Option(help="Only those before this item: the next page.")
    ] = None,
    database: Database = None,
    language: In = Language.EN,
    as_json: AsJson = False,
) -> None:
    """List pending items, newest first."""
    with reported_errors(language):
        with opened_store(database, language) as store, store.operator() as connection:
            from veridical.runs.inbox_rows import find_entries

            found = find_entries(connection, tenant, limit, before, pending=not everything)
        if as_json:
            out.print_json(
                _compact([each.model_dump(mode="json", by_alias=True) for each in found])
            )
        elif found:
            out.print(listed(found, language), highlight=False)
        else:
            out.print(message("inbox.none", language))


@app.command("show")
def show_command(
    item: Item, database: Database = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """Show what a decision needs: the results, the question or the call. JSON has everything."""
    with reported_errors(language), opened_store(database, language) as store:
        found = _found(store, item, language)
        if as_json:
            out.print_json(_compact(found.model_dump(mode="json", by_alias=True)))
            return
        for part in shown(found, language):
            out.print(part, highlight=False)


@app.command("decide")
def decide_command(
    item: Item,
    evidence: Annotated[
        str, typer.Option(help="The hash that show names, or its first 8 characters or more.")
    ],
    approve: Annotated[
        bool | None, typer.Option("--approve/--deny", help="What is decided.")
    ] = None,
    result: Annotated[
        list[int] | None,
        typer.Option(help="Approve only this result, counted from 0; may be repeated."),
    ] = None,
    text: Annotated[str | None, typer.Option(help="The reply to a clarification.")] = None,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Decide as an operator. The run continues, and the audit records who decided."""
    with reported_errors(language):
        if approve is None:
            raise UsageError(message("inbox.say_which", language))
        choice: dict[str, Any] = {RESULTS: result} if result else {}
        choice |= {} if text is None else {TEXT: text}
        with opened_store(database, language) as store, _told_why(language):
            from veridical.runs.inbox import Inbox
            from veridical.runs.inbox_item import Decider, Ruling

            found = _found(store, item, language)
            bound = len(evidence) >= _SHORTEST_HASH and found.evidence_hash.startswith(evidence)
            ruling = Ruling(
                approved=approve,
                choice=choice,
                evidence_hash=found.evidence_hash if bound else evidence,
            )
            name = operator_name()
            people = (name, name.removeprefix(OPERATOR))  # nobody approves their own here either
            person = Decider(found.tenant, name, may_decide=True, may_ask=True, people=people)
            Inbox(store).decide(item, person, ruling)
        outcome = message(f"people.{'approved' if approve else 'denied'}", language)
        out.print(message("inbox.decided", language, outcome=outcome, item=item), highlight=False)


@contextmanager
def _told_why(language: Language) -> Generator[None]:
    from veridical.runs.inbox_errors import InboxError

    try:
        yield
    except InboxError as error:
        raise UsageError(error.message(language)) from error


def _found(store: "Store", item: str, language: Language) -> "InboxItem":
    from veridical.runs.inbox_rows import find_item

    with store.operator() as connection:
        found = find_item(connection, item, None)
    if found is None:
        raise UsageError(message("inbox.not_found", language))
    return found


def _compact(value: object) -> str:
    return printable(json.dumps(value, ensure_ascii=False))
