"""The statement of the lexical leg: which postings are read, which chunks are scored exactly."""

from typing import LiteralString

from veridical.search.filter import Filter
from veridical.search.store.conditions import conditions
from veridical.search.store.passages import COLUMNS, TABLES
from veridical.search.store.postings import CHUNK_SHIFT, CODE_BYTES, K1, LEVELS, MAP_LEVEL, B

_STATEMENT: LiteralString = """
WITH place AS MATERIALIZED (
    SELECT id FROM veridical.search_collections
    WHERE tenant = %(tenant)s AND name = %(collection)s
), wanted AS (
    SELECT * FROM unnest(%(languages)s::text[], %(terms)s::text[], %(codes)s::bytea[],
        %(counts)s::float8[]) AS a(language, term, code, count)
), sizes AS (
    SELECT s.language, sum(s.chunks)::float8 AS chunks,
        sum(s.length)::float8 / sum(s.chunks) AS average,
        sum(s.length)::float8 / sum(s.chunks) / i.pivot AS stretch
    FROM veridical.search_segments s
    JOIN veridical.search_indexes i ON i.collection = s.collection AND i.language = s.language
    WHERE s.collection = (SELECT id FROM place) GROUP BY s.language, i.pivot
), found AS MATERIALIZED (
    SELECT a.language, a.term, a.code, a.count, p.level, sum(p.n)::float8 AS n
    FROM wanted a JOIN veridical.search_postings p
        ON p.collection = (SELECT id FROM place) AND p.language = a.language AND p.term = a.term
        AND p.level >= 0
    GROUP BY a.language, a.term, a.code, a.count, p.level
), weighed AS (
    SELECT f.language, f.term, f.code, f.level, f.n, f.up_to_here, z.average,
        f.count * {k1} * ln(1 + (z.chunks - f.df + 0.5::float8) / (f.df + 0.5::float8)) AS weight,
        (f.level + 1) * greatest(1, z.stretch)
            / ({levels} - f.level - 1 + (f.level + 1) * greatest(1, z.stretch)) AS most,
        f.level * least(1, z.stretch)
            / ({levels} - f.level + f.level * least(1, z.stretch)) AS least
    FROM (
        SELECT *, sum(n) OVER (PARTITION BY language, term) AS df,
            sum(n) OVER (PARTITION BY language, term ORDER BY level DESC) AS up_to_here
        FROM found
    ) f JOIN sizes z ON z.language = f.language
), stepped AS MATERIALIZED (
    SELECT *, weight * (most - coalesce(lead(most) OVER (
            PARTITION BY language, term ORDER BY level DESC), 0)) AS fall
    FROM weighed
), enough AS MATERIALIZED (
    SELECT coalesce(%(enough)s::float8, greatest(max(weight * least) - {sure_by}, 0), 0) AS score
    FROM stepped WHERE up_to_here >= %(k)s
), ordered AS MATERIALIZED (
    SELECT s.*, s.left_before >= enough.score
        AND (s.read_with_it <= %(budget)s OR s.read_with_it = s.n) AS is_read
    FROM (
        SELECT *, sum(n) OVER (ORDER BY up_to_here, language, term, level DESC) AS read_with_it,
            sum(fall) OVER (PARTITION BY language) + fall - sum(fall) OVER (
                PARTITION BY language ORDER BY up_to_here, term, level DESC) AS left_before
        FROM stepped
    ) s CROSS JOIN enough
), unread AS MATERIALIZED (
    SELECT t.*, sum(t.most) OVER (PARTITION BY t.language) AS of_all
    FROM (
        SELECT language, term, code, weight, average,
            coalesce(max(weight * most) FILTER (WHERE NOT is_read), 0) AS most
        FROM ordered GROUP BY language, term, code, weight, average
    ) t
), partly AS MATERIALIZED (
    SELECT chunk, max(segment) AS segment, sum(gained) + max(of_all) AS bound
    FROM (
        SELECT e >> {chunk_shift} AS chunk, segment, of_all,
            weight * ((e >> 16) & 255) / (((e >> 16) & 255)
                + {k1_factor} * ({free} + {b} * (e & 65535)::float8 / average)) - most AS gained
        FROM (
            SELECT unnest(p.entries) AS e, p.segment, u.weight, u.average, u.most, u.of_all
            FROM ordered o
            JOIN unread u ON u.language = o.language AND u.term = o.term
            JOIN veridical.search_postings p ON p.collection = (SELECT id FROM place)
                AND p.language = o.language AND p.term = o.term AND p.level = o.level
            WHERE o.is_read
        ) AS entries
    ) AS gains GROUP BY chunk
), maps AS MATERIALIZED (
    SELECT p.segment, u.most, p.entries[1] AS base, trim_array(p.entries, 0) AS words
    FROM unread u JOIN veridical.search_postings p ON p.collection = (SELECT id FROM place)
        AND p.language = u.language AND p.term = u.term AND p.level = {map_level}
    WHERE u.most > 0
), ahead AS MATERIALIZED (
    SELECT * FROM partly WHERE bound >= (SELECT score FROM enough)
    ORDER BY bound DESC, chunk LIMIT %(ahead)s
), lead AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY bound DESC, chunk) AS place FROM ({lead}) AS tightened
), first AS MATERIALIZED (
    {first} WHERE pool.place <= %(first)s AND {conditions}
), kth AS MATERIALIZED (
    SELECT coalesce(max(score), -1) AS score, coalesce(max(chunk), 0) AS chunk FROM (
        SELECT score, chunk FROM first
        ORDER BY round(score * 1e9::float8) DESC, chunk OFFSET %(k)s - 1 LIMIT 1
    ) AS last
), behind AS MATERIALIZED (
    SELECT * FROM partly
    WHERE bound >= (SELECT score FROM enough) AND {may_be_before} AND (bound, -chunk)
        < (SELECT bound, -chunk FROM ahead ORDER BY bound, chunk DESC LIMIT 1)
    ORDER BY bound DESC, chunk LIMIT %(pool)s
), pool AS MATERIALIZED (
    SELECT chunk, bound FROM lead WHERE place > %(first)s
    UNION ALL
    {behind}
), scored AS (
    SELECT * FROM first
    UNION ALL
    {others} WHERE {pool_may_be_before} AND {conditions}
)
SELECT {columns}, best.score, (
        SELECT json_object_agg(i.language, i.analyser) FROM veridical.search_indexes i
        WHERE i.collection = (SELECT id FROM place)
    ) AS made_by, (SELECT count(*) FROM behind) AS n,
    (SELECT coalesce(min(bound), 0) FROM behind) AS cut, (SELECT max(of_all) FROM unread) AS most,
    (SELECT score FROM enough) AS enough
FROM (SELECT * FROM scored ORDER BY round(score * 1e9::float8) DESC, chunk LIMIT %(k)s) AS best
JOIN ({tables}) ON c.id = best.chunk
ORDER BY round(best.score * 1e9::float8) DESC, best.chunk
"""
_TIGHTENED: LiteralString = """
    SELECT chunk, sum(bound) AS bound
    FROM (
        SELECT chunk, bound FROM {some}
        UNION ALL
        SELECT chunk, -most FROM (
            SELECT unnest(held.chunks) AS chunk, m.base, m.words, m.most
            FROM maps m JOIN (
                SELECT segment, array_agg(chunk) AS chunks FROM {some} GROUP BY segment
            ) AS held ON held.segment = m.segment
        ) AS looked_up
        WHERE coalesce(words[2 + ((chunk - base) >> 6)] >> ((chunk - base) & 63)::integer & 1, 0)
            = 0
    ) AS parts GROUP BY chunk
"""
"""The bounds of some chunks, without the terms that they lack by the maps."""
_EXACTLY: LiteralString = """
    SELECT pool.chunk, (
        SELECT sum(held.weight * held.frequency / (held.frequency
            + {k1_factor} * ({free} + {b} * least(c.length, 65535)::float8 / held.average)))
        FROM (
            SELECT weight, average, get_byte(terms, place + {code_bytes} - 1) AS frequency
            FROM (
                SELECT u.weight, u.average, whole.terms, position(u.code IN whole.terms) AS place
                FROM (SELECT substring(c.terms FROM 1) AS terms OFFSET 0) AS whole
                JOIN unread u ON u.language = c.language OFFSET 0
            ) AS placed WHERE place > 0 OFFSET 0
        ) AS held
    ) AS score
    FROM {some} AS pool JOIN veridical.search_chunks c ON c.id = pool.chunk {documents}
"""
"""A chunk's own terms are taken out of their storage once, and each code is looked for in them."""
_MAY_BE_BEFORE: LiteralString = """
    {of}bound > (SELECT score FROM kth) - {sure_by} AND ({of}chunk < (SELECT chunk FROM kth)
        OR {of}bound > (SELECT score FROM kth) + {sure_by})
"""
"""Whether a chunk may score more than the k-th, or the same with a lower number."""
_DOCUMENTS = "JOIN veridical.search_documents d ON d.id = c.document"
SURE_BY = 1e-9
"""Sums of floating numbers differ in their last digits by the order in which they were added."""


def lexical_statement(where: Filter) -> str:
    """The statement, with the conditions of a filter."""
    parts = {
        "k1": f"{K1 + 1}::float8",
        "k1_factor": f"{K1}::float8",
        "b": f"{B}::float8",
        "free": f"{1 - B}::float8",
        "levels": LEVELS,
        "chunk_shift": CHUNK_SHIFT,
        "code_bytes": CODE_BYTES,
        "map_level": MAP_LEVEL,
        "documents": _DOCUMENTS if where else "",
        "conditions": conditions(where),
        "sure_by": SURE_BY,
        "columns": COLUMNS,
        "tables": TABLES,
    }
    parts |= {
        "lead": _TIGHTENED.format(some="ahead"),
        "behind": _TIGHTENED.format(some="behind"),
        "first": _EXACTLY.format(some="lead", **parts),
        "others": _EXACTLY.format(some="pool", **parts),
        "may_be_before": _MAY_BE_BEFORE.format(of="", **parts),
        "pool_may_be_before": _MAY_BE_BEFORE.format(of="pool.", **parts),
    }
    return _STATEMENT.format(**parts)
