"""What is there without us: PostgreSQL's own ranking, and the library bm25s."""

from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

import bm25s
import psycopg
from rjieba import Jieba
from snowballstemmer import stemmer

from benchmarks.search.sets import RetrievalSet
from veridical.contracts.language import Language

_STEMMERS = {Language.EN: "english", Language.DE: "german"}
_PLACES = 10
_SEARCH: LiteralString = """
SELECT id FROM plain, to_tsquery(%(configuration)s::regconfig, %(query)s) AS query
WHERE terms @@ query ORDER BY ts_rank(terms, query) DESC, id LIMIT %(places)s
"""


def ts_rank_rankings(url: str, given: RetrievalSet) -> Mapping[str, Sequence[str]]:
    """Any word of the question may be in a document; PostgreSQL's ``ts_rank`` orders them."""
    configuration = _STEMMERS.get(given.language, "simple")
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TEMP TABLE plain (id text, terms tsvector)")
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO plain VALUES (%s, to_tsvector(%s::regconfig, %s))",
                [(key, configuration, text) for key, text in given.documents.items()],
            )
        connection.execute("CREATE INDEX ON plain USING gin (terms)")
        connection.execute("ANALYZE plain")
        return {
            key: _ts_ranked(connection, configuration, text)
            for key, text in given.questions.items()
        }


def _ts_ranked(connection: psycopg.Connection[Any], configuration: str, question: str) -> list[str]:
    words = connection.execute(
        "SELECT string_agg(quote_literal(l), ' | ')"
        " FROM unnest(tsvector_to_array(to_tsvector('simple', %s))) AS l",
        (question,),
    ).fetchone()
    asked = {
        "configuration": configuration,
        "query": (words and words[0]) or "''",
        "places": _PLACES,
    }
    return [row[0] for row in connection.execute(_SEARCH, asked)]


def bm25s_rankings(given: RetrievalSet) -> Mapping[str, Sequence[str]]:
    """With its own defaults, and with stop words and stems where it has them."""
    keys = list(given.documents)
    retriever = bm25s.BM25()
    retriever.index(_tokens(given.language, list(given.documents.values())), show_progress=False)
    asked = _tokens(given.language, list(given.questions.values()))
    places = min(_PLACES, len(keys))
    found: Any = retriever.retrieve(asked, k=places, show_progress=False, n_threads=1)
    return {
        question: [keys[number] for number in ranking]
        for question, ranking in zip(given.questions, found.documents, strict=True)
    }


def _tokens(language: Language, texts: list[str]) -> Any:
    if language is Language.ZH:  # it has no tokenizer for Chinese: words of the same dictionary
        jieba = Jieba()
        return [jieba.cut(text.lower()) for text in texts]
    stems = stemmer(_STEMMERS[language])
    return bm25s.tokenize(
        texts,
        stopwords=language.value,
        stemmer=stems.stemWords,
        return_ids=False,
        show_progress=False,
    )
