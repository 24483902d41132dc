"""Contents go into files whole, or the caller hears of it."""

import os
from pathlib import Path

import pytest

from veridical.evals.storage.write import write


def test_what_was_there_is_replaced_or_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write(file, b"a longer one\n", os.O_TRUNC)
    write(file, b"one\n", os.O_TRUNC)
    write(file, b"two\n", os.O_APPEND)
    assert file.read_bytes() == b"one\ntwo\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_is_told() -> None:
    with pytest.raises(OSError, match="No space"):
        write(Path("/dev/full"), b"lost", os.O_APPEND)
