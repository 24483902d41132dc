"""The Trustee ontology for questions that also compare the books with a document.

"What we booked" asks for single bookings by default. Beside a policy it is whatever the policy
limits, a balance or a turnover: the document decides which figure is the right one.
"""

from veridical.ontology.model import Constraint, OntologyDescriptor, Purpose
from veridical.packs.trustee.ontology import ONTOLOGY as BOOKS
from veridical.packs.trustee.ontology.words import texts

COMPARISON = Purpose(
    name="comparison",
    description=texts("Vergleich mit einem Dokument", "comparison with a document", "与文件对照"),
    keywords={
        "de": (
            "Richtlinie", "Reglement", "Merkblatt", "Vorgabe", "Weisung", "Bedingungen",
            "Ausschüttungspolitik", "Restwertrichtlinie", "Dokument",
        ),
        "en": ("policy", "policies", "guideline", "memo", "rules", "terms", "document"),
        "zh": ("政策", "规定", "制度", "备忘录", "条款", "文件"),
    },
)  # fmt: skip


def _also_for_comparison(constraint: Constraint) -> Constraint:
    if not constraint.purposes:
        return constraint
    return constraint.model_copy(update={"purposes": (*constraint.purposes, COMPARISON.name)})


ONTOLOGY: OntologyDescriptor = BOOKS.model_copy(
    update={
        "feature_code": "research",
        "purposes": (*BOOKS.purposes, COMPARISON),
        "constraints": tuple(map(_also_for_comparison, BOOKS.constraints)),
    }
)
