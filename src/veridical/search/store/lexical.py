"""The lexical leg: BM25 over the postings, the best chunks in one statement.

Fagin's threshold algorithm, in SQL. Postings of a term lie in levels; the shortest lists are read
first, until what is left unread can't lift a chunk among the best ``k``: how many postings a level
has says what the k-th best scores at least. What was read gives every chunk a bound, which falls
where the map of an unread term shows that the chunk does not have it. The chunks with the highest
bounds are scored exactly, from their own terms, and then those others whose bound is above the k-th
of them, or equal to it where their number is lower: equals go by their numbers. Where the last of
the result is above what was left, the result is the exact one. Otherwise the statement is run again
with what was learned and a larger budget, in the end with all postings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.analysis.analyser import ANALYSERS, question_words
from veridical.search.chunk import Hit
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.store.collections import check_version, find_collection
from veridical.search.store.conditions import values
from veridical.search.store.driver import rows_planned_once
from veridical.search.store.lexical_statement import SURE_BY, lexical_statement
from veridical.search.store.passages import hits_of
from veridical.search.store.postings import term_code

BUDGETS = (20_000, 200_000)
"""Postings that a round reads at most; behind the last everything is read."""
AHEAD, POOL = 1_000, 20_000
"""Chunks with the highest bounds, which bound the k-th best score from below; chunks behind them
that are still candidates in the first round."""
_WIDER = 8
_ALL = 2**31 - 1
Limits = dict[str, float | None]
"""How far a round goes, by name."""


def query_terms(question: str) -> Mapping[str, list[Any]]:
    """The terms of a question in each language, as the statement takes them: what a collection
    has no index for, it has no postings of."""
    terms: dict[str, list[Any]] = {"languages": [], "terms": [], "codes": [], "counts": []}
    words = question_words(question)
    for language, analyser in ANALYSERS.items():
        for term, count in analyser.analyse(words).frequencies.items():
            terms["languages"].append(language.value)
            terms["terms"].append(term)
            terms["codes"].append(term_code(term))
            terms["counts"].append(float(count))
    return terms


def lexical_search(
    connection: Connection,
    tenant: str,
    collection: str,
    question: str,
    k: int,
    where: Filter = NO_FILTER,
    limits: Limits | None = None,
) -> tuple[Hit, ...]:
    """The chunks of a collection that fit a question best, as far as they pass the filter; none
    where there is no such collection. Raises ``OutdatedIndexError``.

    Planning the statement takes longer than running it on a small index, and its plan is the same
    for all terms: it is planned once on a connection.
    """
    statement = lexical_statement(where)
    given: dict[str, Any] = {
        **query_terms(question),
        **values(where),
        **(limits or first_limits(k, where)),
    }
    given |= {"tenant": tenant, "collection": collection, "k": k}
    while True:
        found = rows_planned_once(connection, statement, given)
        if not found and find_collection(connection, tenant, collection) is None:
            return ()
        read_all = given["budget"] >= _ALL
        if read_all or (found and _outcome(found).is_exact(k, given["pool"])):
            return hits_of(found)
        given |= _wider(given, found, k)


def no_limits(k: int) -> Limits:
    """Everything is read: what any other round is compared with."""
    return {"enough": 0.0, "budget": _ALL, "pool": _ALL, "ahead": AHEAD, "first": 2 * k}


def first_limits(k: int, where: Filter = NO_FILTER) -> Limits:
    """How far the first round goes.

    What a level says about the k-th best it says of all chunks, not of those that pass a filter.
    """
    return {
        "enough": 0.0 if where else None,
        "budget": BUDGETS[0],
        "ahead": max(AHEAD, 4 * k),
        "pool": POOL,
        "first": 2 * k,
    }


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The figures of a round, beside its rows."""

    found: int
    last: float
    pool: int
    cut: float
    most: float
    enough: float

    def is_exact(self, k: int, pool: int) -> bool:
        """Whether no chunk outside could have a higher score, or the same and a lower number."""
        is_cut = self.pool >= pool
        if self.most == 0 and self.enough == 0 and not is_cut:
            return True  # everything was read, and all that was found is here
        if is_cut and self.cut + SURE_BY >= self.last:
            return False
        return self.found == k and self.last + SURE_BY >= max(self.most, self.enough)


def _outcome(found: list[tuple[Any, ...]]) -> _Outcome:
    """Raises ``OutdatedIndexError``."""
    last, made_by, pool, *limits = found[-1][-6:]
    for language, analyser in made_by.items():
        check_version(Language(language), analyser)
    return _Outcome(len(found), float(last), int(pool), *map(float, limits))


def _wider(given: Mapping[str, Any], found: list[tuple[Any, ...]], k: int) -> Limits:
    """The limits of the next round: the k-th of this one is a score that the true one has too.

    Where nothing at all was found, the rest is read at once: there is little, or it was deleted.
    """
    enough = _outcome(found).last - SURE_BY if len(found) == k else 0.0
    wider = [each for each in BUDGETS if each > given["budget"]]
    if not found or not wider:
        return {"enough": enough, "budget": _ALL, "pool": _ALL}
    return {"enough": enough, "budget": wider[0], "pool": given["pool"] * _WIDER}
