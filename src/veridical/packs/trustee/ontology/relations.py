"""The joins of the tables. Tables with tenants join within the tenant."""

from veridical.ontology.model import Cardinality, Relation
from veridical.packs.trustee.models import TENANT


def _many_to_one(here: str, there: str, *via: str, name: str | None = None) -> Relation:
    return Relation(
        from_entity=here, to_entity=there, cardinality=Cardinality.MANY_TO_ONE, via=via, name=name
    )


RELATIONS: tuple[Relation, ...] = (
    _many_to_one("Account", "Company", *TENANT),
    _many_to_one("AccountBalance", "Account", *TENANT, "accountNumber"),
    _many_to_one("AccountBalance", "FiscalPeriod", *TENANT, "periodYear", "periodMonth"),
    _many_to_one("JournalEntry", "FiscalPeriod", *TENANT, "periodYear", "periodMonth"),
    _many_to_one("JournalLine", "JournalEntry", "journalEntryId=id"),
    _many_to_one("JournalLine", "Account", *TENANT, "accountNumber"),
    _many_to_one("JournalLine", "Contact", "contactId=id"),
    _many_to_one("JournalLine", "CostCenter", *TENANT, "costCenter"),
    _many_to_one("JournalLine", "VatCode", "vatCode"),
    _many_to_one("OpenItem", "Contact", "contactId=id"),
    _many_to_one("OpenItem", "JournalEntry", "journalEntryId=id"),
    _many_to_one("OpenItem", "Account", *TENANT, "accountNumber"),
    _many_to_one("Document", "JournalEntry", "journalEntryId=id"),
    _many_to_one("Document", "Contact", "contactId=id"),
    _many_to_one("ExchangeRate", "Currency", "currency"),
)
