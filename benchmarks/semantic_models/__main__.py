"""Imports of semantic models: ``python -m benchmarks.semantic_models --data DIR --json``.

``DIR/bi_models`` has public models, and ``expected.jsonl`` with facts that a person read in them.
A fact is *kept* where the ontology has it, *reported* where a note names what is lost, else
*silent*. ``recall`` is the share that is kept or reported. ``--misses`` prints the silent ones.
``round_trip`` counts the ontologies that come back from Ossie as they were, to the hash.
"""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from benchmarks.command import command, show
from benchmarks.data import read_lines
from benchmarks.semantic_models.judged import Outcome, judge
from veridical.ontology.exporters import export_ontology
from veridical.ontology.importers import Imported, ImportFailed, import_ontology
from veridical.ontology.model import OntologyDescriptor

_JUDGEMENT = "sum_of_non_additive"
"""Facts that the source does not state: the collector saw that a sum makes no sense."""
_FORMATS = ("lookml", "tmdl", "dbt", "ossie", "cube", "metric_views")


def main() -> None:
    """Prints the figures."""
    parser = command(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with bi_models")
    parser.add_argument("--formats", nargs="*", default=_FORMATS, help="only these formats")
    parser.add_argument("--misses", action="store_true", help="print the silent facts")
    chosen = parser.parse_args()
    show(measure(chosen.data / "bi_models", chosen.formats, misses=chosen.misses), chosen)


def measure(folder: Path, formats: tuple[str, ...], *, misses: bool = False) -> dict[str, Any]:
    """The outcomes of all facts, by format and kind."""
    facts = list(read_lines(folder / "expected.jsonl"))
    models = sorted({fact["model"] for fact in facts if fact["model"].split("/")[0] in formats})
    counts: dict[str, Counter[str]] = {}
    unread: dict[str, str] = {}
    seconds, opinions = 0.0, 0
    back: list[bool] = []
    for model in models:
        start = perf_counter()
        try:
            imported: Imported | None = import_ontology(folder / model)
        except ImportFailed as error:
            imported, unread[model] = None, str(error).partition(";")[0][:120]
        seconds += perf_counter() - start
        back += [survives_ossie(each) for each in _ontologies(folder / model, imported)]
        for fact in (each for each in facts if each["model"] == model):
            found = imported or _alone(folder / fact["source_file"])
            outcome = judge(fact, found) if found else Outcome.SILENT
            name = model.split("/")[0]
            opinions += outcome is Outcome.SILENT and fact["value"].startswith(_JUDGEMENT)
            for key in ("all", name, f"{name} {fact['kind']}"):
                counts.setdefault(key, Counter())[outcome] += 1
            if misses and outcome is Outcome.SILENT:
                print(f"{model} {fact['kind']} {fact['table']}.{fact['field']}: {fact['value']}")
    return {
        "models": len(models),
        "unread": unread,
        "seconds": round(seconds, 1),
        "all": _shares(counts.pop("all", Counter())),
        "silent_judgements": opinions,
        "round_trip": {"ontologies": len(back), "the_same": sum(back)},
        "formats": {name: _shares(each) for name, each in counts.items() if " " not in name},
        "kinds": {name: _shares(each) for name, each in counts.items() if " " in name},
    }


def _ontologies(folder: Path, imported: Imported | None) -> list[OntologyDescriptor]:
    """The ontology of a folder, or those of its files where they don't belong together."""
    if imported is not None:
        return [imported.ontology]
    return [found.ontology for file in sorted(folder.rglob("*.yaml")) if (found := _alone(file))]


def survives_ossie(ontology: OntologyDescriptor) -> bool:
    """True if the ontology that is written as Ossie and read again is the same."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "model.yaml")
        file.write_text(export_ontology(ontology, "ossie").text, "utf-8")
        back = import_ontology(file).ontology
    return back == ontology and back.hash == ontology.hash


@cache
def _alone(file: Path) -> Imported | None:
    """The file by itself, where its folder holds what does not belong together."""
    try:
        return import_ontology(file)
    except ImportFailed:
        return None


def _shares(counts: Mapping[str, int]) -> dict[str, float | int]:
    total = sum(counts.values()) or 1
    kept, reported = counts.get(Outcome.KEPT, 0), counts.get(Outcome.REPORTED, 0)
    return {
        "facts": total,
        "kept": kept,
        "reported": reported,
        "recall": round((kept + reported) / total, 4),
    }


if __name__ == "__main__":
    main()
