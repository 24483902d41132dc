import pytest

from veridical.ontology.pack import PackNotFoundError, load_pack, pack_names


def test_installed_packs_are_found_by_name() -> None:
    assert "trustee" in pack_names()
    assert load_pack("trustee").name == "trustee"


def test_a_pack_that_is_not_installed_is_told_with_those_that_are() -> None:
    with pytest.raises(PackNotFoundError, match=r"installed: .*trustee"):
        load_pack("bakery")
