"""Runs stale known questions again: a thread of a worker. What returns the same is current again;
what doesn't is doubted, and a person is to look at it."""

import logging
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager

from pydantic import ValidationError

from veridical.answering.certified_questions import with_questions
from veridical.answering.feature import Feature
from veridical.answering.question_check import Difference, QuestionCheck, difference
from veridical.contracts.caller import Caller
from veridical.ontology.model import CanonicalQueryPattern
from veridical.runs.request import FrozenCaller
from veridical.runs.retry import DATABASE_ERRORS
from veridical.store.connection import Store
from veridical.store.known_questions import (
    DecidedQuestion,
    certified_questions,
    keep_verification,
)

Features = Callable[[str], Feature | None]
"""Returns a feature as it is open now; None where there is none of this name."""
_LOOK_SECONDS = 30.0
_log = logging.getLogger("veridical.runs")


def verified(question: DecidedQuestion, feature: Feature, caller: Caller) -> Difference | None:
    """Why the question no longer returns what it returned; none if it does."""
    try:
        pattern = CanonicalQueryPattern.model_validate(question.pattern)
        checks = tuple(map(QuestionCheck.model_validate, question.checks))
    except ValidationError:
        return Difference.UNRECOGNISED
    return difference(with_questions(feature, [pattern]), caller, pattern.intent, checks)


class QuestionVerifier:
    """Looks for questions that were certified under another ontology or schema."""

    def __init__(
        self, store: Store, features: Features, look_seconds: float = _LOOK_SECONDS
    ) -> None:
        self._store = store
        self._features = features
        self._look_seconds = look_seconds
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._work, name="questions", daemon=True)

    @contextmanager
    def at_work(self) -> Generator[None]:
        """Looks again and again while the block runs."""
        self._thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            self._thread.join()

    def _work(self) -> None:
        while not self._stopping.wait(self._look_seconds):
            try:
                self.verify_stale()
            except DATABASE_ERRORS as error:
                _log.warning("known questions can't be verified: %s", type(error).__name__)

    def verify_stale(self) -> int:
        """Runs each stale question again; how many are decided."""
        with self._store.system() as connection:
            found = certified_questions(connection)
        return sum(self._verify(tenant, each) for tenant, each in found)

    def _verify(self, tenant: str, question: DecidedQuestion) -> bool:
        feature = self._features(question.feature)
        if feature is None or question.caller is None or self._stopping.is_set():
            return False
        hashes = (feature.ontology_hash, feature.schema_hash)
        if question.is_of(*hashes):
            return False
        caller = FrozenCaller.model_validate(question.caller).thawed()
        reason = verified(question, feature, caller)
        if reason is Difference.UNAVAILABLE:
            return False  # another time
        with self._store.system() as connection:
            kept = keep_verification(connection, tenant, question, hashes, reason or "")
        if kept:
            _log.info("the known question %s of %s: %s", question.key, tenant, reason or "current")
        return kept
