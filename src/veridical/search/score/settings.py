"""Settings of the search: limits, weights, caches; ``[search]``, then ``VERIDICAL_SEARCH_*``."""

from enum import StrEnum
from pathlib import Path
from typing import Self

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from veridical.contracts.search_context import DEFAULT_BUCKETS
from veridical.contracts.search_result import LONGEST_REASON
from veridical.contracts.settings_file import SETTINGS_FILE
from veridical.contracts.settings_table import read_table
from veridical.search.embeddings.settings import EmbedderSettings

TABLE = "search"
"""The table of ``veridical.toml``."""


class Index(StrEnum):
    """The indexes that can find passages. PostgreSQL has the documents in any case."""

    POSTGRES = "postgres"
    """in the database itself, in the same transaction"""
    LANCEDB = "lancedb"
    """files in a folder or object storage, read in the process that searches"""
    QDRANT = "qdrant"
    """a server"""


class Stage(StrEnum):
    """The stages that can be switched off. What is disallowed is never let through."""

    PREFILTER = "prefilter"
    """drops what is stale, a duplicate, of another version or jurisdiction"""
    MMR = "mmr"
    """prefers candidates that say something new; without it, relevance alone"""
    MODEL = "model"
    """a model's scores as a leg of their own; without it, the legs of the retrieval alone"""
    BONUS = "bonus"
    """bonuses for preferred sources, policies and coverage"""
    FRESHNESS = "freshness"
    """points off for age"""
    REDUNDANCY = "redundancy"
    """a factor on the second hit of a domain"""
    DIVERSITY = "diversity"
    """a minimum of kinds of source in the selection"""


class ScoreSettings(BaseSettings):
    """The settings of search and scoring. The environment overrides the file."""

    model_config = SettingsConfigDict(
        env_prefix="VERIDICAL_SEARCH_",
        env_nested_delimiter="__",
        env_ignore_empty=True,
        extra="forbid",
        frozen=True,
        hide_input_in_errors=True,
    )

    index: Index = Index.POSTGRES
    """What finds the passages. After a change: ``veridical search rebuild`` for each collection."""
    index_address: str = ""
    """Where LanceDB has its files (a folder, or the address of an object storage such as
    ``s3://BUCKET/PATH``), or the URL of Qdrant."""
    index_key: SecretStr | None = None
    """Of Qdrant."""
    rag_cache_ttl_s: float = Field(default=300, ge=0)
    """How long the summary of a stored document is kept."""
    llm_cache_ttl_s: float = Field(default=3600, ge=0)
    """How long a model's score is kept."""
    mmr_lambda: float = Field(default=0.7, ge=0, le=1)
    """Relevance against novelty: at 1 relevance alone counts, at 0 novelty alone."""
    mmr_limit: int = Field(default=20, ge=1)
    """Candidates that go on to be scored."""
    rrf_k: int = Field(default=90, ge=1)
    """Reciprocal rank fusion: the higher, the less a single first place counts."""
    min_diversity_buckets: int = Field(default=DEFAULT_BUCKETS, ge=1)
    """Kinds of source in the selection, where the request asks for no other number."""
    max_key_points: int = Field(default=5, ge=1)
    """The most sentences in a summary."""
    min_key_points: int = Field(default=3, ge=1)
    """The fewest; fewer only where the document has no more."""
    default_freshness_days: int = Field(default=365, ge=1)
    """The age up to which evidence is fresh."""
    software_freshness_days: int = Field(default=1095, ge=1)
    """The same in the strict mode for documents about software."""
    max_reason_length: int = Field(default=LONGEST_REASON, ge=1, le=LONGEST_REASON)
    """Longer reasons are cut. The contract allows no more than the default."""
    freshness_penalty_per_month: float = Field(default=2.0, ge=0)
    """Points off for each month of age."""
    domain_redundancy_penalty: float = Field(default=0.85, ge=0, le=1)
    """The factor on every hit of a domain but its best."""
    policy_priority_scale: float = Field(default=0.1, ge=0, le=1)
    """The share of the scale that the highest priority adds."""

    preferred_source_bonus: float = Field(default=0.05, ge=0, le=1)
    """The share of the scale that a preferred source adds."""
    coverage_bonus: float = Field(default=0.05, ge=0, le=1)
    """The share of the scale that a candidate adds that fills the widest gap of the store."""
    domain_priorities: dict[str, float] = Field(default_factory=dict[str, float])
    """Priorities from 0 to 1 by host or beginning of an address."""
    top_k: int = Field(default=5, ge=1)
    """Candidates that a person decides on."""
    irrelevant_below: float = Field(default=20, ge=0, le=100)
    """A candidate with a lower score of the model is not selected; one with a lower score is not
    recommended. The model is told that below 20 a result is not on the subject."""
    batch_size: int = Field(default=5, ge=1)
    """Candidates in one request to the model."""
    temperature: float | None = Field(default=0.3, ge=0)
    """Of the model that scores."""
    max_tokens: int = Field(default=2000, ge=1)
    """For each request to the model."""
    llm_timeout_s: float = Field(default=30, gt=0)
    """For all requests together; after that the heuristic scores."""
    shuffle_seed: int = 0
    """Candidates are shown to the model in an order that hides their ranks; the same for a seed."""
    off: frozenset[Stage] = frozenset()
    """Stages that are switched off."""
    embedder: EmbedderSettings | None = None
    """The model that makes vectors of texts: ``[search.embedder]``. Without one, documents are
    searched by their words alone."""

    @model_validator(mode="after")
    def _the_index_is_somewhere(self) -> Self:
        if self.index is not Index.POSTGRES and not self.index_address:
            raise ValueError(f"index {self.index} needs index_address")
        return self

    @model_validator(mode="after")
    def _key_points_have_a_range(self) -> Self:
        if self.min_key_points > self.max_key_points:
            raise ValueError("min_key_points must be at most max_key_points")
        return self

    @model_validator(mode="after")
    def _priorities_are_shares(self) -> Self:
        if not all(0 <= priority <= 1 for priority in self.domain_priorities.values()):
            raise ValueError("domain_priorities must be between 0 and 1")
        return self

    def runs(self, stage: Stage) -> bool:
        """Whether the stage is switched on."""
        return stage not in self.off


def read_score_settings(path: Path = SETTINGS_FILE) -> ScoreSettings:
    """The settings of ``[search]`` in this file, where it exists, and of the environment."""
    return read_table(ScoreSettings, path, TABLE)
