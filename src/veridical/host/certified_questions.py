"""The known questions that tenants have certified, as a running process serves them.

One is used only under the ontology and the schema that it was certified or verified under.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace

import psycopg
from pydantic import ValidationError
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from veridical.answering.certified_questions import with_questions
from veridical.answering.feature import Feature
from veridical.contracts.language import Language
from veridical.ontology.model import CanonicalQueryPattern
from veridical.route.pattern_call import UnfillablePatternError, ensure_fillable
from veridical.store.connection import Store, UnreachableError
from veridical.store.known_questions import DecidedQuestion, QuestionState, decided_questions

Opened = Callable[[str], AbstractContextManager[Connection]]
"""Opens a transaction that may read what this tenant has."""
_FRESH_SECONDS = 2.0
"""Seconds until another process serves what was certified here."""
_MOST_TENANTS = 1_000
_ERRORS = (SQLAlchemyError, psycopg.Error, UnreachableError)

_log = logging.getLogger("veridical.host")


class CertifiedQuestions:
    """What each tenant has certified, read again after seconds; the last that was read while the
    database is away."""

    def __init__(self, opened: Opened, fresh_seconds: float = _FRESH_SECONDS) -> None:
        self._opened = opened
        self._fresh_seconds = fresh_seconds
        self._read: dict[str, tuple[float, tuple[DecidedQuestion, ...]]] = {}
        self._grown: dict[
            tuple[str, str], tuple[Feature, tuple[DecidedQuestion, ...], Feature]
        ] = {}

    @classmethod
    def of_server(cls, store: Store) -> "CertifiedQuestions":
        """Read with the rights of each tenant."""
        return cls(store.tenant)

    @classmethod
    def of_worker(cls, store: Store) -> "CertifiedQuestions":
        """Read with the rights of a worker."""
        return cls(lambda tenant: store.system())

    async def refresh(self, tenant: str) -> None:
        """Read what this tenant has, if it was not read just now."""
        if tenant and not self._is_fresh(tenant):
            await asyncio.to_thread(self.look, tenant)

    def look_if_old(self, tenant: str) -> None:
        """The same, where blocking is fine."""
        if tenant and not self._is_fresh(tenant):
            self.look(tenant)

    def look(self, tenant: str) -> None:
        """Read now what this tenant has. Blocks."""
        try:
            with self._opened(tenant) as connection:
                found = decided_questions(connection, tenant, QuestionState.CERTIFIED)
        except _ERRORS as error:
            _log.warning("certified questions can't be read: %s", type(error).__name__)
            found = self._read.get(tenant, (0.0, ()))[1]
        if len(self._read) >= _MOST_TENANTS:
            self._read.clear()
            self._grown.clear()
        self._read[tenant] = time.monotonic(), found

    def added_to(self, feature: Feature, tenant: str) -> Feature:
        """The feature with what this tenant has certified about it, as it was last read."""
        _, read = self._read.get(tenant, (0.0, ()))
        about = (each for each in read if each.feature == feature.name)
        hashes = (feature.ontology_hash, feature.schema_hash) if read else ("", "")
        current = tuple(each for each in about if each.is_of(*hashes))
        if not current:
            return feature
        key = (tenant, feature.name)
        base, known, grown = self._grown.get(key, (None, (), feature))
        if base is None or base.checker is not feature.checker or known != current:
            grown = with_questions(feature, [each for one in current for each in _pattern(one)])
            self._grown[key] = feature, current, grown
        return (
            grown
            if grown.evidence is feature.evidence
            else replace(grown, evidence=feature.evidence)
        )

    def _is_fresh(self, tenant: str) -> bool:
        read_at, _ = self._read.get(tenant, (float("-inf"), ()))
        return time.monotonic() - read_at < self._fresh_seconds


def pattern_of(question: DecidedQuestion) -> CanonicalQueryPattern:
    """The pattern under the name that the tenant gave it. Raises ``ValidationError``."""
    pattern = CanonicalQueryPattern.model_validate(question.pattern)
    languages = map(Language, pattern.questions)
    return pattern.model_copy(update={"title": dict.fromkeys(languages, question.name)})


def _pattern(question: DecidedQuestion) -> tuple[CanonicalQueryPattern, ...]:
    """None where another release kept what this one can't read."""
    try:
        pattern = pattern_of(question)
        ensure_fillable(pattern)
    except (ValidationError, UnfillablePatternError) as error:
        _log.warning("the certified question %s can't be used: %s", question.key, error)
        return ()
    return (pattern,)
