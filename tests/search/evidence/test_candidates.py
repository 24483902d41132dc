"""Retrieved chunks as candidates: of one collection or several, with a weight or without."""

import pytest

from veridical.contracts.language import Language
from veridical.contracts.search_candidate import HybridPart, LegRank
from veridical.search.chunk import Chunk, Hit, Origin, StoredChunk
from veridical.search.evidence import candidates_of
from veridical.search.retrieve import Candidate, Retrieved, fused

_WORDS = {1: Hit(1, 9.0, 1), 2: Hit(2, 5.0, 2)}
_NEAR = {2: Hit(2, 0.9, 1), 3: Hit(3, 0.3, 2)}


def retrieved(weight: float | None, start: int) -> Retrieved:
    found = tuple(
        Candidate(
            StoredChunk(
                each.chunk,
                start + each.chunk,
                0,
                Chunk("text", Language.EN),
                Origin(f"{start}"),
            ),
            _WORDS.get(each.chunk),
            _NEAR.get(each.chunk),
            each.order,
            each.standard,
        )
        for each in fused(_WORDS, _NEAR, weight)
    )
    return Retrieved(found, vector_weight=weight)


def test_without_a_weight_both_legs_stand_for_themselves() -> None:
    found = candidates_of({"one": retrieved(None, 10), "other": retrieved(None, 20)})
    assert [each.collection for each in found] == ["one"] * 3 + ["other"] * 3
    assert found[0].legs == {
        "lexical": LegRank(rank=2, score=5.0),
        "vector": LegRank(rank=1, score=0.9),
    }
    assert found[0].hybrid == {}


def test_with_a_weight_the_fused_place_is_a_leg_and_its_parts_are_told() -> None:
    (first, second, third) = candidates_of({"one": retrieved(0.75, 10)})
    assert [each.id for each in (first, second, third)] == ["doc-12#1", "doc-11#1", "doc-13#1"]
    assert [each.legs["hybrid"].rank for each in (first, second, third)] == [1, 2, 3]
    assert second.legs["lexical"] == LegRank(rank=1, score=9.0)
    assert second.hybrid == {
        "lexical": HybridPart(weight=0.25, standard=1.0, rank=1, score=9.0),
        "vector": HybridPart(weight=0.75, standard=-1.0),
    }
    assert second.legs["hybrid"].score == pytest.approx(0.25 - 0.75)


def test_beside_a_collection_with_a_weight_all_take_part_with_their_places() -> None:
    found = candidates_of({"weighed": retrieved(0.75, 10), "not": retrieved(None, 20)})
    assert [each.legs["hybrid"].rank for each in found] == [1, 2, 3, 1, 2, 3]
    assert [bool(each.hybrid) for each in found] == [True] * 3 + [False] * 3
