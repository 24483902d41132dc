"""The log of the gate: every answer it held back or warned about, and reports of wrong ones.

JSON Lines, opt-in. Neither the answer nor the evidence is written down: only codes, kinds of
claims, the language and an id made from the proof, so that a report can refer to it.
"""

import hashlib
import json
import logging
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from time import time
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from veridical.contracts.language import Language
from veridical.contracts.proof import GateCode, Proof, Verdict
from veridical.contracts.violation import Mode
from veridical.contracts.wire import Wire
from veridical.gate.policy import Policy

VARIABLE = "VERIDICAL_GATE_LOG"
_LOGGER = logging.getLogger(__name__)
_BINARY = getattr(os, "O_BINARY", 0)
_LONGEST_NOTE = 2000
_WORDS: dict[str, bool] = {"words": True, "cells": True, "cells_left_out": True, "passages": True}
_EXPLAINED: dict[str, Any] = {"claims": {"__all__": {"binding": _WORDS, "nearest": _WORDS}}}
"""Fields that a rendering may add to a proof; they do not change its id."""


class Interception(Wire):
    """One answer that did not pass as it was, or that a shadow rule would have stopped."""

    event: Literal["interception"] = "interception"
    id: str
    at: float
    verdict: Verdict
    language: Language
    codes: dict[GateCode, Mode]


class FalseBlock(Wire):
    """A report that an answer was held back wrongly."""

    event: Literal["falseBlock"] = "falseBlock"
    id: str
    at: float
    codes: tuple[GateCode, ...] = ()
    language: Language = Language.EN
    note: str = ""


class Tally(Wire):
    """How often a rule fired in a language, and how often wrongly."""

    code: GateCode
    language: Language
    count: int
    false_blocks: int


Entry = Interception | FalseBlock
_ENTRIES: TypeAdapter[Entry] = TypeAdapter(Annotated[Entry, Field(discriminator="event")])


def log_path(policy: Policy) -> Path | None:
    """The log file, from the environment, else the policy; none by default."""
    setting = os.environ.get(VARIABLE) or policy.log
    return Path(setting) if setting else None


def proof_id(proof: Proof) -> str:
    """An id that reports refer to; the same for the same proof."""
    body = proof.model_dump_json(by_alias=True, exclude=_EXPLAINED).encode()
    return hashlib.sha256(body).hexdigest()[:16]


def note_interception(proof: Proof, policy: Policy, language: Language) -> None:
    """Logs the gate's findings, if a log is configured. A failing log stops no verdict."""
    path = log_path(policy)
    if path is not None:
        try:
            log_interception(path, proof, language)
        except OSError as error:
            _LOGGER.warning("no interception logged to %s: %s", path, error.strerror)


def log_interception(
    path: Path, proof: Proof, language: Language, at: float | None = None
) -> Interception | None:
    """Logs the gate's findings; nothing for an answer without findings."""
    if not proof.findings:
        return None
    codes = {finding.code: finding.mode for finding in reversed(proof.findings)}
    entry = Interception(
        id=proof_id(proof),
        at=time() if at is None else at,
        verdict=proof.verdict,
        language=language,
        codes=codes,
    )
    _append(path, entry)
    return entry


def report_false_block(
    path: Path, proof: Proof, language: Language, note: str = "", at: float | None = None
) -> FalseBlock:
    """Logs that this proof held an answer back, or marked it, wrongly."""
    blocking = [each for each in proof.findings if each.mode is Mode.BLOCK]
    codes = tuple(dict.fromkeys(each.code for each in blocking or proof.findings))
    entry = FalseBlock(
        id=proof_id(proof),
        at=time() if at is None else at,
        codes=codes,
        language=language,
        note=note[:_LONGEST_NOTE],
    )
    _append(path, entry)
    return entry


def tallies(path: Path) -> tuple[Tally, ...]:
    """The counts by code and language, in the order of the codes."""
    counts: Counter[tuple[GateCode, Language]] = Counter()
    wrong: Counter[tuple[GateCode, Language]] = Counter()
    reported: set[str] = set()
    for entry in read_log(path):
        if isinstance(entry, Interception):
            counts.update((code, entry.language) for code in entry.codes)
        elif entry.id not in reported:
            reported.add(entry.id)
            wrong.update((code, entry.language) for code in entry.codes)
    keys = sorted(counts.keys() | wrong.keys(), key=lambda key: (_CODES.index(key[0]), key[1]))
    return tuple(
        Tally(code=code, language=language, count=counts[key], false_blocks=wrong[key])
        for key in keys
        for code, language in [key]
    )


def read_log(path: Path) -> Iterator[Entry]:
    """The entries, oldest first; a line that a crash tore is left out."""
    if not path.exists():
        return
    with path.open("rb") as lines:
        for line in lines:
            try:
                yield _ENTRIES.validate_json(line)
            except ValidationError:
                continue


def _append(path: Path, entry: Entry) -> None:
    """One write for each line, so that several processes may log at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    line = json.dumps(entry.model_dump(mode="json", by_alias=True), ensure_ascii=False)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _BINARY, 0o600)
    try:
        os.write(handle, f"{line}\n".encode())
    finally:
        os.close(handle)


_CODES = tuple(GateCode)
