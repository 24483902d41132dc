"""Files that change while somebody watches them."""

import asyncio
from pathlib import Path

from veridical.host.reload_signal import watched_files


def test_a_file_that_changes_at_once_is_reloaded(tmp_path: Path) -> None:
    """Before the watcher had its first turn, as on a machine with much to do."""
    file = tmp_path / "ontology.yaml"
    file.write_text("one", "utf-8")
    reloaded = asyncio.Event()

    async def renew() -> None:
        reloaded.set()

    async def watch() -> None:
        with watched_files(lambda: (file,), renew, seconds=0.02):
            file.write_text("another", "utf-8")
            async with asyncio.timeout(5):
                await reloaded.wait()

    asyncio.run(watch())
    assert reloaded.is_set()


def test_a_file_that_stays_as_it_is_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "ontology.yaml"
    file.write_text("one", "utf-8")
    reloads: list[int] = []

    async def renew() -> None:
        reloads.append(1)

    async def watch() -> None:
        with watched_files(lambda: (file,), renew, seconds=0.02):
            await asyncio.sleep(0.2)

    asyncio.run(watch())
    assert reloads == []
