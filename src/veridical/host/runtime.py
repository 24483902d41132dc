"""Everything a process needs to answer, opened once: features, model, gate, skills."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from time import time
from typing import TYPE_CHECKING

from veridical.agent.settings import AgentSettings, for_reviewer
from veridical.answering.feature import Feature, open_feature
from veridical.answering.file_feature import open_file_feature
from veridical.answering.session import Emit, Session
from veridical.contracts.caller import Caller
from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.engines.data_file import DataFileError, read_data_file
from veridical.engines.kept_results import KeptResults, ResultsInMemory
from veridical.engines.result_keeping import ResultKeeping
from veridical.gate.policy import DEFAULT as DEFAULT_POLICY
from veridical.gate.policy import OFF, Policy
from veridical.host.data_source import source_of
from veridical.host.documents import opened_documents, shelf_of
from veridical.host.errors import SetupError, SetupProblem
from veridical.host.feature_pack import pack_of, reload_pack_of, require_fitting
from veridical.host.settings import FeatureGate, FeatureSettings, RuntimeSettings
from veridical.host.tenant_isolation import require_isolation
from veridical.ontology.compile import schema_of
from veridical.ontology.nearest import nearest
from veridical.ontology.pack import Pack
from veridical.route.pattern_call import UnfillablePatternError
from veridical.search.score.settings import ScoreSettings
from veridical.skills.load import load_skills, skill_set
from veridical.skills.skill import Skill
from veridical.statement.errors import EngineError

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from veridical.host.certified_questions import CertifiedQuestions
    from veridical.search.evidence import EvidenceSearch
    from veridical.search.score.model_scores import ScoringModel

_log = logging.getLogger(__name__)
_log.addHandler(logging.NullHandler())  # a command reports it itself, in its language
_MOST_NAMED = 12


def _ignore(event: object) -> None:
    """Event listener that does nothing."""


@dataclass(frozen=True)
class Runtime:
    """Everything a process answers with, shared by all callers; each gets a session of its own."""

    features: Mapping[str, Feature]
    model: "Model | None" = None
    """None where none is configured: known questions are answered nevertheless."""
    settings: AgentSettings = field(default_factory=AgentSettings)
    policy: Policy = DEFAULT_POLICY
    skills: Mapping[str, tuple[Skill, ...]] = field(default_factory=dict[str, tuple[Skill, ...]])
    """By feature."""
    shared_tables: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """By feature: the reference tables without a tenant, for the scope of its callers."""
    missing_tables: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict[str, tuple[str, ...]]
    )
    """By feature: tables of its ontology that its database does not have."""
    approvals: Mapping[str, Approvals] = field(default_factory=dict[str, Approvals])
    """By feature: the approvals that its runs need."""
    gates: Mapping[str, FeatureGate] = field(default_factory=dict[str, FeatureGate])
    """By feature: how its answers are judged, where it is not as the policy says."""
    reviewers: "Mapping[str, Model]" = field(default_factory=dict[str, "Model"])
    """By name: the models that compare prose with exact sentences."""
    documents: "EvidenceSearch | None" = None
    """Searches the documents of the features that have any."""
    score: ScoreSettings = field(default_factory=ScoreSettings)
    """How evidence is scored."""
    packs: Mapping[str, Pack] = field(default_factory=dict[str, Pack])
    """By feature: its pack."""
    ontologies: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """By feature: the ontology file that it was opened with, where it has one."""
    certified: "CertifiedQuestions | None" = None
    """The known questions that tenants have certified, where there are tenants."""
    opened_at: float = field(default_factory=time)
    """In seconds since 1970."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The ontology files that it was opened with."""
        return tuple(self.ontologies.values())

    @cached_property
    def scoring(self) -> "ScoringModel | None":
        """The model that scores evidence, with its cache; none without a model."""
        if self.model is None:
            return None
        from veridical.search.score.model_scores import ScoreCache, ScoringModel

        return ScoringModel(self.model, ScoreCache(self.score.llm_cache_ttl_s))

    def feature(self, name: str) -> Feature:
        """The feature of this name. Raises ``SetupError``, which names the known ones."""
        found = self.features.get(name)
        if found is None:
            known = ", ".join(sorted(self.features))
            raise SetupError(SetupProblem.NO_FEATURE, feature=name[:60], known=known)
        if found.evidence is None or self.documents is None or self.model is None:
            return found
        search = partial(self.documents.search, scoring=self._opened_scoring)
        return replace(found, evidence=replace(found.evidence, search=search, can_score=True))

    @asynccontextmanager
    async def _opened_scoring(self) -> "AsyncGenerator[ScoringModel | None]":
        """The model that scores, for another loop: a client that was opened here serves here."""
        from veridical.search.score.model_opening import scoring_model

        if not self.settings.model:
            yield self.scoring  # an embedding program's own
            return
        async with scoring_model(self.settings, self.scoring and self.scoring.cache) as model:
            yield model

    def feature_of(self, name: str, caller: Caller) -> Feature:
        """The same with the known questions that the caller's tenant has certified."""
        feature = self.feature(name)
        if self.certified is None or not caller.member_of:
            return feature
        return self.certified.added_to(feature, caller.member_of)

    def policy_of(self, feature: str) -> Policy:
        """The gate's policy for answers about this feature."""
        own = self.gates.get(feature, FeatureGate()).model_dump(exclude_none=True)
        return self.policy.model_copy(update=own) if own else self.policy

    def _reviewer(self, policy: Policy) -> "Model | None":
        """The model that reviews prose: the agent's own unless another is named."""
        if policy.reviewer == OFF:
            return None
        return self.reviewers.get(policy.reviewer) if policy.reviewer else self.model

    def session(self, feature: str, caller: Caller, emit: Emit = _ignore) -> Session:
        """The session that answers this caller's questions about this feature. Cheap to make."""
        return self.session_about(self.feature_of(feature, caller), caller, emit)

    def session_about(self, feature: Feature, caller: Caller, emit: Emit = _ignore) -> Session:
        """The same about a feature that the caller brought along."""
        policy = self.policy_of(feature.name)
        return Session(
            feature,
            caller,
            self.model,
            self.settings,
            emit,
            policy=policy,
            reviewer=self._reviewer(policy),
            skills=self.skills.get(feature.name, ()),
            approvals=self.approvals.get(feature.name, NO_APPROVALS),
        )


@asynccontextmanager
async def reopen_runtime(
    settings: RuntimeSettings, *, may_be_empty: bool = False
) -> AsyncGenerator[Runtime]:
    """The runtime of these settings, with its packs as their files are now."""
    for each in settings.features:
        await asyncio.to_thread(reload_pack_of, each)  # imports: the others are served on
    async with open_runtime(settings, may_be_empty=may_be_empty) as runtime:
        yield runtime


@asynccontextmanager
async def open_runtime(
    settings: RuntimeSettings, *, may_be_empty: bool = False
) -> AsyncGenerator[Runtime]:
    """The runtime of these settings, closed when the block ends; without any feature only where
    data is connected later. Raises ``SetupError``."""
    if not settings.features and not may_be_empty:
        raise SetupError(SetupProblem.NO_FEATURES)
    packs = {each.name: pack_of(each, settings.packs) for each in settings.features}
    results = settings.results or ResultsInMemory()
    async with AsyncExitStack() as stack:
        documents = stack.enter_context(opened_documents(settings))
        features: dict[str, Feature] = {}
        for each in settings.features:
            opened = await asyncio.to_thread(_open, each, packs[each.name], settings, results)
            stack.callback(opened.engine.database.close)
            features[each.name] = replace(opened, evidence=shelf_of(documents, each.search))
        yield Runtime(
            features=features,
            documents=documents,
            score=settings.score,
            model=await _model(settings.agent, stack),
            settings=settings.agent,
            policy=settings.policy,
            skills={name: _skills(pack, settings) for name, pack in packs.items()},
            shared_tables={name: pack.open_tables for name, pack in packs.items()},
            missing_tables=_missing(features),
            approvals={each.name: each.approvals for each in settings.features},
            gates={each.name: each.gate for each in settings.features},
            reviewers=await _reviewers(settings, stack),
            packs=packs,
            ontologies={each.name: each.ontology for each in settings.features if each.ontology},
            certified=settings.certified,
        )


def _open(
    feature: FeatureSettings, pack: Pack, settings: RuntimeSettings, results: KeptResults
) -> Feature:
    if feature.files:
        return _open_files(feature, pack, settings)
    feature = feature.for_readers(has_tenants=pack.has_tenants)
    source = source_of(feature, settings.engines)
    database = source.open(feature, feature.connections)
    try:
        opened = open_feature(
            pack, database, without_ontology=settings.without_ontology, tools=settings.tools
        )
        _require_tables(feature, opened)
        require_fitting(feature, pack, opened.schema, database.dialect)
        require_isolation(feature, pack, source.kind, database)
    except EngineError as error:
        database.close()
        raise source.unreadable(feature) from error
    except UnfillablePatternError as error:
        database.close()
        raise SetupError(
            SetupProblem.DRIFTED,
            feature=feature.name,
            ontology=str(feature.ontology or feature.pack_name),
            findings=error.message,
        ) from error
    except BaseException:
        database.close()
        raise
    _log.info(
        "%s: %s (%s), ontology %s",
        feature.name,
        source.kind.title,
        source.kind.label,
        opened.ontology_hash or "-",
    )
    return replace(
        opened,
        name=feature.name,
        requirements=feature.requirements,
        engine=opened.engine.under(feature.cost).keeping(
            ResultKeeping(results, feature.keep, feature.name, source.identity(feature))
        ),
    )


def _open_files(feature: FeatureSettings, pack: Pack, settings: RuntimeSettings) -> Feature:
    names = [path.name for path in feature.files]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise SetupError(SetupProblem.FILE_TWICE, feature=feature.name, file=twice)
    try:
        files = [read_data_file(path) for path in feature.files]
    except DataFileError as error:
        raise SetupError(SetupProblem.FILE, feature=feature.name, reason=error.message) from error
    opened = open_file_feature(files, pack, tools=settings.tools)
    return replace(opened, name=feature.name)


def _require_tables(feature: FeatureSettings, opened: Feature) -> None:
    """Raises ``SetupError`` where none of the ontology's tables is there: another database."""
    expected = _tables(opened)
    if expected and expected <= set(_lacking(opened)):
        raise SetupError(
            SetupProblem.NO_TABLES,
            feature=feature.name,
            expected=_some(sorted(expected)),
            found=_some(sorted(opened.schema.tables)) or "-",
        )


def _missing(features: Mapping[str, Feature]) -> dict[str, tuple[str, ...]]:
    found = {name: _lacking(each) for name, each in features.items()}
    for name, tables in found.items():
        if tables:
            _log.warning("%s: tables not found: %s", name, likened(tables, features[name]))
    return {name: tables for name, tables in found.items() if tables}


def likened(tables: Iterable[str], feature: Feature) -> str:
    """The names of missing tables, each with the most similar one that is there."""
    there = tuple(feature.schema.tables)
    likes = ((name, nearest(name, there)) for name in tables)
    return ", ".join(f"{name} ({like}?)" if like else name for name, like in likes)


def _lacking(feature: Feature) -> tuple[str, ...]:
    there = {name.casefold() for name in feature.schema.tables}
    return tuple(sorted(name for name in _tables(feature) if name.casefold() not in there))


def _tables(feature: Feature) -> set[str]:
    return set(schema_of(feature.ontology).tables)


def _some(names: list[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")


def _skills(pack: Pack, settings: RuntimeSettings) -> tuple[Skill, ...]:
    """The pack's skills, those of the configured folders, and the configured sets.

    A set is about more than data: a question must name its skills.
    """
    own = load_skills(settings.skill_folders, [pack])
    names = {skill.name for skill in own}
    offered = (skill for name in dict.fromkeys(settings.skill_sets) for skill in skill_set(name))
    more = (skill for skill in offered if skill.name not in names)
    return (*own, *(skill.model_copy(update={"only_by_name": True}) for skill in more))


async def _reviewers(settings: RuntimeSettings, stack: AsyncExitStack) -> "dict[str, Model]":
    """The models that review, each opened once."""
    named = {settings.policy.reviewer, *(each.gate.reviewer for each in settings.features)}
    named.discard(OFF)
    found: dict[str, Model] = {}
    for name in sorted(filter(None, named)):
        opened = await _model(for_reviewer(settings.agent, name), stack)
        if opened is not None:
            found[name] = opened
    return found


async def _model(settings: AgentSettings, stack: AsyncExitStack) -> "Model | None":
    if not settings.model:
        return None
    # Imported here because the providers' clients take seconds to load.
    from veridical.agent.provider import ModelNotConfiguredError, open_model

    try:
        return await stack.enter_async_context(open_model(settings))
    except ModelNotConfiguredError as error:
        problem = SetupProblem(f"agent.{error.problem}")
        raise SetupError(problem, model=error.model) from error
