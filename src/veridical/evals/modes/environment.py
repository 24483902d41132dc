"""The evaluation environment: the same data, opened as each mode requires."""

from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic_ai.models import Model

from veridical.agent.answer_form import AnswerForm
from veridical.agent.settings import AgentSettings
from veridical.answering.feature import Feature, open_feature
from veridical.answering.session import Emit, Session
from veridical.contracts.caller import Caller
from veridical.contracts.violation import Mode
from veridical.engines import EngineError
from veridical.engines.database import Database
from veridical.evals.gold.case import Case, GoldSet
from veridical.evals.gold.oracle import RunSql, engine_oracle, postgres_oracle
from veridical.evals.modes.mode import EvalMode
from veridical.evals.modes.unchecked import unchecked
from veridical.gate.policy import DEFAULT, Policy, ProofPolicy
from veridical.host.data_source import source_of
from veridical.host.settings import FeatureSettings
from veridical.ontology.context import ContextKind
from veridical.ontology.pack import Pack
from veridical.sample.books import load_sample
from veridical.sample.caller import sample_caller
from veridical.sample.documents import sample_documents
from veridical.sample.postgres import LocalPostgres, local_postgres

_WHOLE_SCHEMA = 1_900
"""Tokens: room for all tables of a feature and the free text about them."""
NO_GATE = Policy(policy=ProofPolicy.OFF, untraced_arguments=Mode.OFF)


@dataclass(frozen=True)
class EvalEnvironment:
    """One feature in all its modes, and the oracle for its truths."""

    pack: Pack
    known: Feature
    """With the ontology."""
    hinted: Feature
    """With the hints as text, checked against the live schema alone."""
    truth: RunSql

    def feature(self, mode: EvalMode) -> Feature:
        """The feature as this mode sees it."""
        if mode.context is ContextKind.ONTOLOGY:
            return self.known
        opened = self.hinted
        if mode.context is ContextKind.SCHEMA:
            silent = opened.ontology.model_copy(update={"domain_hints": ""})
            opened = replace(opened, ontology=silent)
        return _strict(opened) if mode.checked else unchecked(opened)

    def caller(self, case: Case, gold: GoldSet) -> Caller:
        """The asker of this case."""
        asker = sample_caller(self.pack, *(case.tenant or gold.tenant))
        return replace(asker, language=case.language)

    def session(
        self,
        mode: EvalMode,
        case: Case,
        gold: GoldSet,
        model: Model | None,
        settings: AgentSettings,
        emit: Emit,
    ) -> Session:
        """The session of this case in this mode."""
        return Session(
            self.feature(mode),
            self.caller(case, gold),
            model,
            _allowed(settings, mode),
            emit,
            policy=DEFAULT if mode.gated else NO_GATE,
            regenerations=1 if mode.gated else 0,
            routed=mode.routed,
        )


def _strict(feature: Feature) -> Feature:
    """The feature with a check by column names: it refuses to add up balances and totals."""
    return replace(feature, checker=replace(feature.checker, strict_names=True))


def _allowed(settings: AgentSettings, mode: EvalMode) -> AgentSettings:
    """The settings in a mode: without the check a model may answer before any call; without the
    gate it writes text; and without the ontology it sees the whole schema."""
    changes: dict[str, Any] = {}
    if not mode.checked:
        changes["evidence_first"] = False
    if not mode.gated:
        changes["answer_form"] = AnswerForm.TEXT
    if mode.context is not ContextKind.ONTOLOGY:
        changes["prompt_tokens"] = max(settings.prompt_tokens, _WHOLE_SCHEMA)
    return settings.model_copy(update=changes)


def open_environment(pack: Pack, database: Database, truth: RunSql) -> EvalEnvironment:
    """The pack on this database, in all modes."""
    return EvalEnvironment(
        pack,
        open_feature(pack, database),
        open_feature(pack, database, without_ontology=True),
        truth,
    )


@contextmanager
def database_environment(pack: Pack, feature: FeatureSettings) -> Generator[EvalEnvironment]:
    """The pack on the user's database: questions run as the feature's role, truths as the login.

    Raises ``LoadError``.
    """
    source = source_of(feature)
    owner = feature.model_copy(update={"role": ""})
    with (
        closing(source.open(feature, feature.connections)) as database,
        closing(source.open(owner, 1)) as truths,
    ):
        try:
            opened = open_environment(pack, database, engine_oracle(truths))
        except EngineError as error:
            raise source.unreadable(feature) from error
        yield opened


@contextmanager
def sample_environment(pack: Pack, folder: Path | None = None) -> Generator[EvalEnvironment]:
    """The pack's sample data in a local PostgreSQL, kept in the folder if there is one."""
    with local_postgres(folder) as server, staged(pack, server) as stage:
        yield stage


@contextmanager
def staged(pack: Pack, server: LocalPostgres, sample_name: str = "") -> Generator[EvalEnvironment]:
    """The pack's sample data and documents on a server that runs.

    Packs with the same data may share a database, by its name.
    """
    sample = load_sample(pack, server, sample_name)
    with (
        closing(sample.database()) as database,
        postgres_oracle(sample.url) as truth,
        sample_documents(pack, server) as shelf,
    ):
        opened = open_environment(pack, database, truth)
        known, hinted = (replace(each, evidence=shelf) for each in (opened.known, opened.hinted))
        yield replace(opened, known=known, hinted=hinted)
