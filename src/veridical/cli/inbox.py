"""``veridical inbox``: pending approvals and clarifications, for operators."""

import json
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from veridical.cli.error_reporting import UsageError, out, printable
from veridical.cli.options import AsJson, In
from veridical.cli.own_database import OPERATOR, Database, opened_store, operator_name
from veridical.contracts.language import Language
from veridical.contracts.person import RESULTS, TEXT, Decision
from veridical.messages import message

if TYPE_CHECKING:
    from veridical.runs.inbox_item import InboxEntry, InboxItem
    from veridical.store.connection import Store


app = typer.Typer(no_args_is_help=True, help="See what waits for a person, and decide it.")

Item = Annotated[str, typer.Argument(metavar="ITEM", help="The item, as list names it.")]
_SHORTEST_HASH = 8
_COLUMNS = ("item", "kind", "tenant", "asked_by", "question", "expires", "status")
_IN_SHORT = ("item", "tenant", "question", "expires", "status")
_WIDE = 120
"""Terminal width that the whole table needs."""
_LONGEST_QUESTION = 60
_SHOWN_OF_A_HASH = 16
"""Characters of a hash: enough to identify the evidence, short enough for one line."""
_MOST_ROWS = 20


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
    with opened_store(database, language) as store, store.operator() as connection:
        from veridical.runs.inbox_rows import find_entries

        found = find_entries(connection, tenant, limit, before, pending=not everything)
    if as_json:
        out.print_json(_compact([each.model_dump(mode="json", by_alias=True) for each in found]))
    elif found:
        out.print(listed(found, language))
    else:
        out.print(message("inbox.none", language))


@app.command("show")
def show_command(
    item: Item, database: Database = None, language: In = Language.EN, as_json: AsJson = False
) -> None:
    """Show what a decision needs: the results, the question or the call. JSON has everything."""
    with opened_store(database, language) as store:
        found = _found(store, item, language)
        if as_json:
            out.print_json(_compact(found.model_dump(mode="json", by_alias=True)))
            return
        for part in shown(found, language):
            out.print(part)


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
    reason: Annotated[str, typer.Option(help="Why; the person who asked sees it.")] = "",
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Decide as an operator. The run continues, and the audit records who decided."""
    if approve is None:
        raise UsageError(message("inbox.say_which", language))
    choice: dict[str, Any] = {RESULTS: result} if result else {}
    choice |= {} if text is None else {TEXT: text}
    with opened_store(database, language) as store, _reported_inbox_errors(language):
        from veridical.runs.inbox import Inbox
        from veridical.runs.inbox_item import LONGEST_REASON, Decider, Ruling

        found = _found(store, item, language)
        bound = len(evidence) >= _SHORTEST_HASH and found.evidence_hash.startswith(evidence)
        ruling = Ruling(
            approved=approve,
            choice=choice,
            evidence_hash=found.evidence_hash if bound else evidence,
            reason=reason[:LONGEST_REASON],
        )
        name = operator_name()
        people = (name, name.removeprefix(OPERATOR))  # own requests can't be approved here either
        person = Decider(found.tenant, name, may_decide=True, may_ask=True, people=people)
        Inbox(store).decide(item, person, ruling)
    outcome = message(f"people.{'approved' if approve else 'denied'}", language)
    out.print(message("inbox.decided", language, outcome=outcome, item=item))


@contextmanager
def _reported_inbox_errors(language: Language) -> Generator[None]:
    from veridical.runs.errors import InboxError

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


def listed(found: "Sequence[InboxEntry]", language: Language) -> Table:
    """A table of items; an id is never wrapped, so that it can be copied."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    columns = _COLUMNS if out.width >= _WIDE else _IN_SHORT
    for name in columns:
        heading = message(f"inbox.column_{name}", language)
        table.add_column(heading, overflow="fold", no_wrap=name in ("item", "expires"))
    for entry in found:
        cells = dict(zip(_COLUMNS, _cells(entry, language), strict=True))
        table.add_row(*(_text(cells[name]) for name in columns))
    return table


def shown(item: "InboxItem", language: Language) -> Iterator[RenderableType]:
    """One item: what it is about, its evidence, and the decision or the default."""
    yield _heading(item, language)
    yield ""
    results = item.subject.get(RESULTS)
    if results:
        for place, result in enumerate(results):
            is_found = "candidateId" in result
            yield from _passage(place, result) if is_found else _result(place, result, language)
    else:
        yield _text(json.dumps(item.subject, ensure_ascii=False, indent=2))
    yield ""
    if item.decision is None:
        then = "then_approved" if item.auto_approve else "then_denied"
        yield message(f"inbox.{then}", language, date=f"{_minute(item.expires_at)} UTC")
    else:
        yield _text(_decided(item.decision, language))


def _cells(entry: "InboxEntry", language: Language) -> tuple[str, ...]:
    question = entry.question
    return (
        entry.id,
        message(f"people.{entry.kind}", language),
        entry.tenant,
        entry.asked_by,
        question[:_LONGEST_QUESTION] + "…" * (len(question) > _LONGEST_QUESTION),
        _minute(entry.expires_at),
        message(f"inbox.status_{entry.status}", language),
    )


def _heading(item: "InboxItem", language: Language) -> Table:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    cells = dict(zip(_COLUMNS, _cells(item, language), strict=True))
    evidence = item.evidence_hash[:_SHOWN_OF_A_HASH]
    cells |= {"question": item.question, "run": item.run_id, "evidence": evidence}
    for name, cell in cells.items():
        table.add_row(message(f"inbox.column_{name}", language), _text(cell))
    return table


def _result(place: int, result: dict[str, Any], language: Language) -> Iterator[RenderableType]:
    """One result under its number: the call, then its rows as far as they are looked at."""
    arguments = json.dumps(result.get("arguments", {}), ensure_ascii=False)
    yield _text(f"{place}: {result.get('tool', '')} {arguments}")
    rows: list[list[Any]] = result.get("rows", [])
    table = Table(box=None, padding=(0, 2, 0, 2))
    for column in result.get("columns", []):
        table.add_column(_text(column), overflow="fold")
    for row in rows[:_MOST_ROWS]:
        table.add_row(*(_text("" if cell is None else str(cell)) for cell in row))
    yield table
    count = (result.get("receipt") or {}).get("rowCount", len(rows))
    if count > len(rows[:_MOST_ROWS]):
        yield message("inbox.more_rows", language, count=count)


def _passage(place: int, result: dict[str, Any]) -> Iterator[RenderableType]:
    """One search result under its number: score, title and address, why, and its text."""
    score, title, url = (result.get(name, "") for name in ("score", "title", "url"))
    yield _text(f"{place}: {score} {title} {url}")
    for name in ("reason", "snippet"):
        if result.get(name):
            yield _text(f"   {result[name]}")


def _decided(decision: Decision, language: Language) -> str:
    outcome = message(f"people.{'approved' if decision.approved else 'denied'}", language)
    at = f"{_minute(datetime.fromtimestamp(decision.at, UTC))} UTC"
    chosen = f" {json.dumps(decision.choice, ensure_ascii=False)}" if decision.choice else ""
    heading = message("inbox.decision", language)
    line = message("inbox.reason_given", language, reason=decision.reason)
    reason = f"\n{line}" if decision.reason else ""
    return f"{heading}: {outcome}, {decision.decided_by}, {at}{chosen}{reason}"


def _minute(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d %H:%M}"


def _text(cell: str) -> Text:
    return Text(printable(cell))
