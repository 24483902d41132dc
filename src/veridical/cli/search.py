"""``veridical search``: files into a collection, and the passages of it that fit a question."""

from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.error_reporting import err, out
from veridical.cli.options import AsJson, In
from veridical.cli.own_database import Database, own_settings
from veridical.contracts.extras import require
from veridical.contracts.language import Language
from veridical.contracts.search_context import FreshnessMode
from veridical.contracts.search_ingest import IngestTask

app = typer.Typer(no_args_is_help=True, help="Ingest documents and search them.")

Collection = Annotated[str, typer.Option(help="The collection's name.")]
Tenant = Annotated[str, typer.Option(help="The tenant that the collection belongs to.")]
Context = Annotated[
    Path | None,
    typer.Option(help="A JSON file with the scoring context: sources, age, jurisdiction, purpose."),
]


@app.command("ingest")
def ingest_command(
    paths: Annotated[list[Path], typer.Argument(help="Files, and folders of files.")],
    collection: Collection,
    tenant: Tenant,
    version: Annotated[str, typer.Option(help="The version that the documents are of.")] = "",
    tag: Annotated[list[str] | None, typer.Option(help="A policy tag; may be repeated.")] = None,
    trust_addresses: Annotated[
        bool,
        typer.Option(
            "--trust-addresses",
            help="Believe the addresses that the files state: only for files that you trust.",
        ),
    ] = False,
    processes: Annotated[int, typer.Option(min=1, max=64, help="Batches at once.")] = 2,
    as_run: Annotated[
        bool, typer.Option("--run", help="Let a worker do it: the files must be on its disk.")
    ] = False,
    as_json: AsJson = False,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Store documents. What is there with the same content is left as it is, so an ingest that was
    interrupted is simply started again.

    With ``--run`` it is queued as a durable run: killed workers are replaced by others, and
    ``veridical runs show`` tells how far it is.
    """
    require("search", "runs")
    settings = own_settings(database, language)
    if as_run:
        from veridical.cli.search_ingest import queue_ingest

        task = IngestTask(
            collection=collection,
            paths=tuple(str(path.absolute()) for path in paths),
            language=language,
            version=version,
            policy_tags=tuple(tag or ()),
            trust_addresses=trust_addresses,
        )
        queue_ingest(settings, tenant, task, as_json, language)
        return
    from veridical.cli.search_ingest import run_ingest
    from veridical.search.document_reading import IngestOptions

    options = IngestOptions(language, version, tuple(tag or ()), trust_addresses)
    run_ingest(settings, tenant, collection, paths, options, processes, as_json, language)


@app.command("collect")
def collect_command(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders to choose from.")],
    question: Annotated[str, typer.Option(help="What the evidence is to answer.")],
    collection: Collection,
    tenant: Tenant,
    context: Context = None,
    feature: Annotated[
        str, typer.Option(help="Score with the model of this feature's workers.")
    ] = "",
    tag: Annotated[list[str] | None, typer.Option(help="A policy tag; may be repeated.")] = None,
    version: Annotated[str, typer.Option(help="The version that the documents are of.")] = "",
    as_json: AsJson = False,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Search files and the collection for a question; store what a person approves.

    It is a durable run: a worker reads and scores the files, asks through the inbox (``veridical
    inbox``), stores exactly what was approved and verifies it (``veridical search verify``).
    """
    require("search", "runs")
    settings = own_settings(database, language)
    from veridical.cli.search_collect import queue_collecting, read_context

    scored = read_context(context, question, language)
    files = IngestTask(
        collection=collection,
        paths=tuple(str(path.absolute()) for path in paths),
        language=language,
        version=version,
        policy_tags=tuple(tag or ()),
    )
    queue_collecting(settings, tenant, files, scored, feature, as_json, language)


@app.command("verify")
def verify_command(
    run_id: Annotated[str, typer.Argument(metavar="RUN", help="The run that collected it.")],
    tenant: Tenant,
    as_json: AsJson = False,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Look whether the store has what was approved in a run, as it was approved.

    Fails where something is missing, has failed or has changed since.
    """
    require("search", "runs")
    settings = own_settings(database, language)
    from veridical.cli.search_collect import verify_run

    verify_run(settings, tenant, run_id, as_json, language)


@app.command("find")
def find_command(
    question: Annotated[str, typer.Argument(help="What to look for.")],
    collection: Collection,
    tenant: Tenant,
    limit: Annotated[int, typer.Option("-n", min=1, max=100, help="The most passages.")] = 5,
    explain: Annotated[
        bool, typer.Option(help="Score the passages and show how each score was calculated.")
    ] = False,
    freshness: Annotated[
        FreshnessMode, typer.Option(help="With --explain: how old evidence may be.")
    ] = FreshnessMode.STANDARD,
    context: Context = None,
    model: Annotated[
        bool, typer.Option("--model", help="Let the model of [agent] score too; implies --explain.")
    ] = False,
    as_json: AsJson = False,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Print the passages of a collection that fit a question best.

    With ``--explain`` they are ranked as evidence for an answer is; ``--json`` then prints the
    whole result with the account of every stage.
    """
    require("search", "runs")
    settings = own_settings(database, language)
    if explain or model or context is not None:
        from veridical.cli.search_collect import read_context
        from veridical.cli.search_find import explained, ranking

        wanted = read_context(context, question, language, freshness)
        scored = explained(settings, tenant, collection, wanted, limit, language, by_model=model)
        if as_json:
            out.print_json(scored.result.model_dump_json(by_alias=True))
        else:
            for part in ranking(scored, language):
                out.print(part)
        return
    from veridical.cli.search_find import find, shown

    found = find(settings, tenant, collection, question, limit, language)
    if as_json:
        out.print_json(data=[each.as_json() for each in found.passages])
    else:
        for line in shown(found.passages, language):
            out.print(line)
    if found.note:
        err.print(found.note, style="yellow")


@app.command("embed")
def embed_command(
    collection: Collection,
    tenant: Tenant,
    renew: Annotated[
        bool, typer.Option("--renew", help="Drop the collection's vectors of all models first.")
    ] = False,
    as_json: AsJson = False,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Give the chunks vectors that have none yet, by the embedder of ``[search.embedder]``.

    An ingest does the same at its end; this is for what it left while the embedder was away, and
    after a change of the embedder. Interrupted, it is simply started again.
    """
    require("search", "runs")
    settings = own_settings(database, language)
    from veridical.cli.search_ingest import needed_embedder, run_embed

    embedder = needed_embedder(language)
    report, lines = run_embed(settings, tenant, collection, embedder, language, renew=renew)
    if as_json:
        out.print_json(data=report.summary)
    else:
        for line in lines:
            out.print(line)
    if report.gap is not None:
        raise typer.Exit(1)


@app.command("rebuild")
def rebuild_command(
    collection: Collection,
    tenant: Tenant,
    as_json: AsJson = False,
    database: Database = None,
    language: In = Language.EN,
) -> None:
    """Fill the index of the settings anew with the passages that are stored.

    After another index was set, a new version of an analyser or a loss of the index. Nothing is
    parsed or approved again. Outside PostgreSQL, searches wait for it, and vectors are embedded
    again with ``veridical search embed``.
    """
    require("search", "runs")
    settings = own_settings(database, language)
    from veridical.cli.search_rebuild import run_rebuild

    run_rebuild(settings, tenant, collection, as_json, language)


@app.command("index")
def index_command(database: Database = None, language: In = Language.EN) -> None:
    """Build the HNSW index of the embedder's vectors, for collections of many chunks.

    One index serves all tenants. The database's owner runs it; others go on reading and writing.
    """
    require("search", "runs")
    settings = own_settings(database, language)
    from veridical.cli.search_ingest import needed_embedder, run_index

    text = run_index(settings, needed_embedder(language), language)
    out.print(text)
