"""Changes an ontology in the browser: checked, written to its file, served at once, on record."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import Depends

from veridical.console.maintenance import MaintainerAccess
from veridical.messages import message
from veridical.onboarding.edits import (
    Edit,
    changed_ontology,
    edits_of,
    is_editable,
    record_edit,
    replace_text,
    require_fit,
    write_change,
)
from veridical.ontology.editable import Part, Values
from veridical.ontology.errors import LoadError
from veridical.ontology.model import OntologyDescriptor
from veridical.ontology.ontology_file import read_ontology
from veridical.server.answerer import Answerer, AnswererDep
from veridical.server.identity import Identity
from veridical.server.problem import ProblemCode, ProblemError
from veridical.server.services import Services, ServicesDep
from veridical.store.audit import AuditAction, note

ONE_AT_A_TIME = asyncio.Lock()
"""A change reads the file and writes it."""


def editable_file(
    services: Services, identity: Identity, here: Answerer, feature: str
) -> Path | None:
    """The ontology file of a feature; none where it has none of our own format."""
    path = services.runtime.ontologies.get(feature) if feature in here.features(identity) else None
    try:
        return path if path is not None and is_editable(path) else None
    except LoadError:
        return None


@dataclass(frozen=True, slots=True)
class OntologyEditor:
    """Somebody who maintains an ontology, at its file."""

    services: Services
    identity: Identity
    feature: str
    path: Path

    async def ontology(self) -> OntologyDescriptor:
        """The ontology as its file has it now. Raises ``LoadError``."""
        return await asyncio.to_thread(read_ontology, self.path)

    async def edits(self) -> list[Edit]:
        """The changes on record, the last one first."""
        return await asyncio.to_thread(edits_of, self.path)

    async def save(
        self, part: Part, seen: Values | None, values: Values | None, undoes: int | None = None
    ) -> Edit:
        """Writes new values of a part and serves them.

        Raises ``OutdatedEditError``, ``UnfitEditError``, ``LoadError``, and ``ValidationError``;
        then the file is as it was.
        """
        path, opened = self.path, self.services.runtime.feature(self.feature)

        def checked() -> tuple[OntologyDescriptor, OntologyDescriptor, str]:
            before, after = changed_ontology(path, part, seen, values)
            require_fit(path, before, after, opened.schema, opened.engine.database.dialect)
            return before, after, write_change(path, before, after)

        def recorded() -> Edit:
            tenant, name = self.identity.tenant, self.identity.name
            edit = record_edit(path, before, after, part, name, undoes)
            detail = {"part": f"{part.kind} {part.path}", "number": edit.number}
            with self.services.store.tenant(tenant) as connection:
                action = AuditAction.ONTOLOGY_CHANGED
                note(connection, tenant, name, action, self.feature, detail)
            return edit

        async with ONE_AT_A_TIME:
            before, after, text = await asyncio.to_thread(checked)
            await _served(self.services, lambda: replace_text(path, text))
            return await asyncio.to_thread(recorded)

    async def undo(self, number: int) -> Edit:
        """Takes one change back. Raises what ``save`` does."""
        found = next((each for each in await self.edits() if each.number == number), None)
        if found is None:
            raise ProblemError(ProblemCode.NOT_FOUND)
        return await self.save(found.part, found.after, found.before, found.number)


async def _editor(
    identity: MaintainerAccess, services: ServicesDep, here: AnswererDep, feature: str = ""
) -> OntologyEditor:
    """At the file of a feature, of the first one unless it is named."""
    chosen = feature or here.chosen_feature(identity)
    path = editable_file(services, identity, here, chosen)
    if path is None:
        raise ProblemError(ProblemCode.NOT_FOUND)
    return OntologyEditor(services, identity, chosen, path)


OntologyEditorDep = Annotated[OntologyEditor, Depends(_editor)]
"""Lets only maintainers pass, and only to an ontology with a file of our own format; for others the
page is not found."""


async def _served(services: Services, restore: Callable[[], None]) -> None:
    """Serves what the files say now; restores them where that can't be served. The rest of the
    renewal follows, since the file is watched."""
    current = services.current
    await current.reload()
    if not current.is_outdated:
        return
    mistake = current.mistake
    await asyncio.to_thread(restore)
    await current.reload()
    raise mistake or LoadError(message("edit.not_served", services.settings.language))
