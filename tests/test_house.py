"""The conventions of the house, each as a test: where one is broken, the message says where."""

import ast
import importlib
import json
import re
import string
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "veridical"
LONGEST_FILE = 400
LANGUAGES = {"de", "en", "zh"}
FORBIDDEN_MODULES = {"utils", "util", "manager", "base", "helpers", "common", "misc"}
WITH_WORDS = {
    "console/page.py": "the names of the languages",
    "contracts/question.py": "letters that show nothing",
    "messages/hints.py": "ends of sentences, below where marks are kept",
    "ontology/lines.py": "ends of sentences, below where marks are kept",
    "ontology/name_kinds.py": "brackets, below where marks are kept",
}
"""The files of code that have words or marks of German or Chinese, and which; at most ten."""
_EAST_ASIAN = re.compile(r"[\u2e81-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_CLASS = re.compile(r"\[[^\]\s]*\]|\\.")
"""What stands for one sign within an expression."""
_ALSO_IN_CODE = {"bin", "lag", "lang", "links", "mal", "man", "pro"}
VAGUE_NAMES = frozenset({"told", "said", "spoken", "heard", "asked"})
MOST_VAGUE_NAMES = 100
CATALOGUES = sorted((SOURCE / "messages").glob("*.toml"))
_BUILT = {"__pycache__", "vendor"}


def _python_files() -> list[Path]:
    return sorted(
        path
        for folder in ("src", "tests", "benchmarks", "examples")
        for path in (ROOT / folder).rglob("*.py")
    )


def _own_files() -> Iterator[Path]:
    folders = ("src", "tests", "benchmarks", "examples", "docs", "requirements", ".ci")
    for path in (*ROOT.iterdir(), *(path for name in folders for path in (ROOT / name).rglob("*"))):
        if path.is_file() and not _BUILT & set(path.parts) and path.name != ".git":
            yield path


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def test_files_stay_short() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in _python_files()}
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}


def test_modules_are_named_after_what_they_hold() -> None:
    assert [path for path in SOURCE.rglob("*") if path.stem in FORBIDDEN_MODULES] == []


def test_vague_names_stay_few() -> None:
    """Names say what they hold: ``text``, ``question``, ``settings``. What is left are wire fields,
    stored keys and public names."""
    uses = {
        str(path.relative_to(SOURCE)): found
        for path in sorted(SOURCE.rglob("*.py"))
        if (found := sum(map(_vague_parts, _identifiers(path))))
    }
    assert sum(uses.values()) <= MOST_VAGUE_NAMES, uses


def _vague_parts(identifier: str) -> int:
    return sum(part in VAGUE_NAMES for part in identifier.lower().split("_"))


def _identifiers(path: Path) -> Iterator[str]:
    """Every use of a name in the code: names, attributes, arguments, functions and classes."""
    for node in ast.walk(_tree(path)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case _:
                pass


def test_imports_point_one_way() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_carries_no_tests_and_no_laboratory() -> None:
    testing = SOURCE / "testing"
    assert [
        (str(path.relative_to(SOURCE)), name)
        for path in SOURCE.rglob("*.py")
        for name in _imported(path)
        if name.split(".")[0] in {"benchmarks", "tests"}
        or (name.startswith("veridical.testing") and testing not in path.parents)
    ] == []


def _imported(path: Path) -> Iterator[str]:
    """The modules that a file imports, wherever it does, and the names that it takes of them."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{each.name}" for each in node.names)


def test_public_names_are_sorted_and_documented() -> None:
    package = importlib.import_module("veridical")
    names: list[str] = package.__all__
    assert names
    assert names == sorted(names)
    assert [name for name in names if not getattr(package, name).__doc__] == []
    page = (ROOT / "docs/reference/python.md").read_text("utf-8")
    assert [name for name in names if f"`{name}`" not in page] == []


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_messages_exist_in_every_language_with_the_same_placeholders(catalogue: Path) -> None:
    for name, texts in tomllib.loads(catalogue.read_text("utf-8")).items():
        assert set(texts) == LANGUAGES, name
        assert len({frozenset(_placeholders(text)) for text in texts.values()}) == 1, name


def _placeholders(text: str) -> Iterator[str]:
    return (name for _, name, _, _ in string.Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.stem)
def test_messages_are_natural(catalogue: Path) -> None:
    lines = (ROOT / "tests/unnatural_phrases.txt").read_text("utf-8").splitlines()
    phrases = [line.casefold() for line in lines if line and not line.startswith("#")]
    found = {
        (name, phrase)
        for name, texts in tomllib.loads(catalogue.read_text("utf-8")).items()
        for text in texts.values()
        for phrase in phrases
        if phrase in text.casefold()
    }
    assert phrases
    assert found == set()


def test_every_message_that_is_said_exists() -> None:
    known = {
        f"{catalogue.stem}.{name}"
        for catalogue in CATALOGUES
        for name in tomllib.loads(catalogue.read_text("utf-8"))
    }
    said = {
        (str(path.relative_to(ROOT)), argument.value)
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "message"
        for argument in node.args[:1]
        if isinstance(argument, ast.Constant)
    }
    assert said
    assert {(path, key) for path, key in said if key not in known} == set()


def test_words_of_a_language_are_data() -> None:
    german = _german()
    assert {"keine", "welche", "oder"} <= german
    found = {
        str(path.relative_to(SOURCE)): (line, text)
        for path in SOURCE.rglob("*.py")
        if "packs" not in path.parts
        for line, text in _texts(path)
        if _EAST_ASIAN.search(text) or not german.isdisjoint(_words(_CLASS.sub(" ", text)))
    }
    assert {path: where for path, where in found.items() if path not in WITH_WORDS} == {}
    assert found.keys() == WITH_WORDS.keys()
    assert len(WITH_WORDS) <= 10


def _german() -> set[str]:
    """Small words, and those of our German messages, that English doesn't have."""
    small = tomllib.loads((SOURCE / "reading/language.toml").read_text("utf-8"))
    texts = [
        small,
        *(
            each
            for catalogue in CATALOGUES
            for each in tomllib.loads(catalogue.read_text("utf-8")).values()
        ),
    ]
    german, english = (_words(" ".join(each[name] for each in texts)) for name in ("de", "en"))
    return german - english - _ALSO_IN_CODE


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a file by line, also within f-strings; not those that document."""
    tree = _tree(path)
    documenting = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if id(node) in documenting or not isinstance(node, ast.Constant):
            continue
        if isinstance(node.value, str):
            yield node.lineno, node.value


def test_only_the_checker_can_seal_a_query() -> None:
    allowed = {SOURCE / "contracts/checked.py", SOURCE / "check/checker.py"}
    assert [
        path for path in SOURCE.rglob("*.py") if path not in allowed and _speaks_of_seal(path)
    ] == []


def _speaks_of_seal(path: Path) -> bool:
    return any(
        (isinstance(node, ast.alias) and node.name in {"SEAL", "Seal"})
        or (isinstance(node, ast.Attribute) and node.attr == "SEAL")
        or (isinstance(node, ast.Constant) and node.value == "SEAL")
        for node in ast.walk(_tree(path))
    )


def test_dependencies_page_lists_exactly_what_is_declared() -> None:
    page = (ROOT / "docs/dependencies.md").read_text("utf-8")
    rows = re.findall(r"^\| `([^`]+)` \| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$", page, re.M)
    assert {(name, versions) for name, versions, _, _ in rows} == set(_declared())
    assert all(licence.strip() and reason.strip() for _, _, licence, reason in rows)


def _declared() -> Iterator[tuple[str, str]]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = (
        project["project"]["dependencies"],
        *project["project"]["optional-dependencies"].values(),
        *project["dependency-groups"].values(),
    )
    for requirement in (each for group in groups for each in group):
        found = re.fullmatch(r"([\w.-]+)(?:\[[^]]*])?(.*)", requirement)
        assert found
        if found[1] != "veridical":
            yield found[1], found[2] or "any"
    scripts = json.loads((ROOT / "assets/package.json").read_text("utf-8"))
    yield from (scripts["dependencies"] | scripts["devDependencies"]).items()


@pytest.mark.parametrize(
    "lock", sorted((ROOT / "requirements").glob("*.txt")), ids=lambda p: p.stem
)
def test_locks_are_hashed_and_name_no_index(lock: Path) -> None:
    text = lock.read_text("utf-8")
    assert "://" not in text
    assert " @ " not in text
    assert not re.search(r"^-", text, re.M)
    pinned = dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.M))
    packages = re.split(r"^(?=[\w])", text, flags=re.M)[1:]
    assert all("--hash=sha256:" in package for package in packages)
    if lock.stem != "site":
        assert pinned["sqlglotc"] == pinned["sqlglot"]


def test_what_builds_the_site_fits_beside_everything_else() -> None:
    pinned = {
        name: dict(re.findall(r"^([\w.-]+)==(\S+)", _lock(name), re.M)) for name in ("dev", "site")
    }
    both = pinned["dev"].keys() & pinned["site"].keys()
    assert both
    assert {each for each in both if pinned["dev"][each] != pinned["site"][each]} == set()


def _lock(name: str) -> str:
    return (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")


def test_no_file_knows_the_machine_it_was_written_on() -> None:
    places = {f"{place}/" for place in (ROOT, Path.home()) if place != Path("/")}
    texts = {path: path.read_text("utf-8", errors="replace") for path in _own_files()}
    assert [path for path, text in texts.items() if any(place in text for place in places)] == []
