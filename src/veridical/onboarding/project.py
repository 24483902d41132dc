"""Writes a project: the ontology, the settings, the gold questions. Edited files stay."""

import hashlib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from veridical.contracts.language import Language
from veridical.contracts.schema import Schema
from veridical.contracts.settings_file import SETTINGS_FILE, table
from veridical.engines.address import scheme_of
from veridical.engines.registry import engine_of
from veridical.onboarding.draft import draft_ontology
from veridical.onboarding.findings import Findings
from veridical.onboarding.gold import draft_gold
from veridical.onboarding.look import Look
from veridical.onboarding.questions.draft import draft_patterns
from veridical.onboarding.record import FOLDER
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import ontology_text, questions_path
from veridical.ontology.yaml_text import yaml_text

ONTOLOGY, GOLD = "ontology.yaml", "gold.yaml"
QUESTIONS = questions_path(Path(ONTOLOGY)).name
"""Known questions, apart from what is known of the data."""
_FEATURES = "features"
_HASHES = "written.txt"
_UNFIT = re.compile(r"[^A-Za-z0-9_.-]+")
_DRAFT = ".new"
_TABLE = re.compile(r"^(?=\[)", re.M)


@dataclass(frozen=True)
class Address:
    """The address of the data for the settings."""

    name: str
    """The name of the feature."""
    database: str
    """The address, or the environment variable with it."""
    role: str = ""
    """Empty if the engine has no roles."""
    variable: str = ""
    """Set if the address has a password."""
    schemas: tuple[str, ...] = ()
    """Empty if the usual one is read."""


@dataclass(frozen=True)
class Written:
    """The written files, and those that were edited, with the draft beside them."""

    files: tuple[str, ...]
    kept: tuple[tuple[str, str], ...] = ()


def address_of(source: str, name: str = "", role: str = "") -> Address:
    """The address of a source in the settings, with this role or else the login."""
    kind = engine_of(source) if scheme_of(source) is not None else None
    parts = urlsplit(source)
    has_password = parts.password is not None or "password" in parse_qs(parts.query)
    if kind is None or not (parts.netloc or has_password):
        found = name or _fit(Path(source.rpartition("/")[2] or source).stem)
        return Address(found, source)
    found = name or _fit(parts.path.strip("/").split("/")[0]) or "data"
    login = role or parts.username or "" if kind.has_roles else ""
    if not has_password:
        return Address(found, source, login)
    variable = f"{_UNFIT.sub('_', found).upper()}_DATABASE_URL".replace("-", "_").replace(".", "_")
    return Address(found, variable, login, variable)


def drafted(name: str, look: Look, schema: Schema, dialect: str) -> OntologyDescriptor:
    """The ontology of a look, with its possible known questions."""
    ontology = draft_ontology(name, look.tables, look.proposals)
    known = Findings.of_record(look.tables, look.proposals)
    patterns = draft_patterns(known, schema, dialect)
    return ontology.model_copy(update={"canonical_patterns": patterns})


def write_project(
    project: Path,
    address: Address | None,
    ontology: OntologyDescriptor,
    dialect: str,
    language: Language,
    cases: Sequence[dict[str, Any]] = (),
    settings: Path | None = None,
) -> Written:
    """Writes all files. One that was changed since it was written stays, with a draft beside it.

    Without an address there are no settings; the cases go to the gold questions. The settings are
    in the same folder, or in the file that is named, somewhere above it.
    """
    project.mkdir(parents=True, exist_ok=True)
    patterns = ontology.canonical_patterns
    bare = ontology.model_copy(update={"canonical_patterns": ()})
    texts = {ONTOLOGY: ontology_text(bare, ".yaml")}
    if patterns:
        known_questions = OntologyDescriptor(
            feature_code=ontology.feature_code, canonical_patterns=patterns
        )
        texts[QUESTIONS] = ontology_text(known_questions, ".yaml")
    gold = draft_gold(ontology, language, dialect, date.today(), cases)
    if gold is not None:
        texts[GOLD] = yaml_text(gold)
    files: list[str] = []
    kept: list[tuple[str, str]] = []
    hashes = _hashes(project)
    for name, text in texts.items():
        place = project / name
        edited = place.is_file() and _hash(place.read_text("utf-8")) != hashes.get(name)
        if edited and place.read_text("utf-8") != text:
            draft = f"{place.stem}{_DRAFT}{place.suffix}"
            (project / draft).write_text(text, "utf-8")
            kept.append((name, draft))
            continue
        place.write_text(text, "utf-8")
        hashes[name] = _hash(text)
        files.append(name)
    _remember(project, hashes)
    path = settings or project / SETTINGS_FILE
    if address and _write_settings(path, project, address, has_gold=gold is not None):
        files.append(str(SETTINGS_FILE))
    return Written(tuple(files), tuple(kept))


def rewrite(project: Path, name: str, text: str) -> None:
    """Writes one file anew. An unedited file still counts as such."""
    path = project / name
    hashes = _hashes(project)
    own = path.is_file() and _hash(path.read_text("utf-8")) == hashes.get(name)
    path.write_text(text, "utf-8")
    if own:
        _remember(project, {**hashes, name: _hash(text)})


def _write_settings(path: Path, project: Path, address: Address, *, has_gold: bool) -> bool:
    """Adds the feature to the settings, unless it is there."""
    below = project.relative_to(path.parent)
    known = table(path, _FEATURES) or ()
    if any(each.get("name") == address.name for each in known):
        return False
    lines = [f"[[{_FEATURES}]]", f"name = {_quoted(address.name)}"]
    lines.append(f"database = {_quoted(address.database)}")
    if address.schemas:
        lines.append(f"schemas = [{', '.join(map(_quoted, address.schemas))}]")
    if address.role:
        lines.append(f"role = {_quoted(address.role)}")
    lines.append(f"ontology = {_quoted((below / ONTOLOGY).as_posix())}")
    if has_gold:
        lines.append(f"gold = {_quoted((below / GOLD).as_posix())}")
    before = path.read_text("utf-8").rstrip() + "\n\n" if path.is_file() else ""
    path.write_text(before + "\n".join(lines) + "\n", "utf-8")
    return True


def remove_from_settings(path: Path, name: str) -> dict[str, Any] | None:
    """Removes a feature and returns its settings. None where its lines can't be told apart from
    the others, or where it is not there: then the file stays."""
    text = path.read_text("utf-8") if path.is_file() else ""
    before = tomllib.loads(text)
    known = before.get(_FEATURES, [])
    found = next((each for each in known if each.get("name") == name), None)
    if found is None:
        return None
    left = _without(text, name)
    wanted = {**before, _FEATURES: [each for each in known if each is not found]}
    try:
        if {_FEATURES: [], **tomllib.loads(left)} != wanted:
            return None
    except tomllib.TOMLDecodeError:
        return None
    path.write_text(left, "utf-8")
    return found


def _without(text: str, name: str) -> str:
    """The text without the lines of this feature and of its tables."""
    kept: list[str] = []
    is_gone = False
    for part in _TABLE.split(text):
        if part.startswith(f"[[{_FEATURES}]]"):
            is_gone = f"name = {_quoted(name)}\n" in part
        elif not part.startswith(f"[{_FEATURES}."):
            is_gone = False
        if not is_gone:
            kept.append(part)
    return "".join(kept)


def _fit(text: str) -> str:
    """A valid name of a feature."""
    found = _UNFIT.sub("-", text).strip("-.")
    return found if found[:1].isalpha() else f"data-{found}".rstrip("-")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _hashes(project: Path) -> dict[str, str]:
    """The hash of the last written content, by file."""
    path = project / FOLDER / _HASHES
    if not path.is_file():
        return {}
    return dict(line.split(" ", 1) for line in path.read_text("utf-8").splitlines() if " " in line)


def _remember(project: Path, hashes: dict[str, str]) -> None:
    path = project / FOLDER / _HASHES
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{name} {each}\n" for name, each in sorted(hashes.items())), "utf-8")
