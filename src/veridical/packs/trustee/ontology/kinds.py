"""Sub-classes: account classes and groups by number range, kinds of periods, parties, invoices."""

from collections.abc import Iterator

from veridical.contracts.language import Text
from veridical.ontology.model import Entity, SemanticType
from veridical.packs.trustee.accounts import CLASSES, GROUPS
from veridical.packs.trustee.ontology.words import texts


def account_classes() -> Iterator[Entity]:
    """The nine classes of the chart, by the first digit."""
    for each in CLASSES:
        side = _SIDES[each.side]
        yield Entity(
            name=each.entity,
            semantic_type=SemanticType.ACCOUNT,
            description=texts(each.de, each.en, each.zh),
            parent_entity="Account",
            condition=f"\"accountNumber\" LIKE '{each.digit}%'",
            invariants=() if each.digit == _CLOSING_CLASS else (side,),
        )


def account_groups() -> Iterator[Entity]:
    """The groups within the classes, by number range."""
    classes = {each.digit: each for each in CLASSES}
    for group in GROUPS:
        yield Entity(
            name=group.entity,
            semantic_type=SemanticType.ACCOUNT,
            description=texts(group.de, group.en, group.zh),
            parent_entity=classes[group.digit].entity,
            condition=_within(group.first, group.last),
        )


def _within(first: str, last: str) -> str:
    for digits in (3, 2):
        if first[:digits] == last[:digits] and (first + last)[digits::4] == "09":
            return f"\"accountNumber\" LIKE '{first[:digits]}%'"
    return f"\"accountNumber\" BETWEEN '{first}' AND '{last}'"


_CLOSING_CLASS = 9
_SIDES: dict[str, Text] = {
    "debit": texts("Saldo üblich positiv", "balance normally positive", "余额通常为正"),
    "credit": texts("Saldo üblich negativ", "balance normally negative", "余额通常为负"),
}


def _kind(name: str, parent: str, kind: SemanticType, condition: str, description: Text) -> Entity:
    return Entity(
        name=name,
        semantic_type=kind,
        description=description,
        parent_entity=parent,
        condition=condition,
    )


_OTHERS: tuple[Entity, ...] = (
    _kind(
        "AnnualBalance",
        "AccountBalance",
        SemanticType.BALANCE_SNAPSHOT,
        '"periodMonth" = 0',
        texts("Jahreszeile: Stand am 31.12.", "annual row: as of 31 December", "年度行：12月31日"),
    ),
    _kind(
        "MonthlyBalance",
        "AccountBalance",
        SemanticType.BALANCE_SNAPSHOT,
        '"periodMonth" BETWEEN 1 AND 12',
        texts("Monatszeile: Stand am Monatsende", "monthly row: as of month end", "月度行：月末"),
    ),
    _kind(
        "OpeningEntry",
        "JournalEntry",
        SemanticType.TRANSACTION,
        "\"source\" = 'opening'",
        texts("Eröffnungsbuchung am 1.1.", "opening booking on 1 January", "1月1日期初凭证"),
    ),
    _kind(
        "ClosingEntry",
        "JournalEntry",
        SemanticType.TRANSACTION,
        "\"source\" = 'closing'",
        texts("Abschlussbuchung am 31.12.", "closing booking on 31 December", "12月31日结账凭证"),
    ),
    _kind(
        "Customer",
        "Contact",
        SemanticType.PARTY,
        "\"contactType\" = 'customer'",
        texts("Kunde, Debitor", "customer, debtor", "客户"),
    ),
    _kind(
        "Supplier",
        "Contact",
        SemanticType.PARTY,
        "\"contactType\" = 'supplier'",
        texts("Lieferant, Kreditor", "supplier, creditor", "供应商"),
    ),
    _kind(
        "Employee",
        "Contact",
        SemanticType.PARTY,
        "\"contactType\" = 'employee'",
        texts("Mitarbeitende", "employee", "员工"),
    ),
    _kind(
        "ReceivableItem",
        "OpenItem",
        SemanticType.DOCUMENT,
        "\"itemType\" = 'receivable'",
        texts("Kundenrechnung", "invoice to a customer", "销售发票"),
    ),
    _kind(
        "PayableItem",
        "OpenItem",
        SemanticType.DOCUMENT,
        "\"itemType\" = 'payable'",
        texts("Lieferantenrechnung", "invoice from a supplier", "采购发票"),
    ),
)

KINDS: tuple[Entity, ...] = (*account_classes(), *account_groups(), *_OTHERS)
