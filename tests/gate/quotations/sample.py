"""A few chunks in each language, and the codes that answers over them can be held back for."""

import json
from functools import cache
from pathlib import Path

from veridical.contracts.chunk import Chunk
from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode

CASES = Path(__file__).with_name("cases")
OF_DOCUMENTS = {
    GateCode.ALTERED_QUOTATION,
    GateCode.SPLICED_QUOTATION,
    GateCode.MISCITED_QUOTATION,
    GateCode.UNKNOWN_CITATION,
    GateCode.UNPROVEN_QUOTATION,
    GateCode.NOT_IN_CITATION,
    GateCode.UNCITED_CLAIM,
}


@cache
def chunks_in(language: Language) -> tuple[Chunk, ...]:
    told = json.loads((CASES / "chunks.json").read_text("utf-8"))[language]
    return tuple(Chunk.model_validate(each) for each in told)
