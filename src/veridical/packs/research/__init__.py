"""Research: the Trustee books with the office's own rules beside them, in three languages.

Its questions need a table and a document: whether the bookings agree with the decisions. "What we
booked" asks for single bookings by default. Beside a policy it is whatever the policy limits, a
balance or a turnover: the document decides which figure is the right one.
"""

from dataclasses import replace
from pathlib import Path

from veridical.contracts.language import Language
from veridical.ontology.model import Constraint, Purpose
from veridical.packs import trustee

_HERE = Path(__file__).parent
_COMPARISON = Purpose(
    name="comparison",
    description={
        Language.DE: "Vergleich mit einem Dokument",
        Language.EN: "comparison with a document",
        Language.ZH: "与文件对照",
    },
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
    return constraint.model_copy(update={"purposes": (*constraint.purposes, _COMPARISON.name)})


_BOOKS = trustee.pack.ontology

pack = replace(
    trustee.pack,
    name="research",
    ontology=_BOOKS.model_copy(
        update={
            "feature_code": "research",
            "purposes": (*_BOOKS.purposes, _COMPARISON),
            "constraints": tuple(map(_also_for_comparison, _BOOKS.constraints)),
        }
    ),
    skills=_HERE / "skills",
    gold=_HERE / "gold",
    documents=_HERE / "collection",
)
