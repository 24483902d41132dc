"""The evaluation environment of ACME insurance, with an imported ontology.

The data stays where it is. The folder has ``acme_dataworld`` (script, CSV files, questions with
their SQL) and ``acme_dbt`` (a dbt project about the same tables).
"""

from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from benchmarks.laboratory.acme.books import books_oracle, open_books
from benchmarks.laboratory.acme.gold import NAME, acme_set, read_inquiries
from benchmarks.laboratory.acme.ontology import as_hints, fitted
from veridical.contracts.schema import Schema
from veridical.evals.gold.case import GoldSet
from veridical.evals.gold.oracle import RunSql
from veridical.evals.modes.environment import EvalEnvironment, open_environment
from veridical.ontology.errors import LoadError
from veridical.ontology.importers import ImportFailed, import_ontology
from veridical.ontology.pack import Pack

_INSURANCE = Path("acme_dataworld/ACME_Insurance")
_SCRIPT = _INSURANCE / "DDL/ACME_small.ddl"
_FILES = _INSURANCE / "data"
_QUESTIONS = _INSURANCE / "investigation/acme-benchmark.ttl"
_MODELS = Path("acme_dbt/semantic_project/models/omg_semantics")
_EVERY_TABLE = frozenset({"*"})


@contextmanager
def acme_environment(data: Path) -> Generator[tuple[GoldSet, EvalEnvironment]]:
    """The questions and their environment. Raises ``LoadError`` with the missing files."""
    gold, truth = _questions(data)
    with closing(open_books(data / _SCRIPT, data / _FILES)) as database:
        yield gold, open_environment(acme_pack(data, database.reflect()), database, truth)


def acme_questions(data: Path) -> GoldSet:
    """The questions alone. Raises ``LoadError``."""
    return _questions(data)[0]


def _questions(data: Path) -> tuple[GoldSet, RunSql]:
    missing = missing_data(data)
    if missing:
        raise LoadError(f"the ACME data is not at {data}: no {missing}")
    truth = books_oracle(data / _SCRIPT, data / _FILES)
    return acme_set(read_inquiries(data / _QUESTIONS), truth), truth


def acme_pack(data: Path, schema: Schema) -> Pack:
    """The pack of these tables from the dbt project."""
    try:
        imported = import_ontology(data / _MODELS, "dbt-legacy").ontology
    except ImportFailed as error:
        raise LoadError(str(error)) from error
    ontology = fitted(imported, schema).model_copy(update={"feature_code": NAME})
    hints = as_hints(ontology)
    return Pack(
        name=NAME,
        ontology=ontology.model_copy(update={"domain_hints": hints}),
        schema=schema,
        domain_hints=hints,
        shared_tables=_EVERY_TABLE,
    )


def missing_data(data: Path) -> str:
    """The missing files of the data; empty when it is complete."""
    return ", ".join(
        str(part) for part in (_SCRIPT, _FILES, _QUESTIONS, _MODELS) if not (data / part).exists()
    )
