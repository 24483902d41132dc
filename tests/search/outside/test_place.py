"""No two collections share a place, whatever tenants call themselves."""

import re
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from tests.search.outside.hostile import HOSTILE
from veridical.search.outside.place import Place


def _names(place: Place, model: str = "m") -> set[str]:
    return {place.words, place.vectors(model)}


def test_hostile_names_have_places_apart() -> None:
    places = [Place(tenant, collection) for tenant, collection in product(HOSTILE, HOSTILE)]
    names = [name for place in places for name in _names(place)]
    assert len(set(names)) == len(names)
    prefixes = {place.prefix for place in places}
    assert len(prefixes) == len(places)
    assert len({len(each) for each in prefixes}) == 1, "so none begins with another"
    assert len({place.folder for place in places}) == len(HOSTILE)


@given(st.text(), st.text(), st.text())
def test_names_are_plain_and_of_one_length(tenant: str, collection: str, model: str) -> None:
    place = Place(tenant, collection)
    for name in _names(place, model):
        assert re.fullmatch(r"veridical-[0-9a-f]{32}-[0-9a-f]{32}-(words|[0-9a-f]{32})", name)
        assert name.startswith(place.prefix)
    assert re.fullmatch(r"[0-9a-f]{32}", place.folder)
