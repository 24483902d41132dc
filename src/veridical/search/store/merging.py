"""Merges segments: many small ones become one, so that a term's postings lie in few rows.

Every batch of an ingest writes a segment of its own, without waiting for anybody. Segments of like
size are merged by eights, as a log-structured store does; what was deleted meanwhile is left out.
"""

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.store.bm25 import CHUNK_SHIFT
from veridical.search.store.driver import rows

FAN_IN = 8
LARGEST = 200_000
"""Chunks. A merged segment of that size stays as it is."""

_LOCK = "SELECT pg_try_advisory_xact_lock(%(key)s, hashtext(%(language)s))"
_LISTED = """
SELECT id, chunks FROM veridical.search_segments
WHERE collection = %(collection)s AND language = %(language)s AND chunks < %(largest)s
ORDER BY chunks, id
"""
_MADE = """
WITH living AS (
    SELECT count(*) AS chunks, coalesce(sum(c.length), 0) AS length
    FROM (
        SELECT DISTINCT e >> {shift} AS id FROM veridical.search_postings p
        CROSS JOIN LATERAL unnest(p.entries) AS e
        WHERE p.segment = ANY(%(segments)s::bigint[])
    ) AS held JOIN veridical.search_chunks c ON c.id = held.id
)
INSERT INTO veridical.search_segments (tenant, collection, language, chunks, length)
SELECT %(tenant)s, %(collection)s, %(language)s, chunks, length FROM living WHERE chunks > 0
RETURNING id
"""
_MERGED = """
INSERT INTO veridical.search_postings (tenant, collection, language, term, level, segment, n,
    entries)
SELECT %(tenant)s, %(collection)s, %(language)s, p.term, p.level, %(made)s, count(*),
    array_agg(e ORDER BY e)
FROM veridical.search_postings p CROSS JOIN LATERAL unnest(p.entries) AS e
WHERE p.segment = ANY(%(segments)s::bigint[])
    AND EXISTS (SELECT FROM veridical.search_chunks c WHERE c.id = e >> {shift})
GROUP BY p.term, p.level
"""
_GONE = (
    "DELETE FROM veridical.search_postings WHERE segment = ANY(%(segments)s::bigint[])",
    "DELETE FROM veridical.search_segments WHERE id = ANY(%(segments)s::bigint[])",
)


def merge_segments(
    connection: Connection, tenant: str, collection: int, language: Language
) -> bool:
    """Merge the smallest segments where there are enough of like size; whether any were merged.

    Who comes while another merges the same index leaves it to them.
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
    made = rows(connection, _MADE.format(shift=CHUNK_SHIFT), given)
    if made:
        rows(connection, _MERGED.format(shift=CHUNK_SHIFT), {**given, "made": made[0][0]})
    for statement in _GONE:
        rows(connection, statement, given)
    return True


def _chosen(segments: list[tuple[int, int]]) -> list[int]:
    """The smallest eight or more whose largest is at most eight times their smallest; none where
    sizes are too far apart for a merge to be worth its writing."""
    for start in range(len(segments) - FAN_IN + 1):
        smallest = max(segments[start][1], 1)
        like = [each for each in segments[start:] if each[1] <= smallest * FAN_IN]
        if len(like) >= FAN_IN:
            return [number for number, _ in like[: 2 * FAN_IN]]
    return []
