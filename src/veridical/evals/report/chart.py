"""One chart: its drawing, and a text alternative."""

from collections.abc import Iterable
from dataclasses import dataclass

from veridical.evals.report.report_data import Report
from veridical.evals.report.svg import drawing

QUARTERS = (0, 0.25, 0.5, 0.75, 1)
"""Where an axis has its ticks."""
TICK = "middle muted small"
"""How the text of a tick looks."""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart that can be embedded in a page or stand in a file of its own."""

    name: str
    title: str
    about: str
    description: str
    body: str
    height: float

    def svg(self, *, alone: bool) -> str:
        """The drawing; one that stands alone brings its colours along."""
        told = self.title, self.about, self.description, self.body, self.height
        return drawing(*told, alone=alone)


def chart(
    report: Report, name: str, title: str, told: Iterable[str], body: Iterable[str], height: float
) -> Chart:
    """A chart of a report's figures, which says when they are simulated."""
    description = "; ".join(told)
    return Chart(name, report.titled(title), report.about, description, "".join(body), height)
