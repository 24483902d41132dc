"""Makes an index beside PostgreSQL have the chunks of documents as PostgreSQL has them."""

from collections import defaultdict
from collections.abc import Sequence

from sqlalchemy import Connection

from veridical.contracts.language import Language
from veridical.search.analysis.analyser import ANALYSERS
from veridical.search.outside.tables import CollectionTables, WordRow
from veridical.search.store import outside_rows
from veridical.search.store.outside_rows import ChunkText


def synchronise(
    connection: Connection,
    tenant: str,
    collection: int,
    tables: CollectionTables,
    documents: Sequence[int],
) -> None:
    """Add what is missing and drop what is gone; done twice, the second time changes nothing.

    The transaction has its turn: nobody else writes to this index meanwhile.
    """
    standing = outside_rows.standing_chunks(connection, documents)
    held = tables.held(documents)
    for model in tables.sizes():
        held |= tables.held(documents, model) - standing.keys()
    if gone := held - standing.keys():
        tables.remove(gone)
    if new := standing.keys() - held:
        tables.add_words(_rows(connection, tenant, collection, tables.index, new))


def _rows(
    connection: Connection, tenant: str, collection: int, index: str, ids: set[int]
) -> list[WordRow]:
    by_language: dict[Language, list[ChunkText]] = defaultdict(list)
    for each in outside_rows.chunk_texts(connection, ids):
        by_language[each.chunk.language].append(each)
    made: list[WordRow] = []
    for language, texts in by_language.items():
        analyser = ANALYSERS[language]
        analysed = [analyser.analyse(f"{each.chunk.section}\n{each.chunk.text}") for each in texts]
        mean = sum(each.length for each in analysed) / len(analysed)
        pivot = outside_rows.noted_pivot(connection, tenant, collection, index, language, mean)
        made += [
            WordRow(
                text.id,
                text.document,
                {f"{language.value}:{term}": n for term, n in each.frequencies.items()},
                each.length,
                pivot,
            )
            for text, each in zip(texts, analysed, strict=True)
        ]
    return made
