"""Those who decide: for each question two of them at the same moment, one for and one against."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from threading import Barrier

from benchmarks.durability.callers import patiently
from benchmarks.durability.ground import TENANT_NAMES
from veridical.runs.inbox import Inbox
from veridical.runs.inbox_errors import AlreadyDecidedError
from veridical.runs.inbox_item import Decider, InboxEntry, Ruling

PEOPLE = {"bea": True, "carlo": False}
"""Each with what they always say."""
_PAGE = 500


@dataclass(frozen=True)
class Ruled:
    """What became of one question to people."""

    run_id: str
    accepted: tuple[str, ...]
    """Whose decision was taken: one of them, if all is well."""


@dataclass(frozen=True)
class People:
    """Decide what lies in the inbox."""

    inbox: Inbox
    ruled: list[Ruled] = field(default_factory=list[Ruled])

    def pending(self) -> list[InboxEntry]:
        """What lies there, the oldest first."""
        found: list[InboxEntry] = []
        for tenant in TENANT_NAMES:
            found += patiently(partial(self.inbox.entries, tenant, _PAGE))
        return sorted(found, key=lambda entry: entry.asked_at)

    def decide(self, entry: InboxEntry) -> None:
        """Let both speak at once."""
        together = Barrier(len(PEOPLE))
        with ThreadPoolExecutor(len(PEOPLE)) as pool:
            said = {name: pool.submit(self._say, name, entry, together) for name in PEOPLE}
        accepted = [name for name, taken in said.items() if taken.result()]
        self.ruled.append(Ruled(entry.run_id, tuple(accepted)))

    def _say(self, name: str, entry: InboxEntry, together: Barrier) -> bool:
        """Whether this decision was taken. Who gets no reply asks again, and is told the same."""
        decider = Decider(entry.tenant, name, may_decide=True)
        ruling = Ruling(approved=PEOPLE[name], evidence_hash=entry.evidence_hash)
        together.wait()
        try:
            patiently(lambda: self.inbox.decide(entry.id, decider, ruling))
        except AlreadyDecidedError:
            return False
        return True
