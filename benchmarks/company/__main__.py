"""A company's database, as it is: are wrong statements told from right ones, is no right one hurt?

    python -m benchmarks.company [--data DIR] [--set NAME...] --json
    python -m benchmarks.company --db FOLDER [--ontology FILE] --json

FOLDER has ``company.sqlite``, ``dictionary.md``, ``questions.jsonl``, ``gold.jsonl`` and
``traps.jsonl``; FILE is the ontology that somebody wrote from the dictionary. Without one, the
sets that lie beside this module are built and measured, with ``ontologies/NAME.yaml``, and
``company`` of the data folder. A pair is told apart where its wrong statement is refused or warned
about and nothing is said of the right one. Right statements are the gold ones, their alternatives
and all rewrites that return the same. A refusal or a warning that equal rows settle does not count,
as in the product; ``settled`` counts right statements, ``traps_settled`` wrong ones, of which there
should be none. ``ms_each`` is the check's own time. The last line printed is one JSON object.
"""

from collections import Counter
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from rich.progress import track

from benchmarks.command import command, show
from benchmarks.company.set import HERE, Company, archives, company_in, unpacked
from benchmarks.onboarding.mined import mined
from benchmarks.onboarding.traps import told_apart
from veridical.check.checker import Checker
from veridical.check.contested import contested, doubted
from veridical.contracts.call import SqlCall
from veridical.contracts.caller import Caller
from veridical.contracts.violation import Refusal, Violation
from veridical.engines import Engine
from veridical.engines.sqlite import Sqlite
from veridical.ontology.catalog import Catalog
from veridical.ontology.compile import compile_catalog
from veridical.ontology.load import load_ontology
from veridical.ontology.model import OntologyDescriptor
from veridical.tools.contested_call import settlement

OWN = "company"
"""The set of the data folder; all its statements were read while the rules were written."""
_SHOWN = 20


def main() -> None:
    """Print the figures."""
    parser = command(__doc__, smoke="single rewrites of one set")
    parser.add_argument("--data", type=Path, help=f"the folder with {OWN}")
    parser.add_argument("--set", action="append", choices=archives(), help="only this one")
    parser.add_argument("--db", type=Path, help="another database of the same form")
    parser.add_argument("--ontology", type=Path, help="its ontology")
    parser.add_argument("--statements", action="store_true", help="name those that were hurt")
    options = parser.parse_args()
    with TemporaryDirectory() as place:
        found = _measured(options, Path(place))
    show(found, options)


def _measured(options: Any, place: Path) -> dict[str, Any]:
    if options.db is not None:
        folders = [(options.db, options.ontology)]
    else:
        names = options.set or (archives()[:1] if options.smoke else archives())
        folders = [(unpacked(name, place), _by_hand(name)) for name in names]
        if options.data is not None and not options.set:
            folders.append((options.data / OWN, options.ontology or _by_hand(OWN)))
    return {
        company.name: figures_of(company, ontology, options.statements)
        for folder, ontology in folders
        for company in [company_in(folder, paired=not options.smoke)]
    }


def _by_hand(name: str) -> Path | None:
    path = HERE / "ontologies" / f"{name}.yaml"
    return path if path.is_file() else None


def figures_of(company: Company, ontology: Path | None, statements: bool) -> dict[str, Any]:
    """All figures of one database: with the schema alone, as mined, confirmed, and by hand."""
    with closing(Sqlite(company.database)) as database:
        found = mined(company.name, database)
        known: dict[str, OntologyDescriptor | None] = {
            "schema_alone": None,
            "untouched": found.untouched(),
            "confirmed": found.confirmed(),
        }
        if ontology is not None:
            known["by_hand"] = load_ontology(str(ontology))
        return {
            "pairs": len(company.pairs),
            "right": len(company.right),
            **{
                title: _under(company, compile_catalog(found.schema, each), database, statements)
                for title, each in known.items()
            },
        }


class _Judged(NamedTuple):
    """What the product says of a statement."""

    refused: bool
    settled: bool
    """True for a refusal or a warning that equal rows settled."""
    told: tuple[Violation, ...]
    """Every violation and warning of the check."""
    left: tuple[Violation, ...]
    """Those that no rows settled."""


def _judged(checker: Checker, engine: Engine, sql: str, question: str) -> _Judged:
    call = SqlCall(sql=sql)
    verdict = checker.check(call, question=question)
    if isinstance(verdict, Refusal):
        told = (*verdict.violations, *verdict.warnings)
        found = contested(checker, verdict, call, Caller(), question)
        settled = found is not None and settlement(found, engine) is not None
        return _Judged(not settled, settled, told, () if settled else told)
    doubts = doubted(checker, verdict, question)
    settled = doubts is not None and settlement(doubts, engine) is not None
    mended = doubts.refusal.violations if doubts is not None and settled else ()
    left = tuple(each for each in verdict.warnings if each not in mended)
    return _Judged(False, settled, verdict.warnings, left)


def _under(
    company: Company, catalog: Catalog, database: Sqlite, statements: bool
) -> dict[str, Any]:
    checker = Checker(catalog, "sqlite")
    engine = Engine(database, catalog, shared=("*",))
    databases = {each.database for each in company.pairs}

    def judge(sql: str, question: str) -> tuple[bool, bool]:
        found = _judged(checker, engine, sql, question)
        return found.refused, bool(found.left)

    def check_alone(sql: str, question: str) -> tuple[bool, bool]:
        verdict = checker.check(SqlCall(sql=sql), question=question)
        return isinstance(verdict, Refusal), isinstance(verdict, Refusal)

    apart = told_apart(company.pairs, dict.fromkeys(databases, judge))
    alone = told_apart(company.pairs, dict.fromkeys(databases, check_alone))
    counts: Counter[str] = Counter()
    hurt: list[str] = []
    for each in track(company.right, description=company.name, transient=True):
        found = _judged(checker, engine, each.sql, each.question)
        form = "written" if ":" not in each.form else "rewritten"
        counts.update(
            {
                form: 1,
                f"{form}_refused": found.refused,
                f"{form}_settled": found.settled and not found.refused,
                f"{form}_warned": bool(found.left) and not found.refused,
            }
        )
        if found.told and len(hurt) < _SHOWN:
            codes = ",".join(sorted({each.code.value for each in found.told}))
            mark = " settled" if found.settled else ""
            hurt.append(f"{each.id} {each.form} {codes}{mark} | {each.sql}")
    wrong = [
        pair.id
        for pair in company.pairs
        if _judged(checker, engine, pair.wrong, pair.question).settled
    ]
    right = len(company.right)
    all_warned = counts["written_warned"] + counts["rewritten_warned"]
    return {
        "told_apart": apart["told_apart"],
        "wrong_caught": apart["wrong_caught"],
        "right_refused": counts["written_refused"] + counts["rewritten_refused"],
        "settled": counts["written_settled"] + counts["rewritten_settled"],
        "traps_settled": len(wrong),
        "right_warned": round(all_warned / right, 4) if right else None,
        "refused_as_written": counts["written_refused"],
        "settled_as_written": counts["written_settled"],
        "warned_as_written": counts["written_warned"],
        "ms_each": alone["ms_each"],
        **({"missed": apart["missed"], "hurt": hurt, "wrong_settled": wrong} if statements else {}),
    }


if __name__ == "__main__":
    main()
