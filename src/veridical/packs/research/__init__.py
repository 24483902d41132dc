"""Research: the Trustee books with the office's own rules beside them, in three languages.

Its questions need a table and a document: whether the bookings agree with the decisions.
"""

from dataclasses import replace
from pathlib import Path

from veridical.packs import trustee
from veridical.packs.research.ontology import ONTOLOGY

_HERE = Path(__file__).parent

pack = replace(
    trustee.pack,
    name="research",
    ontology=ONTOLOGY,
    skills=_HERE / "skills",
    gold=_HERE / "gold",
    documents=_HERE / "collection",
)
