"""README and tutorials, typed as they stand, each block where only what it names is installed."""

from pathlib import Path

import pytest

from tests.docs.markdown import CORE, TYPED_FROM_A_CLONE, Fence, installed, name_of
from tests.docs.typed import Background, follow
from tests.release.environments import Environment


@pytest.mark.parametrize("document", TYPED_FROM_A_CLONE, ids=name_of)
def test_what_is_typed_works(
    environments: dict[str, Environment], document: Path, tmp_path: Path
) -> None:
    by_default = installed(document)

    def python_of(fence: Fence) -> Path:
        extras = fence.value("with") or by_default
        return environments["" if extras == CORE else extras].python

    with Background(tmp_path, python_of=python_of) as background:
        assert follow(document, tmp_path, background, TYPED_FROM_A_CLONE[document])
