"""Settings of a runtime: features with their databases, model, gate."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

from pydantic import Field, StringConstraints, TypeAdapter, ValidationError, model_validator

from veridical.agent.settings import AgentSettings, read_settings
from veridical.contracts.cost import CostSettings
from veridical.contracts.facts_answer import Show
from veridical.contracts.keep import KeepSettings
from veridical.contracts.person import NO_APPROVALS, Approvals
from veridical.contracts.search_context import FreshnessMode
from veridical.contracts.settings_file import SETTINGS_FILE, table
from veridical.contracts.source_kind import SourceKind
from veridical.contracts.tool import OutsideTool
from veridical.contracts.wire import Wire
from veridical.engines.kept_results import KeptResults
from veridical.engines.kind import EngineKind
from veridical.engines.stored_addresses import stored_addresses
from veridical.gate.policy import DEFAULT as DEFAULT_POLICY
from veridical.gate.policy import Policy, PolicyError, ProofPolicy, read_policy
from veridical.ontology.context import ontology_disabled
from veridical.ontology.errors import LoadError
from veridical.ontology.pack import Pack
from veridical.search.score.settings import ScoreSettings, read_score_settings
from veridical.skills.load import configured_folders, configured_sets
from veridical.store.settings import OwnDatabase, read_own_database

if TYPE_CHECKING:
    from veridical.host.certified_questions import CertifiedQuestions

TABLE = "features"
"""The list of ``veridical.toml`` with one table per feature."""
SAMPLE = "sample"
"""The database of a feature that is to be tried out on its pack's sample data."""
READER = "veridical_reader"

FeatureName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_.-]*$", max_length=60)]


class FeatureGate(Wire):
    """How the answers about one feature are judged."""

    policy: ProofPolicy | None = None
    """Else that of the table ``gate``."""
    show: Show | None = None
    """The parts of an answer in facts that are shown; else those of the table."""
    reviewer: str | None = None
    """The model that compares prose with exact sentences, ``off`` for none; else that of the
    table."""


class FeatureSearch(Wire):
    """Which documents may be searched beside the data of one feature."""

    collections: tuple[str, ...] = ()
    """Names of collections; each tenant has its own under these names."""
    tenant: str = ""
    """The tenant whose collections are searched without a credential: by a command, or by an
    embedding program. A credential always decides itself."""
    freshness_mode: FreshnessMode = FreshnessMode.STANDARD
    """How old evidence may be, where a call says nothing else."""


class FeatureSettings(Wire):
    """One feature: a body of data for questions."""

    name: FeatureName
    """Its name for callers."""
    pack: str = ""
    """Its pack; by default the pack of the feature's name."""
    ontology: Path | None = None
    """The ontology file instead of a pack: YAML or JSON, relative to the settings."""
    gold: Path | None = None
    """The file or folder with its gold questions, relative to the settings."""
    skills: Path | None = None
    """The folder with its skills, relative to the settings."""
    shared_tables: tuple[str, ...] = ()
    """Beside an ontology that declares tenants: tables that all tenants may read."""
    files: tuple[Path, ...] = ()
    """The data files that it is about, relative to the settings: CSV, Excel or Parquet. It is
    then declared to read files, and an answer needs ``inspectFile`` and ``analyzeDataframe``."""
    database: str = Field(default="", repr=False)
    """An address that an engine knows, such as ``postgresql://…`` or ``sqlite:///PATH``; the path
    of a database file, a data file or a folder of these, beside the settings or else where the
    program runs; the environment variable that holds one, which keeps a password out of the file;
    or ``sample``."""
    schemas: tuple[str, ...] = ()
    """The schemas, or databases of the server, whose tables are read, the first choice first:
    ``["sales", "crm"]``. Else the usual one: ``public``, ``main``, or the address's database."""
    role: str = READER
    """The read-only role to ask as, where the engine has roles."""
    accept_open_functions: bool = False
    """Opens it although the role may call functions that change settings, run text as SQL or reach
    outside, because they can't be revoked: the check is then the only barrier before them."""
    accept_rewriting_only: bool = False
    """Opens data with tenants on an engine without row policies: the rewriting of every query is
    then all that keeps tenants apart."""
    connections: int = Field(default=5, ge=1)
    """The number of connections that stay open."""
    approvals: Approvals = NO_APPROVALS
    """The approvals that its runs need: a table ``approvals`` with evidence, clarify and calls."""
    gate: FeatureGate = FeatureGate()
    """How its answers are judged: ``gate.policy = "marked"``."""
    search: FeatureSearch = FeatureSearch()
    """The documents that may be searched too: ``search.collections = ["handbook"]``."""
    requirements: bool = False
    """Offers the tools that review requirements, to the agent and over MCP."""
    cost: CostSettings = CostSettings()
    """What one of its statements may read: ``cost.most_rows_read = 50000000``."""
    keep: KeepSettings = KeepSettings()
    """How long the results of its statements may be used again: ``keep.minutes = 30``."""

    @model_validator(mode="after")
    def _one_source_of_knowledge(self) -> Self:
        if self.pack and self.ontology:
            raise ValueError("names a pack and an ontology: one of them must go")
        if not self.database and not self.files:
            raise ValueError("names neither a database nor files")
        if self.database and self.files:
            raise ValueError("names a database and files: one of them must go")
        return self

    @property
    def kind(self) -> SourceKind:
        """What it is declared to read."""
        return SourceKind.FILE if self.files else SourceKind.SQL

    @property
    def pack_name(self) -> str:
        """The name of its pack."""
        return self.pack or self.name

    def below(self, folder: Path) -> "FeatureSettings":
        """The settings with paths relative to this folder."""
        named = {name: getattr(self, name) for name in ("ontology", "gold", "skills")}
        changed: dict[str, object] = {name: folder / path for name, path in named.items() if path}
        changed["files"] = tuple(folder / path for path in self.files)
        if not self.on_sample and "://" not in self.database:
            beside = folder / self.database
            if beside.exists():
                changed["database"] = str(beside)
        return self.model_copy(update=changed)

    def for_readers(self, *, has_tenants: bool) -> "FeatureSettings":
        """The settings with its own login where there are no tenants and no role is named."""
        if self.ontology is None or has_tenants or "role" in self.model_fields_set:
            return self
        return self.model_copy(update={"role": ""})

    @property
    def on_sample(self) -> bool:
        """Whether it reads its pack's sample data instead of a database of one's own."""
        return self.database == SAMPLE


_FEATURES = TypeAdapter(tuple[FeatureSettings, ...])


@dataclass(frozen=True)
class RuntimeSettings:
    """Everything a runtime is opened with."""

    features: tuple[FeatureSettings, ...]
    agent: AgentSettings = field(default_factory=AgentSettings)
    policy: Policy = DEFAULT_POLICY
    skill_folders: tuple[Path, ...] = ()
    skill_sets: tuple[str, ...] = ()
    """Installed sets of skills that are to be there too."""
    without_ontology: bool = False
    """For comparison runs."""
    engines: tuple[EngineKind, ...] = ()
    """Engines of the embedding program, tried before those that ship."""
    packs: Mapping[str, Pack] = field(default_factory=dict[str, Pack])
    """By name: packs that a program brings along itself; all others are found as installed."""
    tools: tuple[OutsideTool, ...] = ()
    """Tools of the embedding program, offered in every feature."""
    own_database: OwnDatabase | None = None
    """Where the documents are that features may search; else what file and environment name."""
    score: ScoreSettings = field(default_factory=ScoreSettings)
    """How evidence is scored."""
    certified: "CertifiedQuestions | None" = None
    """The known questions that tenants have certified, where a process serves tenants."""
    results: KeptResults | None = None
    """Where results are kept, where a process serves tenants; else in its memory."""


def read_runtime_settings(
    path: Path = SETTINGS_FILE, environment: Mapping[str, str] = environ
) -> RuntimeSettings:
    """The settings of this file, where it exists, and of the environment. Raises ``LoadError``."""
    try:
        policy = read_policy(path) if path.is_file() else DEFAULT_POLICY
    except PolicyError as error:
        raise LoadError(str(error)) from error
    features = _features(path)
    searching = any(each.search.collections for each in features)
    return RuntimeSettings(
        features=features,
        agent=read_settings(path),
        policy=policy,
        skill_folders=configured_folders(path),
        skill_sets=configured_sets(path),
        without_ontology=ontology_disabled(environment),
        own_database=_own_database(path) if searching else None,
        score=read_score_settings(path),
    )


def _own_database(path: Path) -> OwnDatabase | None:
    """The database in the file; the program that opens the runtime may name another."""
    try:
        return read_own_database(path)
    except ValidationError:
        return None


def _features(path: Path) -> tuple[FeatureSettings, ...]:
    try:
        found = _FEATURES.validate_python(table(path, TABLE) or ())
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise LoadError(f"{path}: [[{TABLE}]] {place}: {first['msg']}") from error
    names = [each.name for each in found]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise LoadError(f"{path}: [[{TABLE}]] {twice!r} is there twice")
    kept = {} if not found else stored_addresses(path.parent)
    return tuple(_at_address(each.below(path.parent), kept) for each in found)


def _at_address(feature: FeatureSettings, kept: Mapping[str, str]) -> FeatureSettings:
    """The feature with the address that is kept under its name, if no variable holds one."""
    if feature.database not in kept or feature.database in environ:
        return feature
    return feature.model_copy(update={"database": kept[feature.database]})
