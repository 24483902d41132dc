"""The lexical leg: BM25 over the postings, the best chunks in one statement.

Fagin's threshold algorithm, in SQL. Postings of a term lie in levels; those that can add most to a
score are read first, up to a budget. The chunks that lead by what was read are then scored exactly,
from their own terms. What was left unread bounds what any other chunk can have: where the last
chunk of the result is above that bound, the result is the exact one, and says so. Otherwise the
statement is run again with a larger budget, in the end with all postings.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, LiteralString

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.analysis.registry import ANALYSERS
from veridical.search.chunk import Hit
from veridical.search.filter import NO_FILTER, Filter
from veridical.search.store.bm25 import CHUNK_SHIFT, CODE_SHIFT, K1, LEVELS, B, term_code
from veridical.search.store.conditions import conditions, values
from veridical.search.store.driver import rows

BUDGET, POOL = 20_000, 200
"""Postings that are read first, and chunks that are scored exactly."""
_WIDER = 8
_MOST_BUDGET = BUDGET * _WIDER**2
_SURE_BY = 1e-9
"""Sums of floating numbers differ in their last digits by the order in which they were added."""

_PLAN_ONCE = "SELECT set_config('plan_cache_mode', 'force_generic_plan', true)"
"""Planning the statement takes longer than running it on a small index, and its plan is the same
for all terms."""
_STATEMENT: LiteralString = """
WITH asked AS (
    SELECT * FROM unnest(%(languages)s::text[], %(terms)s::text[], %(codes)s::bigint[],
        %(counts)s::float8[]) AS a(language, term, code, count)
), sizes AS (
    SELECT s.language, sum(s.chunks)::float8 AS chunks,
        sum(s.length)::float8 / sum(s.chunks) AS average,
        greatest(1, sum(s.length)::float8 / sum(s.chunks) / i.pivot) AS stretch
    FROM veridical.search_segments s
    JOIN veridical.search_indexes i ON i.collection = s.collection AND i.language = s.language
    WHERE s.collection = %(collection)s GROUP BY s.language, i.pivot
), found AS MATERIALIZED (
    SELECT a.language, a.term, a.code, a.count, p.level, sum(p.n)::float8 AS n
    FROM asked a JOIN veridical.search_postings p
        ON p.collection = %(collection)s AND p.language = a.language AND p.term = a.term
    GROUP BY a.language, a.term, a.code, a.count, p.level
), weighed AS (
    SELECT f.language, f.term, f.code, f.level, f.n, z.average,
        f.count * {k1} * ln(1 + (z.chunks - f.df + 0.5::float8) / (f.df + 0.5::float8)) AS weight,
        (f.level + 1) * z.stretch / ({levels} - f.level - 1 + (f.level + 1) * z.stretch) AS bound
    FROM (SELECT *, sum(n) OVER (PARTITION BY language, term) AS df FROM found) f
    JOIN sizes z ON z.language = f.language
), ordered AS MATERIALIZED (
    SELECT *, sum(n) OVER (ORDER BY weight * bound DESC, language, term, level DESC) - n
        < %(budget)s AS is_read
    FROM weighed
), unread AS MATERIALIZED (
    SELECT coalesce(max(most), 0) AS most FROM (
        SELECT sum(most) AS most FROM (
            SELECT language, max(weight * bound) AS most FROM ordered WHERE NOT is_read
            GROUP BY language, term
        ) AS by_term GROUP BY language
    ) AS by_language
), partly AS (
    SELECT e >> {chunk_shift} AS chunk,
        sum(o.weight * ((e >> 16) & 255) / (((e >> 16) & 255)
            + {k1_factor} * ({free} + {b} * (e & 65535)::float8 / o.average))) AS score
    FROM ordered o
    JOIN veridical.search_postings p ON p.collection = %(collection)s
        AND p.language = o.language AND p.term = o.term AND p.level = o.level
    CROSS JOIN LATERAL unnest(p.entries) AS e
    WHERE o.is_read GROUP BY 1
), pool AS MATERIALIZED (
    SELECT chunk, score, count(*) OVER () AS n, min(score) OVER () AS cut
    FROM (SELECT * FROM partly ORDER BY score DESC, chunk LIMIT %(pool)s) AS led
), scored AS MATERIALIZED (
    SELECT pool.chunk, CASE WHEN unread.most = 0 THEN pool.score ELSE (
            SELECT sum(o.weight * (t & 255) / ((t & 255)
                + {k1_factor} * ({free} + {b} * least(c.length, 65535)::float8 / o.average)))
            FROM unnest(c.terms) AS t
            JOIN (SELECT DISTINCT language, code, weight, average FROM ordered) o
                ON o.code = t >> {code_shift} AND o.language = c.language
        ) END AS score,
        pool.n, pool.cut, unread.most
    FROM pool CROSS JOIN unread
    JOIN veridical.search_chunks c ON c.id = pool.chunk
    JOIN veridical.search_documents d ON d.id = c.document
    WHERE {conditions}
)
SELECT chunk, score, n, cut, most FROM scored
ORDER BY round(score::numeric, 9) DESC, chunk LIMIT %(k)s
"""


@dataclass(frozen=True, slots=True)
class LexicalResult:
    """What the lexical leg found."""

    hits: tuple[Hit, ...]
    is_exact: bool
    """Whether no chunk outside could have a higher score."""


def query_terms(question: str, languages: tuple[Language, ...]) -> Mapping[str, list[Any]]:
    """The terms of a question in each language of a collection, as the statement takes them."""
    asked: dict[str, list[Any]] = {"languages": [], "terms": [], "codes": [], "counts": []}
    for language in languages:
        for term, count in ANALYSERS[language].analyse(question).frequencies.items():
            asked["languages"].append(language.value)
            asked["terms"].append(term)
            asked["codes"].append(term_code(term))
            asked["counts"].append(float(count))
    return asked


def lexical_search(
    connection: Connection,
    collection: int,
    asked: Mapping[str, list[Any]],
    k: int,
    where: Filter = NO_FILTER,
) -> LexicalResult:
    """The chunks of a collection that fit these terms best, as far as they pass the filter."""
    statement = lexical_statement(where)
    given = {**asked, **values(where), "collection": collection, "k": k}
    budget, pool = BUDGET, max(POOL, 4 * k)
    rows(connection, _PLAN_ONCE, {})
    while True:
        limits = {"budget": budget, "pool": pool}
        found = rows(connection, statement, {**given, **limits}, prepare=True)
        is_exact = _is_exact(found, k, pool) if found else not where or pool >= _ALL
        if is_exact or pool >= _ALL:
            hits = (Hit(row[0], float(row[1]), rank) for rank, row in enumerate(found, 1))
            return LexicalResult(tuple(hits), is_exact)
        budget, pool = _widened(budget, pool)


_ALL = 2**31 - 1


def _is_exact(found: list[tuple[Any, ...]], k: int, pool: int) -> bool:
    in_pool, cut, most = int(found[0][2]), float(found[0][3]), float(found[0][4])
    if most == 0 and in_pool < pool:
        return True  # everything was read, and all that was found is here
    outside = most + (cut if in_pool == pool else 0.0)
    return len(found) == k and float(found[-1][1]) + _SURE_BY >= outside


def _widened(budget: int, pool: int) -> tuple[int, int]:
    wider = budget * _WIDER
    return (wider, pool * 4) if wider <= _MOST_BUDGET else (_ALL, _ALL)


def lexical_statement(where: Filter) -> str:
    """The statement, with the conditions of a filter."""
    return _STATEMENT.format(
        k1=f"{K1 + 1}::float8",
        k1_factor=f"{K1}::float8",
        b=f"{B}::float8",
        free=f"{1 - B}::float8",
        levels=LEVELS,
        chunk_shift=CHUNK_SHIFT,
        code_shift=CODE_SHIFT,
        conditions=conditions(where),
    )
