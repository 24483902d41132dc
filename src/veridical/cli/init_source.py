"""What ``veridical init`` was given: an engine's data, another tool's model, or nothing of use."""

from codecs import getincrementaldecoder
from pathlib import Path

from veridical.cli.error_reporting import UsageError
from veridical.contracts.language import Language
from veridical.engines.address import scheme_of
from veridical.engines.kind import EngineKind
from veridical.engines.registry import DATA_FILES, engine_of
from veridical.messages import message
from veridical.ontology.importers.files import is_training_data

_READ = 4096
_MODELS = frozenset({".yaml", ".yml"})


def source_engine(source: str, language: Language) -> EngineKind | None:
    """The engine of a source; none for another tool's model, which may be a folder, too.

    Raises ``UsageError``, which says what to do, for what is neither.
    """
    if scheme_of(source) is not None:
        return engine_of(source)
    path = Path(source)
    if not path.exists():
        raise _useless("source_missing", source, language)
    if path.is_dir():
        return _folder_engine(path, source, language)
    if not path.stat().st_size:
        raise _useless("source_empty", source, language)
    if is_training_data(path):
        return None
    found = engine_of(source)
    if found is None and not _is_text(path):
        raise _useless("source_unknown", source, language)
    return found


def _folder_engine(path: Path, source: str, language: Language) -> EngineKind | None:
    if any(each.suffix.lower() in DATA_FILES for each in path.iterdir()):
        return engine_of(source)
    if not any(each.suffix.lower() in _MODELS for each in path.rglob("*")):
        raise _useless("source_without_data", source, language)
    return None


def _is_text(path: Path) -> bool:
    with path.open("rb") as file:
        head = file.read(_READ)
    try:
        text = getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return "\0" not in text


def _useless(problem: str, source: str, language: Language) -> UsageError:
    return UsageError(message(f"onboarding.{problem}", language, source=source))
