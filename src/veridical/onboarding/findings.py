"""The findings so far, for the kinds that build on each other."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from veridical.onboarding.profile import ColumnProfile, TableProfile
from veridical.onboarding.proposal import Proposal, ProposalKind, State
from veridical.onboarding.source import Source


@dataclass
class Findings:
    """The profiles, the database for further counting, and the proposals so far."""

    database: Source | None
    tables: Mapping[str, TableProfile]
    proposals: list[Proposal] = field(default_factory=list[Proposal])
    _places: dict[ProposalKind, dict[str, list[Proposal]]] = field(
        default_factory=dict[ProposalKind, dict[str, list[Proposal]]]
    )

    @staticmethod
    def of_record(tables: Mapping[str, TableProfile], found: Iterable[Proposal]) -> "Findings":
        """Earlier findings without the rejected ones; nothing more can be counted."""
        known = Findings(None, tables)
        known.add(each for each in found if each.state is not State.REJECTED)
        return known

    @property
    def source(self) -> Source:
        """The database, for further counting."""
        if self.database is None:
            raise RuntimeError("these findings were read from a file: there is no database")
        return self.database

    def add(self, found: Iterable[Proposal]) -> None:
        """Adds the findings of a kind."""
        for each in found:
            self.proposals.append(each)
            self._places.setdefault(each.kind, {}).setdefault(each.table, []).append(each)

    def of(self, kind: ProposalKind, table: str) -> list[Proposal]:
        """The proposals of a kind about a table."""
        return self._places.get(kind, {}).get(table, [])

    def of_kind(self, kind: ProposalKind) -> list[Proposal]:
        """All proposals of a kind."""
        return [each for found in self._places.get(kind, {}).values() for each in found]

    def key(self, table: str) -> tuple[str, ...]:
        """The primary key of a table; empty if none was found."""
        found = self.of(ProposalKind.PRIMARY_KEY, table)
        return found[0].columns if found else ()

    def links(self, table: str) -> list[Proposal]:
        """The foreign keys of a table."""
        return self.of(ProposalKind.FOREIGN_KEY, table)

    def columns(self, kind: ProposalKind, table: str) -> set[str]:
        """The columns of a table in proposals of a kind."""
        return {column for each in self.of(kind, table) for column in each.columns}

    def base_tables(self) -> list[TableProfile]:
        """The tables that have rows of their own."""
        return [each for each in self.tables.values() if not each.is_view]

    def plain(self, table: TableProfile) -> list[ColumnProfile]:
        """The columns that are neither key, nor pointer, nor time, nor code."""
        used = set(self.key(table.name)) if len(self.key(table.name)) == 1 else set[str]()
        for kind in (ProposalKind.FOREIGN_KEY, ProposalKind.TIME_COLUMN, ProposalKind.CODE):
            used |= self.columns(kind, table.name)
        return [each for each in table.columns if each.name not in used]

    def measures(self, table: str) -> list[str]:
        """The columns of figures."""
        return [each.columns[0] for each in self.of(ProposalKind.MEASURE, table)]
