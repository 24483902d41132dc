"""A sealed environment without a database: a replay must not query anything."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from veridical.answering.feature import Feature
from veridical.contracts.caller import Caller, Scope
from veridical.contracts.schema import Schema
from veridical.contracts.statement import Statement
from veridical.engines.limits import Fetched, Limits
from veridical.evals.gold.oracle import Truth
from veridical.evals.modes.environment import EvalEnvironment, open_environment
from veridical.evals.modes.mode import MODES, EvalMode, ModeName
from veridical.evals.modes.unchecked import UncheckedFeature
from veridical.ontology.pack import Pack


class LiveCallInReplayError(RuntimeError):
    """A replay tried to query the database or a model."""


@dataclass(frozen=True)
class SealedDatabase:
    """Has a schema and runs nothing."""

    schema: Schema
    dialect: str = "postgres"
    namespace: tuple[str, ...] = ("public",)

    def fetch(self, statement: Statement, scope: Scope, rows: int, limits: Limits) -> Fetched:
        """Raises: a replay has its rows."""
        raise LiveCallInReplayError("a replay asked the database")

    def reflect(self) -> Schema:
        """The tables as they were."""
        return self.schema

    def close(self) -> None:
        """Nothing is open."""


class _Wordless(Feature):
    """A feature without context for a model: a replay asks none."""

    def context(
        self,
        caller: Caller,
        question: str,
        budget_tokens: int,
        *,
        known_calls: bool = True,
        describe: str = "",
    ) -> str:
        """Nothing: to build it takes longer than the rest of a replay."""
        return ""


class _WordlessUnchecked(_Wordless, UncheckedFeature):
    """The same without the check."""


@dataclass(frozen=True)
class SealedEnvironment(EvalEnvironment):
    """An environment whose features are opened once for all runs."""

    features: Mapping[ModeName, Feature] = field(default_factory=dict[ModeName, Feature])

    def feature(self, mode: EvalMode) -> Feature:
        """The feature as this mode sees it."""
        return self.features[mode.name]


def sealed_environment(pack: Pack, database: SealedDatabase) -> SealedEnvironment:
    """The pack on these tables, in all modes."""
    stage = open_environment(pack, database, _no_truth)
    features = {name: _wordless(stage.feature(mode)) for name, mode in MODES.items()}
    return SealedEnvironment(stage.pack, stage.known, stage.hinted, stage.truth, features)


def _wordless(feature: Feature) -> Feature:
    kind = _WordlessUnchecked if isinstance(feature, UncheckedFeature) else _Wordless
    values: dict[str, Any] = {each.name: getattr(feature, each.name) for each in fields(Feature)}
    return kind(**values)


def _no_truth(sql: str) -> Truth:
    raise LiveCallInReplayError("a replay asked for the truth")
