"""``veridical gate --annotator``: a model that may prove what the gate could not."""

import asyncio
from functools import partial
from typing import Any

from veridical.cli.error_reporting import UsageError
from veridical.contracts.language import Language
from veridical.contracts.proof import Proof
from veridical.gate.annotation.check import check_annotation, is_unproven_only
from veridical.gate.policy import Policy
from veridical.gate.shapes import read_material


def annotated(
    proof: Proof,
    text: str,
    evidence: Any,
    *,
    model: str,
    question: str,
    language: Language,
    policy: Policy,
    required_tools: tuple[str, ...],
) -> Proof:
    """The proof by a model's annotation; the given one where that proves nothing."""
    if not is_unproven_only(proof):
        return proof
    # Imported here because the providers' clients take seconds to load.
    from veridical.agent.provider import ModelNotConfiguredError, open_model
    from veridical.agent.settings import for_annotator, read_settings
    from veridical.answering.annotator import annotate

    material = read_material(evidence)
    check = partial(
        check_annotation,
        text,
        exhibits=material.exhibits,
        question=question,
        language=language,
        policy=policy,
        runs=material.runs,
        required_tools=required_tools,
    )

    async def ask() -> Proof | None:
        async with open_model(for_annotator(read_settings(), model)) as opened:
            found = await annotate(
                text,
                material.exhibits,
                check,
                model=opened,
                seconds=policy.annotator_seconds,
                question=question,
                language=language,
            )
        return found.proof

    try:
        return asyncio.run(ask()) or proof
    except ModelNotConfiguredError as error:
        raise UsageError(error.message(language)) from error
