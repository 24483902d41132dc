"""A feature of data files: CSV, Excel and Parquet, each with its own tables."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from veridical.answering.feature import Feature, open_feature
from veridical.contracts.schema import Schema
from veridical.contracts.source_kind import SourceKind
from veridical.contracts.tool import OutsideTool
from veridical.engines.data_file import DataFile, open_data_files, table_names
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.pack import Pack
from veridical.tools.file_shelf import OpenedFiles, OpenFile

FILES = "files"
"""The name of a feature for files that a caller brings along."""


def bare_pack(name: str) -> Pack:
    """The pack of data without a description."""
    return Pack(name, OntologyDescriptor(feature_code=name), Schema({}))


def open_file_feature(
    files: Sequence[DataFile], pack: Pack | None = None, *, tools: Iterable[OutsideTool] = ()
) -> Feature:
    """The feature of these files, whose names differ. Its owner closes its database."""
    names = table_names(files)
    database = open_data_files({each.name: each for each in files}, names)
    try:
        opened = open_feature(pack or bare_pack(FILES), database, tools=tools)
    except BaseException:
        database.close()
        raise
    shelf = OpenedFiles(
        {each.name: OpenFile(opened.checker, opened.engine, names[each.name]) for each in files}
    )
    return replace(opened, kind=SourceKind.FILE, files=shelf)
