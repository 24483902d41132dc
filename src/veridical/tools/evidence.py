"""The tool that searches documents: an answer may quote and cite its passages."""

import hashlib
from time import perf_counter
from typing import Annotated
from uuid import uuid4

from pydantic import Field, StringConstraints

from veridical.check.arguments import read_arguments
from veridical.contracts.chunk import CHUNKS
from veridical.contracts.language import Language
from veridical.contracts.result import Emptiness, Receipt, ToolResult, refused
from veridical.contracts.search_context import FreshnessMode
from veridical.contracts.tool import Arguments, JsonSchema, SchemaView, Tool
from veridical.contracts.violation import Refusal, malformed
from veridical.contracts.wire import Wire
from veridical.messages.hints import hint
from veridical.ontology.nearest import nearest
from veridical.tools.argument_schemas import ArgumentSchemas, built_in_texts, one_object, one_of
from veridical.tools.context import BuiltIn, DataContext
from veridical.tools.evidence_shelf import EvidenceQuery, EvidenceShelf

SEARCH_EVIDENCE = "searchEvidence"
UNAVAILABLE = "RAG_UNAVAILABLE"
_MOST = 10
"""Most passages of one call: more make an answer slower, not better."""
_LONGEST = 1_000


class SearchArguments(Wire):
    """The arguments of a search."""

    question: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=_LONGEST)
    ]
    collection: str | None = None
    freshness_mode: FreshnessMode | None = None
    limit: Annotated[int | None, Field(ge=1, le=_MOST)] = None


def check_search(arguments: Arguments, context: DataContext) -> EvidenceQuery | ToolResult:
    """A search in collections that the feature allows and the tenant has."""
    request = read_arguments(SearchArguments, arguments, context.language)
    if isinstance(request, Refusal):
        return refused(request)
    shelf = _shelf(context)
    tenant = shelf.tenant_of(context.caller.member_of)
    allowed = shelf.collections
    if request.collection is not None:
        existing = shelf.existing(tenant)
        known = [name for name in allowed if existing is None or name in existing]
        if request.collection not in known:
            text = hint("tools.no_such_collection", context.language, name=request.collection)
            return refused(malformed("collection", text, nearest(request.collection, known)))
        allowed = (request.collection,)
    return EvidenceQuery(
        question=request.question,
        tenant=tenant,
        collections=allowed,
        freshness_mode=request.freshness_mode or shelf.freshness_mode,
        language=context.language,
        limit=request.limit,
    )


def search_evidence(query: EvidenceQuery, context: DataContext) -> ToolResult:
    """The best passages, as chunks that an answer may cite."""
    started = perf_counter()
    found = _shelf(context).search(query)
    if found.flags.rag_unavailable and not found.chunks:
        return documents_unavailable(context.language)
    return ToolResult(
        success=True,
        data={
            CHUNKS: [each.model_dump(mode="json", exclude_defaults=True) for each in found.chunks]
        },
        error_details={"flags": {"lexicalOnly": True}} if found.flags.lexical_only else None,
        receipt=_receipt(query, len(found.chunks), started),
    )


def documents_unavailable(language: Language) -> ToolResult:
    """The result if the documents can't be read; the data still can, so the run goes on."""
    text = hint("tools.documents_unavailable", language)
    details = {"code": UNAVAILABLE, "field": None, "suggestion": None, "hint": text}
    return ToolResult(
        success=False,
        error=f"{UNAVAILABLE}: {text}",
        error_details={**details, "flags": {"ragUnavailable": True}},
    )


def _receipt(query: EvidenceQuery, count: int, started: float) -> Receipt:
    call = f"{SEARCH_EVIDENCE} {', '.join(query.collections)} [{query.freshness_mode}]"
    key = f"{query.tenant}\0{call}\0{query.question}\0{query.limit}"
    return Receipt(
        call_id=str(uuid4()),
        query_hash=hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest(),
        ontology_hash="",
        sql=call,
        row_count=count,
        truncated=False,
        emptiness=None if count else Emptiness.NO_MATCH,
        elapsed_ms=round((perf_counter() - started) * 1000, 3),
    )


def _shelf(context: DataContext) -> EvidenceShelf:
    if context.evidence is None:
        raise LookupError(f"nothing runs {SEARCH_EVIDENCE}")
    return context.evidence


def _schema(view: SchemaView, context: DataContext) -> JsonSchema:
    each = ArgumentSchemas(view, context.language)
    names = context.evidence.collections if context.evidence else ()
    count = {"type": "integer", "minimum": 1, "maximum": _MOST}
    return one_object(
        each.described("question", {"type": "string", "maxLength": _LONGEST}, "searchQuestion")
        | each.described("collection", one_of(names))
        | each.described("freshnessMode", one_of(tuple(FreshnessMode)))
        | each.described("limit", count, "passages"),
        "question",
    )


def _has_documents(context: DataContext) -> bool:
    """True if there are documents and a tenant; without a tenant there is nothing to search."""
    shelf = context.evidence
    return shelf is not None and bool(shelf.tenant_of(context.caller.member_of))


SEARCH: BuiltIn[EvidenceQuery] = Tool(
    name=SEARCH_EVIDENCE,
    texts=built_in_texts(SEARCH_EVIDENCE),
    schema=_schema,
    check=check_search,
    run=search_evidence,
    reads=lambda query: query.collections,
    available=_has_documents,
)
