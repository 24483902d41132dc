"""The Trustee ontology: the meaning of the tables and the constraints on their queries."""

from veridical.ontology.model import OntologyDescriptor
from veridical.packs.trustee.ontology.balance_patterns import BALANCE_PATTERNS
from veridical.packs.trustee.ontology.constraints import CONSTRAINTS
from veridical.packs.trustee.ontology.group_patterns import GROUP_PATTERNS
from veridical.packs.trustee.ontology.hints import HINTS
from veridical.packs.trustee.ontology.journal_patterns import JOURNAL_PATTERNS, OFFICE_PATTERNS
from veridical.packs.trustee.ontology.kinds import KINDS
from veridical.packs.trustee.ontology.ledger import LEDGER_TABLES
from veridical.packs.trustee.ontology.office import OFFICE_TABLES
from veridical.packs.trustee.ontology.purposes import PURPOSES
from veridical.packs.trustee.ontology.relations import RELATIONS
from veridical.packs.trustee.ontology.words import texts

ONTOLOGY = OntologyDescriptor(
    feature_code="trustee",
    description=texts("Schweizer Treuhand-Buchhaltung", "Swiss trustee accounting", "瑞士信托会计"),
    entities=(*LEDGER_TABLES, *OFFICE_TABLES, *KINDS),
    relations=RELATIONS,
    constraints=CONSTRAINTS,
    canonical_patterns=(
        *BALANCE_PATTERNS,
        *JOURNAL_PATTERNS,
        *OFFICE_PATTERNS,
        *GROUP_PATTERNS,
    ),
    purposes=PURPOSES,
    domain_hints=HINTS,
)
