"""A bare list of questions as a gold set: what the list does not say comes from the pack.

The feature is the one of ``veridical.toml``, else the pack with the tables of the expected calls;
the day and the tenant are those of the pack's own gold sets.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from veridical.contracts.language import Language
from veridical.host.settings import read_runtime_settings
from veridical.ontology.compile import schema_of
from veridical.ontology.errors import LoadError
from veridical.ontology.ontology_file import document_from, file_text
from veridical.ontology.pack import PackNotFoundError, load_pack, pack_names
from veridical.reading.language import language_of

_OF_THE_SET = ("today", "tenant", "tenantNames")


def as_gold_set(cases: Sequence[Any], path: Path) -> dict[str, Any]:
    """The set of a list of cases. Raises ``LoadError`` where its feature is not clear."""
    feature = _feature(cases, path)
    written = datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
    return {
        "name": path.stem,
        "feature": feature,
        "today": written,
        **_usual(feature),
        "cases": [_with_language(each) for each in cases],
    }


def _with_language(case: Any) -> Any:
    if not isinstance(case, dict) or "language" in case:
        return case
    return {**case, "language": language_of(str(case.get("question", "")), Language.EN)}


def _feature(cases: Sequence[Any], path: Path) -> str:
    configured = [each.name for each in read_runtime_settings().features]
    tables = set(_tables(cases))
    having = _smallest(name for name in pack_names() if tables and tables <= _tables_of(name))
    fitting = configured if len(configured) == 1 else having
    if len(fitting) != 1:
        known = ", ".join(fitting or configured or pack_names())
        raise LoadError(f"{path}: a list of questions needs one feature, and there are {known}")
    return fitting[0]


def _tables(cases: Sequence[Any]) -> Iterator[str]:
    for case in cases:
        pattern = case.get("expectedToolPattern") if isinstance(case, dict) else None
        table = pattern.get("tableName") if isinstance(pattern, dict) else None
        if isinstance(table, str) and table:
            yield table


def _tables_of(pack: str) -> set[str]:
    loaded = load_pack(pack)
    return {*loaded.schema.tables, *schema_of(loaded.ontology).tables}


def _smallest(packs: Iterable[str]) -> list[str]:
    """Of packs with the same tables the one that the others add to."""
    found: dict[frozenset[str], str] = {}
    for name in sorted(packs, key=lambda each: len(load_pack(each).ontology.model_dump_json())):
        found.setdefault(frozenset(_tables_of(name)), name)
    return list(found.values())


def _usual(feature: str) -> dict[str, Any]:
    """The day and the tenant of the pack's own gold sets, where it has any."""
    try:
        folder = load_pack(feature).gold
    except PackNotFoundError:
        return {}
    first = next(iter(sorted(folder.glob("*.yaml"))), None) if folder else None
    if first is None:
        return {}
    known = document_from(file_text(first), str(first)).value
    return {key: known[key] for key in _OF_THE_SET if key in known}
