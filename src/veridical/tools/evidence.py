"""The tool that searches documents: an answer may quote and cite its passages."""

import hashlib
from time import perf_counter
from typing import Annotated, Any
from uuid import uuid4

from pydantic import BeforeValidator, Field, StringConstraints

from veridical.check.arguments import read_arguments
from veridical.contracts.chunk import CHUNKS
from veridical.contracts.language import Language
from veridical.contracts.result import Emptiness, Receipt, ToolResult, refused
from veridical.contracts.search_context import FreshnessMode, ScoringContext, from_json_text
from veridical.contracts.search_result import SearchFlags
from veridical.contracts.tool import Arguments, JsonSchema, SchemaView, Tool
from veridical.contracts.violation import Refusal, malformed
from veridical.contracts.wire import Wire
from veridical.messages.hints import hint
from veridical.ontology.nearest import nearest
from veridical.tools.argument_schemas import (
    ArgumentSchemas,
    built_in_texts,
    list_of,
    one_object,
    one_of,
)
from veridical.tools.context import BuiltIn, DataContext
from veridical.tools.evidence_shelf import EvidenceQuery, EvidenceShelf

SEARCH_EVIDENCE = "searchEvidence"
UNAVAILABLE = "RAG_UNAVAILABLE"
_MOST = 10
"""Most passages of one call: more make an answer slower, not better."""
_LONGEST = 1_000


class CallerContext(ScoringContext):
    """The caller's context; the question is the call's own."""

    question: str = ""


ContextArgument = Annotated[CallerContext, BeforeValidator(from_json_text)]


class SearchArguments(Wire):
    """The arguments of a search."""

    question: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=_LONGEST)
    ]
    collection: str | None = None
    freshness_mode: FreshnessMode | None = None
    scoring_context: ContextArgument | None = None
    model_scores: bool = False
    limit: Annotated[int | None, Field(ge=1, le=_MOST)] = None


def check_search(arguments: Arguments, context: DataContext) -> EvidenceQuery | ToolResult:
    """A search in collections that the feature allows and the tenant has."""
    request = read_arguments(SearchArguments, arguments, context.language)
    if isinstance(request, Refusal):
        return refused(request)
    shelf = _shelf(context)
    tenant = shelf.tenant_of(context.caller.member_of)
    allowed = shelf.collections
    given = request.scoring_context
    named = request.collection or (given.collection_scope if given else None)
    if named is not None:
        existing = shelf.existing(tenant)
        known = [name for name in allowed if existing is None or name in existing]
        if named not in known:
            field = "collection" if request.collection else "scoringContext.collectionScope"
            text = hint("tools.no_such_collection", context.language, name=named)
            return refused(malformed(field, text, nearest(named, known)))
        allowed = (named,)
    mode = given.freshness_mode if given and "freshness_mode" in given.model_fields_set else None
    return EvidenceQuery(
        question=request.question,
        tenant=tenant,
        collections=allowed,
        freshness_mode=request.freshness_mode or mode or shelf.freshness_mode,
        language=context.language,
        limit=request.limit,
        context=given,
        by_model=request.model_scores,
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
        error_details=_flags(query, found.flags),
        receipt=_receipt(query, len(found.chunks), started),
    )


def _flags(query: EvidenceQuery, flags: SearchFlags) -> dict[str, Any] | None:
    """What was not available; none where all was."""
    found: dict[str, Any] = {"lexicalOnly": True} if flags.lexical_only else {}
    if query.by_model and flags.debug.llm.fallback:
        found |= {"llmTimeout": flags.llm_timeout, "fallback": flags.debug.llm.fallback}
    return {"flags": found} if found else None


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
    if query.context is not None:
        key += f"\0{query.scoring_context.model_dump_json()}"
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
        | each.described("scoringContext", _context_schema())
        | (each.described("modelScores", {"type": "boolean"}) if _can_score(context) else {})
        | each.described("limit", count, "passages"),
        "question",
    )


def _context_schema() -> JsonSchema:
    text, texts = {"type": "string"}, list_of({"type": "string"})
    modes = one_of(tuple(FreshnessMode))
    known = {"freshnessMode": modes, "minDiversityBuckets": {"type": "integer", "minimum": 1}}
    for name, field in CallerContext.model_fields.items():
        alias = field.alias or name
        is_list = name in ("preferred_sources", "disallowed_sources")
        known.setdefault(alias, texts if is_list else text)
    return {"type": "object", "properties": known, "additionalProperties": False}


def _can_score(context: DataContext) -> bool:
    return context.evidence is not None and context.evidence.can_score


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
