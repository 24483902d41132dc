"""The policy: what each rule may do, what is never flagged, which tools must have run."""

import json
import re
import tomllib
import warnings
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from veridical.contracts.facts_answer import Show
from veridical.contracts.proof import ClaimKind, GateCode
from veridical.contracts.violation import Mode, weaker
from veridical.contracts.wire import Wire
from veridical.gate.records.lexicon import RecordLexicon
from veridical.gate.records.lexicon_file import load_record_lexicon

OFF = "off"
"""The reviewer that nobody is."""
TABLE = "gate"
"""The table of ``veridical.toml`` that holds a policy."""


class ProofPolicy(StrEnum):
    """How an answer is judged, and what becomes of one that is not proven throughout."""

    MARKED = "marked"
    """claims are evaluated over typed evidence; nothing is held back for being unproven or
    contradicted: each claim carries a tick, and is green only where its binding is certain"""
    STRICT = "strict"
    """claims are evaluated over typed evidence; anything unproven holds the answer back"""
    MARK = "mark"
    """the same; shown with what is unproven marked, unless something is contradicted"""
    OFF = "off"
    """the same; nothing is held back"""
    WORDINGS = "wordings"
    """claims are read by their wordings, and judged by the rules"""


_LEAVING = frozenset(ProofPolicy) - {ProofPolicy.MARKED}
"""Names that are known for one more release."""


class PolicyError(ValueError):
    """A policy can't be read; the text says where and why."""


def _is_expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from error
    return text


def _are_lexicons(paths: tuple[str, ...]) -> tuple[str, ...]:
    load_record_lexicon(paths)
    return paths


Pattern = Annotated[str, AfterValidator(_is_expression)]


def _required_tools() -> dict[str, tuple[str, ...]]:
    return {
        "file": ("inspectFile", "analyzeDataframe"),
        "table": ("queryTable|aggregateTable|browseTable|queryMetrics|executeSqlSafe|query",),
    }


class Policy(Wire):
    """What the gate does with what its rules find."""

    policy: ProofPolicy = ProofPolicy.MARKED
    """How claims are judged; answers of the host's own flow are judged by ``wordings`` where no
    name is given. What is below it is for the rules of ``wordings``, apart from the log, and from
    modes and ``allow`` for what a host finds by itself."""
    show: Show | None = None
    """What is shown of an answer in facts: ``exact``, ``reviewed`` or ``marked``; where nothing is
    said, ``reviewed`` with a model and ``exact`` without one."""
    reviewer: str = ""
    """The model, as ``provider:NAME``, that compares prose with exact sentences; the agent's own
    where empty, nobody with ``off``."""
    reviewer_seconds: float = Field(default=30, gt=0)
    """How long it may take for its one call; then there was no review."""
    modes: dict[GateCode, Mode] = Field(default_factory=dict[GateCode, Mode])
    """By code; a rule that is not named here blocks."""
    kind_modes: dict[GateCode, dict[ClaimKind, Mode]] = Field(
        default_factory=dict[GateCode, dict[ClaimKind, Mode]]
    )
    """By code and kind of claim; goes before ``modes``, and never beyond it."""
    placeholders: tuple[Pattern, ...] = ()
    """More expressions of made-up values, beside those that the gate knows."""
    allow: tuple[str, ...] = ()
    """Texts that are never flagged: a company's own name, a fixed rate."""
    allow_patterns: tuple[Pattern, ...] = ()
    """Expressions; a finding within a match is dropped."""
    required_tools: dict[str, tuple[str, ...]] = Field(default_factory=_required_tools)
    """By kind of source: the tools that must have succeeded once one of them was called. Names
    with a bar between them stand for one another."""
    idle_tools: tuple[str, ...] = ("calculate", "describe", "think", "askUser", "finalAnswer")
    """Tools that bring no data: their failure stands in no answer's way."""
    smallest_figure: float = 13
    """Bare whole numbers below it are small talk: two sides, 12 months."""
    untraced_arguments: Mode = Mode.WARN
    """What is done with a call that has a value which nobody named."""
    lexicons: Annotated[tuple[str, ...], AfterValidator(_are_lexicons)] = ()
    """TOML files with the words of the domain that records are from; names are taken from the
    folder of the policy's own file."""
    log: str = ""
    """The file that interceptions are appended to; none where empty."""

    def mode_of(self, code: GateCode, kind: ClaimKind | None = None) -> Mode:
        """What the rule may do with a finding about this kind of claim."""
        mode = self.modes.get(code, Mode.BLOCK)
        own = self.kind_modes.get(code, {}).get(kind) if kind else None
        return mode if own is None else weaker(mode, own)

    @cached_property
    def allowed(self) -> re.Pattern[str] | None:
        """Where nothing is flagged."""
        texts = [re.escape(text) for text in self.allow if text]
        if not texts and not self.allow_patterns:
            return None
        return re.compile("|".join((*texts, *self.allow_patterns)), re.IGNORECASE)

    @property
    def record_lexicon(self) -> RecordLexicon:
        """The general words of records with those of the named files."""
        return load_record_lexicon(self.lexicons)

    @cached_property
    def made_up(self) -> tuple[re.Pattern[str], ...]:
        """The host's own expressions of made-up values."""
        return tuple(re.compile(text, re.IGNORECASE) for text in self.placeholders)


DEFAULT = Policy()


def read_name(name: str) -> Policy:
    """The policy of this name. Raises ``PolicyError`` where there is none."""
    try:
        policy = Policy(policy=ProofPolicy(name))
    except ValueError:
        known = ", ".join(ProofPolicy)
        raise PolicyError(f"no policy {name!r}: known are {known}") from None
    warn_of(policy)
    return policy


def warn_of(policy: Policy) -> None:
    """Warns whoever names a policy that goes."""
    if "policy" in policy.model_fields_set and policy.policy in _LEAVING:
        told = f"the gate policy {policy.policy.value!r} goes with the next release: use 'marked'"
        warnings.warn(told, DeprecationWarning, stacklevel=3)


def for_own_answers(policy: Policy) -> Policy:
    """The policy for what the flow itself answers: by wordings, where nobody names another."""
    if "policy" in policy.model_fields_set:
        return policy
    return policy.model_copy(update={"policy": ProofPolicy.WORDINGS})


def softened(
    policy: Policy,
    *,
    modes: Mapping[GateCode, Mode],
    placeholders: Sequence[str] = (),
    allow: Sequence[str] = (),
    allow_patterns: Sequence[str] = (),
) -> Policy:
    """The policy with what one kind of task asks for: no rule does more than it did before."""
    milder = {code: weaker(policy.mode_of(code), mode) for code, mode in modes.items()}
    return policy.model_copy(
        update={
            "modes": {**policy.modes, **milder},
            "placeholders": (*policy.placeholders, *placeholders),
            "allow": (*policy.allow, *allow),
            "allow_patterns": (*policy.allow_patterns, *allow_patterns),
        }
    )


def read_policy(path: Path) -> Policy:
    """The policy of a TOML file's table ``gate``, or of a JSON file. Raises ``PolicyError``."""
    try:
        text = path.read_text("utf-8")
        told: Any = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise PolicyError(f"{path}: {error}") from error
    if isinstance(told, dict) and (path.suffix != ".json" or TABLE in told):
        told = told.get(TABLE, {})
    if isinstance(told, dict) and isinstance(named := told.get("lexicons"), list):
        told = {**told, "lexicons": [str(path.parent / str(each)) for each in named]}
    return parse_policy(told, str(path))


def parse_policy(told: Any, source: str = "policy") -> Policy:
    """The policy that a JSON object describes. Raises ``PolicyError`` with every mistake in it."""
    try:
        policy = Policy.model_validate(told)
    except ValidationError as error:
        mistakes = "; ".join(
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()
        )
        raise PolicyError(f"{source}: {mistakes}") from error
    warn_of(policy)
    return policy
