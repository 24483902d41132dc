"""Exhibits from the rows of a tool that the check does not know: a pack's, or an embedder's."""

from collections.abc import Iterator

from veridical.contracts.answer import Source
from veridical.contracts.lineage import OriginKind
from veridical.evidence.exhibit import Exhibit, Measure
from veridical.gate.evidence.read_cells import Named, keep_read_cells
from veridical.gate.evidence.source import Meaning

_BY_TOOL = frozenset({OriginKind.TOOL, OriginKind.PASSAGE})


def is_from_tool(source: Source) -> bool:
    """True if the host recorded these rows as given by such a tool.

    Its arguments are then no query: one called ``sql`` or ``filters`` means what the tool defines.
    """
    lineage = source.receipt.lineage
    return lineage is not None and any(each.kind in _BY_TOOL for each in lineage.columns)


def exhibits_of_tool(source: Source, meaning: Meaning, named: Named) -> Iterator[Exhibit]:
    """The rows as one exhibit; where they hold running text, one exhibit for each row."""
    receipt = source.receipt
    labels = {name: meaning.labels[name] for name in source.columns if name in meaning.labels}
    table = Exhibit(
        name=source.tool,
        columns=source.columns,
        rows=source.rows,
        measures={
            name: Measure(labels=found, label=meaning.titles.get(name, ""))
            for name, found in labels.items()
        },
        held=receipt.held,
        row_count=None if receipt.truncated else receipt.row_count,
        truncated=receipt.truncated,
        emptiness=receipt.emptiness,
    )
    origins = receipt.lineage.over(len(source.columns)) if receipt.lineage else ()
    if not all(named(each) for origin in origins for each in origin.constants):
        yield Exhibit(name=source.tool)  # made of figures that the model alone wrote
        return
    read = keep_read_cells(table, receipt.lineage, named)
    texts = {at for at, each in enumerate(origins) if each.kind is OriginKind.PASSAGE}
    if not texts or not read.rows:
        yield read
        return
    for row in read.rows:
        yield Exhibit(
            name=read.name,
            columns=tuple(name for at, name in enumerate(read.columns) if at not in texts),
            rows=(tuple(cell for at, cell in enumerate(row) if at not in texts),),
            text="\n\n".join(str(row[at]) for at in sorted(texts) if row[at] is not None),
            measures=read.measures,
            held=read.held,
            truncated=read.truncated,
            emptiness=read.emptiness,
        )
