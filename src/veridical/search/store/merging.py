"""Merges segments: many small ones become one, so that a term's postings lie in few rows.

Every batch of an ingest writes a segment of its own, without waiting for others. Segments of like
size are merged by eights, as a log-structured store does; what was deleted meanwhile is left out.
"""

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.store.driver import rows
from veridical.search.store.postings import CHUNK_SHIFT, DENSE, FEWEST, MAP_LEVEL

FAN_IN = 8
LARGEST = 200_000
"""Chunks. A merged segment of that size stays as it is."""

_LOCK = "SELECT pg_try_advisory_xact_lock(%(key)s, hashtext(%(language)s))"
_LISTED = """
SELECT id, chunks FROM veridical.search_segments
WHERE collection = %(collection)s AND language = %(language)s AND chunks < %(largest)s
ORDER BY chunks, id
"""
_LIVING = """
living AS MATERIALIZED (
    SELECT c.id, c.length FROM veridical.search_chunks c WHERE c.id = ANY(ARRAY(
        SELECT DISTINCT e >> {shift} FROM (
            SELECT unnest(p.entries) AS e FROM veridical.search_postings p
            WHERE p.segment = ANY(%(segments)s::bigint[]) AND p.level >= 0
        ) AS held
    ))
)
"""
"""By their numbers, so that a merge of few chunks never reads the table of all."""
_MADE = """
WITH {living}
INSERT INTO veridical.search_segments (tenant, collection, language, chunks, length)
SELECT %(tenant)s, %(collection)s, %(language)s, count(*), sum(length) FROM living
HAVING count(*) > 0 RETURNING id
"""
_MERGED = """
WITH {living}
INSERT INTO veridical.search_postings (tenant, collection, language, term, level, segment, n,
    entries)
SELECT %(tenant)s, %(collection)s, %(language)s, term, level, %(made)s, count(*),
    array_agg(e ORDER BY e)
FROM (
    SELECT p.term, p.level, unnest(p.entries) AS e FROM veridical.search_postings p
    WHERE p.segment = ANY(%(segments)s::bigint[]) AND p.level >= 0
) AS held
WHERE ((e >> {shift}) IN (SELECT id FROM living)) IS TRUE  -- never a join: looked up in a hash
GROUP BY term, level
"""
_MAPPED = """
WITH held AS MATERIALIZED (
    SELECT term, entries, sum(n) OVER (PARTITION BY term) AS df,
        min(entries[1]) OVER () >> {shift} AS base,
        max(entries[array_length(entries, 1)]) OVER () >> {shift} AS last
    FROM veridical.search_postings WHERE segment = %(made)s AND level >= 0
), dense AS (
    SELECT * FROM held WHERE df >= {fewest} AND df * {dense} > last - base
), words AS (
    SELECT term, base, at, bit_or(word) AS word FROM (
        SELECT term, base, (place >> 6)::integer AS at, 1::bigint << (place & 63)::integer AS word
        FROM (
            SELECT term, base, (unnest(entries) >> {shift}) - base AS place FROM dense
        ) AS places
        UNION ALL
        SELECT term, base, generate_series(0, ((last - base) >> 6)::integer), 0
        FROM (SELECT DISTINCT term, base, last FROM dense) AS empty
    ) AS bits GROUP BY term, base, at
)
INSERT INTO veridical.search_postings (tenant, collection, language, term, level, segment, n,
    entries)
SELECT %(tenant)s, %(collection)s, %(language)s, term, {map_level}, %(made)s, 0,
    base || array_agg(word ORDER BY at)
FROM words GROUP BY term, base
"""
_GONE = (
    "DELETE FROM veridical.search_postings WHERE segment = ANY(%(segments)s::bigint[])",
    "DELETE FROM veridical.search_segments WHERE id = ANY(%(segments)s::bigint[])",
)


def merge_segments(
    connection: Connection, tenant: str, collection: int, language: Language
) -> bool:
    """Merge the smallest segments where there are enough of like size; whether any were merged.

    While another process merges the same index, this does nothing.
    """
    about = {"tenant": tenant, "collection": collection, "language": language.value}
    locked = rows(connection, _LOCK, {"key": -(collection % 2**31), "language": language.value})
    if not locked[0][0]:
        return False
    listed = rows(connection, _LISTED, {**about, "largest": LARGEST})
    chosen = _chosen([(row[0], int(row[1])) for row in listed])
    if not chosen:
        return False
    given = {**about, "segments": chosen}
    living = _LIVING.format(shift=CHUNK_SHIFT)
    made = rows(connection, _MADE.format(living=living), given)
    if made:
        written = {**given, "made": made[0][0]}
        rows(connection, _MERGED.format(living=living, shift=CHUNK_SHIFT), written)
        rows(connection, map_statement(), written)
    for statement in _GONE:
        rows(connection, statement, given)
    return True


def map_statement() -> str:
    """The statement that writes the maps of a segment's frequent terms."""
    return _MAPPED.format(shift=CHUNK_SHIFT, dense=DENSE, fewest=FEWEST, map_level=MAP_LEVEL)


def _chosen(segments: list[tuple[int, int]]) -> list[int]:
    """The smallest eight or more whose largest is at most eight times their smallest; none where
    sizes are too far apart for a merge to be worth its writing."""
    for start in range(len(segments) - FAN_IN + 1):
        smallest = max(segments[start][1], 1)
        like = [each for each in segments[start:] if each[1] <= smallest * FAN_IN]
        if len(like) >= FAN_IN:
            return [number for number, _ in like[: 2 * FAN_IN]]
    return []
