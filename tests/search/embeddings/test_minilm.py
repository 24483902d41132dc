"""A real model of meaning, all-MiniLM-L6-v2: what shares no word with a question is found."""

import os
from pathlib import Path

import pytest

from benchmarks.search.minilm import minilm_folder
from tests.search.passages import passages
from veridical.search.embed import embed_missing
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.embeddings.settings import EmbedderSettings
from veridical.search.retrieve import Retriever
from veridical.search.store.index import PostgresIndex
from veridical.store.connection import Store

pytestmark = [pytest.mark.model, pytest.mark.postgres, pytest.mark.slow]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "veridical-bench"
TEXTS = {
    "fleet": "Automobiles owned by the firm must be booked two days ahead.",
    "leave": "Staff are entitled to five weeks of vacation.",
    "illness": "Whoever is unwell informs their superior before nine.",
    "password": "Credentials are to be renewed every quarter.",
    "bills": "Suppliers are paid within a month of delivery.",
    "kitchen": "Plates are to be washed by those who dirtied them.",
}
ASKED = {
    "Can I take a company car tomorrow?": "fleet",
    "How many holidays do employees get?": "leave",
    "What should I do if I am sick?": "illness",
    "When does my login secret expire?": "password",
    "When do we settle an invoice?": "bills",
    "Who does the dishes?": "kitchen",
}


def test_questions_in_other_words_find_their_passages(store: Store) -> None:
    embedder = opened_embedder(EmbedderSettings(onnx=minilm_folder(CACHE / "minilm")))
    assert embedder is not None
    index = PostgresIndex(store.tenant, "acme", "minilm")
    index.write(passages(TEXTS))
    done = embed_missing(index, embedder)
    assert (done.embedded, done.size) == (len(TEXTS), 384)
    firsts = {
        question: Retriever(index, embedder).retrieve(question, 3).candidates[0]
        for question in ASKED
    }
    assert {q: each.stored.origin.source for q, each in firsts.items()} == ASKED
    by_words = {question: Retriever(index).retrieve(question, 3).candidates for question in ASKED}
    right = [
        bool(found) and found[0].stored.origin.source == ASKED[question]
        for question, found in by_words.items()
    ]
    assert sum(right) < len(ASKED) / 2  # the words alone do not tell


def test_what_the_model_weighs_is_measured_and_its_passages_still_found(store: Store) -> None:
    embedder = opened_embedder(EmbedderSettings(onnx=minilm_folder(CACHE / "minilm")))
    assert embedder is not None
    index = PostgresIndex(store.tenant, "acme", "minilm weighed")
    rooms = {
        f"{place} {number}": f"The {place} on floor {number} has a {thing} and is cleaned daily."
        for place, thing in (("archive", "shelf"), ("lobby", "sofa"), ("studio", "camera"))
        for number in range(40)
    }
    index.write(passages(TEXTS | rooms))
    weight = embed_missing(index, embedder).weight
    assert weight is not None
    assert 0.1 < weight < 0.9
    for question, source in ASKED.items():
        found = Retriever(index, embedder).retrieve(question, 3)
        assert found.vector_weight == weight
        assert source in {each.stored.origin.source for each in found.candidates}
        assert all(each.standard for each in found.candidates)
