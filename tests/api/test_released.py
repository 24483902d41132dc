"""The released interface changes only on purpose: names, parameters, defaults, annotations."""

from difflib import unified_diff

from tests.api.snapshot import RELEASED, public_api


def test_the_public_interface_is_the_released_one() -> None:
    released, found = (text.splitlines() for text in (RELEASED.read_text("utf-8"), public_api()))
    changed = "\n".join(
        unified_diff(released, found, "released", "this checkout", lineterm="", n=0)
    )
    assert not changed, (
        f"{changed}\n\nThe public interface changed. Where that is meant: "
        "`python -m tests.api.snapshot`, and a line in CHANGELOG.md."
    )
