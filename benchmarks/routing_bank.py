"""A small ontology as a retail bank would write it: what its customers own and speak about."""

from veridical.contracts.language import Language
from veridical.ontology.model import Entity, Field, OntologyDescriptor, Purpose, SemanticType


def _entity(name: str, kind: SemanticType, fields: str, synonyms: tuple[str, ...]) -> Entity:
    named = tuple(Field(name=field) for field in fields.split())
    return Entity(
        name=name, semantic_type=kind, table=name.lower(), fields=named, synonyms=synonyms
    )


_ENTITIES = (
    _entity(
        "Account",
        SemanticType.ACCOUNT,
        "accountNumber iban routingNumber balance interestRate frozen blocked overdraftLimit",
        ("checking", "savings", "deposit", "funds", "bank", "money", "wallet", "vault"),
    ),
    _entity(
        "Card",
        SemanticType.OBJECT,
        "cardNumber pin cvv expirationDate creditLimit apr annualFee contactless delivery",
        (
            "debit card", "credit card", "virtual card", "disposable card", "visa", "mastercard",
            "amex", "passcode",
        ),
    ),
    _entity(
        "Transaction",
        SemanticType.TRANSACTION,
        "amount currency merchant bookingDate pending declined reverted fee charge",
        ("purchase", "payment", "spending", "withdrawal", "cash", "refund", "statement", "ATM"),
    ),
    _entity(
        "Transfer",
        SemanticType.TRANSACTION,
        "beneficiary recipient sender exchangeRate arrival",
        ("wire", "remittance", "top up", "topup", "direct debit", "standing order", "exchange"),
    ),
    _entity(
        "Customer",
        SemanticType.PARTY,
        "identity verification address phone email creditScore passport",
        ("client", "profile", "identification"),
    ),
    _entity(
        "Bill",
        SemanticType.DOCUMENT,
        "dueDate minimumPayment payee",
        ("invoice", "utility bill", "check", "cheque", "checkbook"),
    ),
    _entity(
        "Reward",
        SemanticType.CLASSIFICATION,
        "rewardsBalance expiry",
        ("cashback", "miles", "bonus"),
    ),
)  # fmt: skip

BANK = OntologyDescriptor(
    feature_code="bank",
    entities=_ENTITIES,
    purposes=(
        Purpose(
            name="service",
            keywords={
                Language.EN: (
                    "fraud", "stolen", "lost card", "dispute", "loan", "mortgage", "salary",
                    "income", "payroll", "tax", "insurance", "401k", "rollover", "w2", "interest",
                    "limit", "fee", "app", "application",
                ),
            },
        ),
    ),
)  # fmt: skip
