"""Loads skills: of packs, of requested sets, and of the project itself.

Loading reads text and runs nothing: a validator is a name until an answer is judged.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from pydantic import ValidationError

from veridical.contracts.settings_file import UnknownSettingError, table
from veridical.ontology.errors import LoadError
from veridical.ontology.pack import Pack
from veridical.skills.fault import Fault, SkillError, faults_of
from veridical.skills.front_matter import FrontMatterError, read_front_matter
from veridical.skills.skill import Header, Skill

FILE = "SKILL.md"
GROUP = "veridical.skills"
"""The entry points under which packages offer sets of skills, each a folder."""
_LARGEST = 200_000
TABLE = "skills"
_PATHS = "paths"
_SETS = "sets"
_KEYS = frozenset({_PATHS, _SETS})


def load_skills(
    folders: Iterable[Path] = (), packs: Iterable[Pack] = (), sets: Iterable[str] = ()
) -> tuple[Skill, ...]:
    """All skills of these sources, by name. Raises ``SkillError`` with every fault at once."""
    found = [skill for name in dict.fromkeys(sets) for skill in skill_set(name)]
    faults: list[Fault] = []
    sources = [*(pack.skills for pack in packs if pack.skills), *folders]
    for path in dict.fromkeys(file for folder in sources for file in skill_files(folder)):
        try:
            found.append(load_skill(path))
        except SkillError as error:
            faults += error.faults
    faults += _duplicates(found)
    if faults:
        raise SkillError(faults)
    return tuple(sorted(found, key=lambda skill: skill.name))


@cache
def skill_set(name: str) -> tuple[Skill, ...]:
    """The skills of an installed set; ``examples`` ships with Veridical. Raises ``LoadError``,
    which names the known ones."""
    for point in entry_points(group=GROUP, name=name):
        return tuple(load_skill(path) for path in skill_files(Path(point.load())))
    known = ", ".join(skill_sets()) or "-"
    raise LoadError(f"no set of skills {name!r}; installed: {known}")


def skill_sets() -> tuple[str, ...]:
    """The names of all installed sets."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def skill_files(source: Path) -> tuple[Path, ...]:
    """The ``SKILL.md`` files behind a path: the file itself, the one in this folder, or those in
    its folders. Raises ``SkillError`` where there is none."""
    if source.is_file():
        return (source,)
    if (source / FILE).is_file():
        return (source / FILE,)
    found = tuple(sorted(source.glob(f"*/{FILE}")))
    if not found:
        raise SkillError([Fault(str(source), "no_skills")])
    return found


def load_skill(path: Path) -> Skill:
    """The skill in this file. Raises ``SkillError`` with every fault of the file."""
    shown = str(path)
    text = _text(path)
    try:
        read = read_front_matter(text)
    except FrontMatterError as error:
        fault = Fault(shown, error.reason, error.line, values=error.values)
        raise SkillError([fault]) from error
    try:
        header = Header.model_validate(read.content)
    except ValidationError as error:
        raise SkillError(faults_of(error, shown, read.lines)) from error
    faults = list(_beyond_the_header(header, read.body, path, read.lines.get(("name",), 1)))
    if faults:
        raise SkillError(faults)
    return Skill(**dict(header), instructions=read.body, path=shown)


def configured_folders(settings: Path) -> tuple[Path, ...]:
    """The folders that ``[skills] paths`` of this settings file names, relative to the file."""
    return tuple(settings.parent / each for each in _listed(settings, _PATHS))


def configured_sets(settings: Path) -> tuple[str, ...]:
    """The sets that ``[skills] sets`` of this settings file names."""
    return _listed(settings, _SETS)


def _listed(settings: Path, name: str) -> tuple[str, ...]:
    try:
        section = table(settings, TABLE) or {}
    except (OSError, ValueError) as error:
        raise LoadError(f"{settings} can't be read: {error}") from error
    if isinstance(section, dict) and (unknown := section.keys() - _KEYS):
        raise UnknownSettingError(settings, [f"{TABLE}.{each}" for each in sorted(unknown)], _KEYS)
    listed = section.get(name, []) if isinstance(section, dict) else None
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise LoadError(f"{settings}: [{TABLE}] {name} must be a list of texts")
    return tuple(listed)


def _text(path: Path) -> str:
    try:
        content = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise SkillError([Fault(str(path), "unreadable", values={"problem": reason})]) from error
    if len(content) > _LARGEST:
        raise SkillError([Fault(str(path), "too_large", values={"most": _LARGEST // 1000})])
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise SkillError([Fault(str(path), "not_utf8", line)]) from error


def _beyond_the_header(header: Header, body: str, path: Path, line: int) -> Iterator[Fault]:
    folder = path.resolve().parent.name
    if path.name == FILE and folder != header.name:
        yield Fault(str(path), "other_folder", line, "name", {"folder": folder})
    if not body:
        yield Fault(str(path), "no_instructions")


def _duplicates(skills: Iterable[Skill]) -> Iterator[Fault]:
    first: dict[str, Skill] = {}
    for skill in skills:
        other = first.setdefault(skill.name, skill)
        if other is not skill:
            values = {"name": skill.name, "other": other.path}
            yield Fault(skill.path, "duplicate", key="name", values=values)
