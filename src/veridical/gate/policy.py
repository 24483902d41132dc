"""The policy: the modes of the rules, allowed texts and required tools."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationError

from veridical.contracts.facts_answer import Show
from veridical.contracts.proof import GateCode
from veridical.contracts.settings_file import with_presets
from veridical.contracts.source_kind import SourceKind
from veridical.contracts.violation import Mode, weaker
from veridical.contracts.wire import Wire

OFF = "off"
"""The name for no reviewer."""
TABLE = "gate"
"""The table of ``veridical.toml`` that holds a policy."""


class ProofPolicy(StrEnum):
    """The treatment of an answer whose claims are evaluated over typed evidence."""

    MARKED = "marked"
    """nothing is held back for being unproven or contradicted: each claim carries a tick, and is
    green only where its binding is certain; the rules about the run still apply"""
    OFF = "off"
    """nothing is held back"""


class PolicyError(ValueError):
    """A policy can't be read; the text says where and why."""


def _is_expression(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"no regular expression: {error}") from error
    return text


Pattern = Annotated[str, AfterValidator(_is_expression)]


_READS_TABLES = "queryTable|aggregateTable|browseTable|queryMetrics|executeSqlSafe|query"


def _required_tools() -> dict[str, tuple[str, ...]]:
    return {
        SourceKind.FILE: ("inspectFile", "analyzeDataframe"),
        SourceKind.SQL: (_READS_TABLES,),
    }


class Policy(Wire):
    """The treatment of the gate's findings."""

    policy: ProofPolicy = ProofPolicy.MARKED
    """The treatment of free text; answers in facts have ``show``."""
    show: Show | None = None
    """The shown form of an answer in facts: ``exact``, ``reviewed`` or ``marked``; by default
    ``reviewed`` with a model and ``exact`` without one."""
    reviewer: str = ""
    """The model, as ``provider:NAME``, that compares prose with exact sentences; the agent's own
    where empty, none with ``off``."""
    reviewer_seconds: float = Field(default=30, gt=0)
    """The time limit of its one call; after that there is no review."""
    modes: dict[GateCode, Mode] = Field(default_factory=dict[GateCode, Mode])
    """By code, for findings of the run's rules or the host; a rule that is not named here blocks.
    Claims that are unproven or contradicted are marked, and never more."""
    allow: tuple[str, ...] = ()
    """Texts that are never flagged: a company's own name, a fixed rate."""
    allow_patterns: tuple[Pattern, ...] = ()
    """Expressions; a finding within a match is dropped."""
    required_tools: dict[str, tuple[str, ...]] = Field(default_factory=_required_tools)
    """By kind of source, ``sql`` or ``file``: the tools that must have succeeded. A feature
    declares its kind; for other answers a kind counts once one of its tools was called. Names with
    a bar between them stand for one another."""
    idle_tools: tuple[str, ...] = ("calculate", "describe", "think", "askUser", "finalAnswer")
    """Tools that return no data: their failure blocks no answer."""
    smallest_figure: float = 13
    """Bare whole numbers below it are not checked: two sides, 12 months."""
    untraced_arguments: Mode = Mode.WARN
    """The mode for a call with a value of unknown source."""
    log: str = ""
    """The file that interceptions are appended to; none where empty."""

    def mode_of(self, code: GateCode) -> Mode:
        """The mode of a rule."""
        return self.modes.get(code, Mode.BLOCK)

    @cached_property
    def allowed(self) -> re.Pattern[str] | None:
        """The pattern of texts that are never flagged."""
        texts = [re.escape(text) for text in self.allow if text]
        if not texts and not self.allow_patterns:
            return None
        return re.compile("|".join((*texts, *self.allow_patterns)), re.IGNORECASE)


DEFAULT = Policy()


def read_name(name: str) -> Policy:
    """The policy of this name. Raises ``PolicyError`` where there is none."""
    try:
        return Policy(policy=ProofPolicy(name))
    except ValueError:
        known = ", ".join(ProofPolicy)
        raise PolicyError(f"no policy {name!r}: known are {known}") from None


def softened(
    policy: Policy,
    *,
    modes: Mapping[GateCode, Mode],
    allow: Sequence[str] = (),
    allow_patterns: Sequence[str] = (),
) -> Policy:
    """The policy with the settings of one kind of task: no rule gets stricter."""
    milder = {code: weaker(policy.mode_of(code), mode) for code, mode in modes.items()}
    return policy.model_copy(
        update={
            "modes": {**policy.modes, **milder},
            "allow": (*policy.allow, *allow),
            "allow_patterns": (*policy.allow_patterns, *allow_patterns),
        }
    )


def read_policy(path: Path) -> Policy:
    """The policy of a TOML file's table ``gate``, or of a JSON file. Raises ``PolicyError``."""
    try:
        text = path.read_text("utf-8")
        settings: Any = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise PolicyError(f"{path}: {error}") from error
    if path.suffix != ".json":
        settings = with_presets(settings, path).get(TABLE, {})
    elif isinstance(settings, dict) and TABLE in settings:
        settings = settings[TABLE]
    return parse_policy(settings, str(path))


def parse_policy(settings: Any, source: str = "policy") -> Policy:
    """The policy that a JSON object describes. Raises ``PolicyError`` with every mistake in it."""
    try:
        return Policy.model_validate(settings)
    except ValidationError as error:
        mistakes = "; ".join(
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors()
        )
        raise PolicyError(f"{source}: {mistakes}") from error
