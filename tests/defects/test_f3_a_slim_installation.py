"""``.[all]`` is what most need, in reasonable size; what stays apart is named where missing."""

import re
import tomllib
from importlib.metadata import distribution, files
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.release.size import MOST_BYTES, MOST_PACKAGES
from tests.without_extras import python
from veridical.contracts.extras import EXTRAS, INCLUDES

ROOT = Path(__file__).parents[2]
EXTRA = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]
APART = ("clickhouse", "flight", "lancedb", "onnx", "qdrant")
_NAMED = re.compile(r"veridical\[([\w,]+)\]")
_TRIED = {
    "clickhouse": """
from veridical.engines.registry import engine_of
engine_of("clickhouse:///books").open("clickhouse:///books")
""",
    "flight": """
from veridical.engines.registry import engine_of
engine_of("flightsql://127.0.0.1:1").open("flightsql://127.0.0.1:1")
""",
    "onnx": """
from pathlib import Path
from veridical.search.embeddings.opened import opened_embedder
from veridical.search.embeddings.settings import EmbedderSettings
opened_embedder(EmbedderSettings(onnx=Path("model")))
""",
    "lancedb": "from veridical.search.outside.lance import LanceTables",
    "qdrant": "from veridical.search.outside.qdrant import QdrantTables",
}


def _all() -> set[str]:
    (whole,) = EXTRA["all"]
    named = _NAMED.match(whole)
    assert named
    return set(named[1].split(","))


def _locked(lock: str) -> dict[str, str]:
    """Name and version of what a lock installs here."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text("utf-8")
    pinned = (Requirement(each) for each in re.findall(r"^([\w.-]+==[^\\\n]+)", text, re.M))
    here = (each for each in pinned if each.marker is None or each.marker.evaluate())
    return {each.name: str(each.specifier) for each in here}


def test_f3_all_is_everything_but_what_few_need() -> None:
    assert set(EXTRA) - {"all"} - _all() == set(APART)


def test_f3_its_lock_is_the_part_of_the_whole_lock_that_it_needs() -> None:
    whole, part = _locked("runtime"), _locked("all")
    assert part.items() <= whole.items()
    apart = {_name(each) for extra in APART for each in EXTRA[extra]} - {"veridical"}
    assert apart <= whole.keys() - part.keys()
    wanted = {_name(each) for extra in _all() for each in EXTRA[extra]} - {"veridical"}
    assert wanted <= part.keys()


def test_f3_it_is_not_large() -> None:
    names = _locked("all")
    sizes = {name: _size(name) for name in names}
    assert 1 + len(names) <= MOST_PACKAGES
    assert sum(sizes.values()) <= MOST_BYTES, sorted(sizes, key=sizes.__getitem__)[-10:]


@pytest.mark.parametrize("extra", APART)
def test_f3_what_stays_apart_is_named_where_it_is_missing(tmp_path: Path, extra: str) -> None:
    installed = tuple((_all() & EXTRAS.keys()) - {extra})
    done = python(_TRIED[extra], tmp_path, installed)
    assert f"pip install 'veridical[{extra}]'" in done.stderr.splitlines()[-1], done.stderr
    assert set(INCLUDES.get(extra, ())) <= _all()


def _name(requirement: str) -> str:
    return Requirement(requirement).name


def _size(name: str) -> int:
    assert distribution(name).version
    paths = (Path(str(each.locate())) for each in files(name) or ())
    return sum(path.stat().st_size for path in paths if path.is_file())
