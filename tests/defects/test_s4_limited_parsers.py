"""What a stranger's file can do to whoever reads it: be refused, soon and in plain words."""

import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from benchmarks.hostile_files.formats import Format, formats
from veridical.contracts.language import Language
from veridical.limited_process.job import Job, run_limited
from veridical.limited_process.limits import Limit, LimitError, Limits, limits_for
from veridical.search.document_reading import IngestOptions, read_documents
from veridical.search.documents.parsed import UnreadableError

SIZE = 100_000
SECONDS = 10.0
"""By the clock, on a machine with other things to do; the limit of the work is 0.6."""
_WORK = "tests.defects.endless_work"
_NARROW = Limits(seconds=0.3, megabytes=50, result_bytes=1_000, unpacked_bytes=1_000)


def _refused(path: Path) -> UnreadableError:
    with pytest.raises(UnreadableError) as caught:
        read_documents(path, IngestOptions())
    return caught.value


@pytest.mark.parametrize("named", ["/dev/zero", "/etc/passwd", "file:///etc/passwd"])
def test_s4_a_feed_that_names_a_file_opens_none(tmp_path: Path, named: str) -> None:
    path = tmp_path / "a.xml"
    path.write_text(named, "utf-8")
    assert "root:" not in _refused(path).message(Language.EN)


def test_s4_a_device_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.symlink_to("/dev/zero")
    assert "device" in _refused(path).message(Language.EN)


def test_s4_nested_blocks_are_read_in_their_time(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<div><p>" * 900 + "The text.", "utf-8")
    (document,) = read_documents(path, IngestOptions())
    assert document.chunks[-1].text.endswith("The text.")


def test_s4_references_do_not_multiply(tmp_path: Path) -> None:
    levels = "".join(f"b{n + 1}: &b{n + 1} [{', '.join([f'*b{n}'] * 9)}]\n" for n in range(8))
    path = tmp_path / "a.md"
    path.write_text(f"---\nb0: &b0 [xxxxxxxxx]\n{levels}title: *b8\n---\nThe text.\n", "utf-8")
    (document,) = read_documents(path, IngestOptions())
    assert len(document.origin.title) < 100


@pytest.mark.parametrize("name", formats())
def test_s4_hostile_files_are_read_or_refused_soon(name: str) -> None:
    kind: Format = formats()[name]
    recipe = kind.recipes[0]
    kind.judged(b"")
    for fragment in recipe.fragments[:3]:
        began = time.monotonic()
        kind.judged(recipe.made(fragment, SIZE))
        assert time.monotonic() - began < SECONDS


@pytest.mark.parametrize(
    ("work", "limit"),
    [
        ("spin", Limit.TIME),
        ("match", Limit.TIME),
        ("fill", Limit.MEMORY),
        ("hide_that_memory_is_full", Limit.MEMORY),
        ("tell_much", Limit.RESULT),
        ("crash", Limit.CRASH),
        ("fail", Limit.BROKEN),
    ],
)
def test_s4_whatever_work_does_its_limit_is_told(work: str, limit: Limit) -> None:
    with pytest.raises(LimitError) as caught:
        run_limited(f"{_WORK}:{work}", b"", _NARROW)
    assert caught.value.limit is limit
    assert len({caught.value.message(language) for language in Language}) == len(Language)
    assert run_limited(f"{_WORK}:echo", b"as before", _NARROW) == b"as before"


def test_s4_work_can_be_given_up() -> None:
    job = Job(f"{_WORK}:sleep", b"", _NARROW)
    began = time.monotonic()
    job.cancel()
    with pytest.raises(LimitError):
        job.result()
    assert time.monotonic() - began < SECONDS


def test_s4_nothing_is_left_when_the_program_is_killed() -> None:
    program = (
        "import time\n"
        "from veridical.limited_process.job import Job\n"
        "from veridical.limited_process.limits import limits_for\n"
        f"job = Job('{_WORK}:sleep', b'', limits_for(0))\n"
        "print('begun', flush=True)\n"
        "job.result()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stdout.readline() == b"begun\n"
        deadline = time.monotonic() + SECONDS
        while len(left := psutil.Process(started.pid).children(recursive=True)) < 2:
            assert time.monotonic() < deadline
        started.kill()
    gone, alive = psutil.wait_procs(left, SECONDS)
    assert len(gone) >= 2
    assert not alive


def test_s4_what_is_large_has_more_of_everything() -> None:
    small, large = limits_for(100_000), limits_for(20_000_000)
    assert small.seconds < 1
    assert large.seconds > 60
    assert large.megabytes > small.megabytes
    assert limits_for(10**12).megabytes == 1_000
