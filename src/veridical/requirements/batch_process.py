"""Many requirements in a process of their own, within limits: rules look at every word beside every
other, and other work in this process would wait for them.

Each function raises ``LimitError``.
"""

import json
from collections.abc import Collection, Sequence
from typing import Any

from veridical.contracts.language import Language
from veridical.limited_process.job import run_limited
from veridical.limited_process.limits import limits_for
from veridical.requirements import batch
from veridical.requirements.lexicon import samples
from veridical.requirements.relations.meaning import Near, Nearness
from veridical.requirements.rewrite.proposal import Proposal

_WORK = "veridical.requirements.batch_process:batch_request"
_SECONDS = 5.0
_SECONDS_PER_MB = 60.0


def evaluated(text: str, criteria_keys: Collection[str] | None, language: Language) -> Any:
    """One evaluation."""
    keys = None if criteria_keys is None else list(criteria_keys)
    return _run("evaluate", [text], language, keys)


def suggested(texts: Sequence[str], language: Language) -> Any:
    """The improvements of each requirement; none where the tool failed."""
    return _run("suggest", texts, language)


def related(texts: Sequence[str], language: Language, near: Near | None = None) -> Any:
    """The pairs that relate, conflicts first; ``near`` are the same to a model."""
    given = [[*pair, each.similarity, each.is_sure] for pair, each in (near or {}).items()]
    return _run("compare", texts, language, given)


def rewritten(
    texts: Sequence[str], language: Language, proposals: Sequence[Proposal | None] | None = None
) -> Any:
    """All rewrites, in their order."""
    given = [each.model_dump() if each else None for each in proposals or [None] * len(texts)]
    return _run("rewrite", texts, language, given)


def _run(work: str, texts: Sequence[str], language: Language, given: Any = None) -> Any:
    request = json.dumps((work, list(texts), language, given)).encode()
    limits = limits_for(len(request), _SECONDS, _SECONDS_PER_MB)
    return json.loads(run_limited(_WORK, request, limits))


def batch_request(request: bytes) -> bytes:
    """The entry point of the process: a request and its result, as JSON."""
    work, texts, language, given = json.loads(request)
    return json.dumps(_done(work, texts, Language(language), given)).encode()


def _done(work: str, texts: list[str], language: Language, given: Any) -> Any:
    if work == "evaluate":
        return batch.evaluated_item(texts[0], given, language)
    if work == "suggest":
        return batch.suggested_items(texts, language)
    if work == "compare":
        near = {(first, second): Nearness(*each) for first, second, *each in given or ()}
        return batch.related_items(texts, language, near)
    proposals = [Proposal.model_validate(each) if each else None for each in given]
    return batch.rewritten_items(texts, language, proposals)


def warm() -> None:
    """Load the words of all languages, before the first process begins."""
    for text in samples():
        batch.rewritten_items([text], Language.EN)
        batch.related_items([text, text], Language.EN)
