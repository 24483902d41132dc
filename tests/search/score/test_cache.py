"""The cache whose entries expire."""

from veridical.search.score.summaries import ExpiringCache


def test_entries_expire_and_the_longest_unused_makes_room() -> None:
    now = 0.0
    cache: ExpiringCache[int] = ExpiringCache(10, lambda: now, most=2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)
    now = 9.99
    assert cache.get("a") == 1
    now = 10.0
    assert cache.get("a") is None
