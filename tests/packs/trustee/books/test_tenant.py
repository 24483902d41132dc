from veridical.packs.trustee.books.tenant import LARGE, MEDIUM, SIZES, SMALL, tenants


def test_several_mandates_and_some_with_two_sets_of_books() -> None:
    made = tenants(SMALL, 1)
    assert len({tenant.mandate for tenant in made}) == 3
    assert len(made) > len({tenant.mandate for tenant in made})
    assert len({tenant.instance for tenant in made}) == len(made)


def test_larger_sizes_have_more_tenants_with_names_of_their_own() -> None:
    assert list(SIZES.values()) == [SMALL, MEDIUM, LARGE]
    counts = [len(tenants(size, 1)) for size in SIZES.values()]
    assert counts == sorted(counts)
    made = tenants(LARGE, 1)
    assert len({tenant.company for tenant in made}) == len(made)
    assert len({tenant.trade.label for tenant in made}) == 4
