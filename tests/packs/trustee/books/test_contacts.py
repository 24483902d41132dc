from veridical.packs.trustee.books.contacts import contacts
from veridical.packs.trustee.books.tenant import SIZES, tenants


def test_every_tenant_can_trade_at_home_and_abroad() -> None:
    for size in SIZES.values():
        for tenant in tenants(size, 1):
            made = contacts(tenant, size, 1)
            offered = {(contact.kind, contact.currency) for contact in made}
            assert {
                ("customer", "CHF"),
                ("customer", "EUR"),
                ("customer", "USD"),
                ("supplier", "CHF"),
                ("supplier", "EUR"),
            } <= offered
            assert ("supplier", "USD") not in offered
            assert len({contact.id for contact in made}) == len(made)


def test_some_names_are_shared_and_most_are_not() -> None:
    size = SIZES["medium"]
    names = [{each.name for each in contacts(tenant, size, 1)} for tenant in tenants(size, 1)]
    shared = set[str].intersection(*names)
    assert {"Alpstrom Energie AG", "Rochat Vins Sàrl"} <= shared
    assert len(shared) < len(names[0]) / 2


def test_the_three_languages_of_the_country_are_spoken() -> None:
    size = SIZES["small"]
    made = contacts(tenants(size, 1)[0], size, 1)
    assert {contact.language for contact in made} == {"de", "fr", "it"}
