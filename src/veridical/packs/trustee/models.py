"""The rows of a trustee office's books: one class per table, named as the table is named.

A column's SQL type stands in its annotation, so that the DDL, the schema of the check and the
validation of a row all come from here.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from veridical.contracts.schema import ForeignKey


@dataclass(frozen=True, slots=True)
class SqlType:
    """The declared type of a column, carried in the annotation of its field."""

    name: str


Money = Annotated[Decimal, Field(max_digits=18, decimal_places=2), SqlType("numeric(18,2)")]
Rate = Annotated[Decimal, Field(gt=0, max_digits=12, decimal_places=6), SqlType("numeric(12,6)")]
Percent = Annotated[Decimal, Field(ge=0, le=100, decimal_places=2), SqlType("numeric(5,2)")]
UnixSeconds = Annotated[int, Field(ge=0), SqlType("bigint")]
Name = Annotated[str, Field(min_length=1), SqlType("text")]
Number = Annotated[str, Field(pattern=r"^[1-9]\d{3}$"), SqlType("text")]
Currency = Annotated[Literal["CHF", "EUR", "USD"], SqlType("text")]
Year = Annotated[int, Field(ge=1990, le=2100), SqlType("integer")]
Month = Annotated[int, Field(ge=0, le=12), SqlType("integer")]
Count = Annotated[int, Field(ge=0), SqlType("integer")]
Flag = Annotated[bool, SqlType("boolean")]

TENANT = ("mandateId", "featureInstanceId")


def _of_tenant(target: str, *columns: str) -> ForeignKey:
    joined = (*TENANT, *columns)
    return ForeignKey(joined, target, joined)


class Row(BaseModel):
    """One row of one table. The class variables say what DDL needs beyond the columns."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    key: ClassVar[tuple[str, ...]]
    references: ClassVar[tuple[ForeignKey, ...]] = ()
    indexes: ClassVar[tuple[tuple[str, ...], ...]] = ()


class TenantRow(Row):
    """A row that belongs to one set of books: a client (mandate) and one of its instances."""

    mandateId: Name
    featureInstanceId: Name


class TrusteeDataCompany(TenantRow):
    """The company whose books these are."""

    key: ClassVar = TENANT

    name: Name
    legalForm: Annotated[Literal["AG", "GmbH", "Genossenschaft", "Einzelfirma"], SqlType("text")]
    industry: Name
    canton: Name
    uidNumber: Name
    baseCurrency: Currency


class TrusteeDataAccount(TenantRow):
    """One account of the chart of accounts."""

    key: ClassVar = (*TENANT, "accountNumber")
    references: ClassVar = (_of_tenant("TrusteeDataCompany"),)

    accountNumber: Number
    label: Name
    accountClass: Annotated[int, Field(ge=1, le=9), SqlType("integer")]
    accountGroup: Name
    accountType: Annotated[
        Literal["asset", "liability", "equity", "income", "expense", "closing"], SqlType("text")
    ]
    normalSide: Annotated[Literal["debit", "credit"], SqlType("text")]
    currency: Currency
    isActive: Flag


class TrusteeDataFiscalPeriod(TenantRow):
    """One booking period: month 0 is the whole year."""

    key: ClassVar = (*TENANT, "periodYear", "periodMonth")
    references: ClassVar = (_of_tenant("TrusteeDataCompany"),)

    periodYear: Year
    periodMonth: Month
    startDate: UnixSeconds
    endDate: UnixSeconds
    status: Annotated[Literal["open", "closed"], SqlType("text")]


class TrusteeDataAccountBalance(TenantRow):
    """The balance of one account in one period, in the account's currency, debit positive."""

    key: ClassVar = (*TENANT, "accountNumber", "periodYear", "periodMonth")
    references: ClassVar = (
        _of_tenant("TrusteeDataAccount", "accountNumber"),
        _of_tenant("TrusteeDataFiscalPeriod", "periodYear", "periodMonth"),
    )
    indexes: ClassVar = ((*TENANT, "periodYear", "periodMonth", "accountNumber"),)

    accountNumber: Number
    periodYear: Year
    periodMonth: Month
    openingBalance: Money
    debitTotal: Money
    creditTotal: Money
    closingBalance: Money
    currency: Currency


class TrusteeDataContact(TenantRow):
    """A customer, supplier, employee or authority."""

    key: ClassVar = ("id",)
    references: ClassVar = (_of_tenant("TrusteeDataCompany"),)
    indexes: ClassVar = ((*TENANT, "name"),)

    id: Name
    name: Name
    contactType: Annotated[
        Literal["customer", "supplier", "employee", "authority"], SqlType("text")
    ]
    street: Name
    postalCode: Name
    city: Name
    country: Name
    language: Annotated[Literal["de", "fr", "it"], SqlType("text")]
    currency: Currency
    paymentTermDays: Count
    isActive: Flag


class TrusteeDataCostCenter(TenantRow):
    """A part of the company to which income and expense are charged."""

    key: ClassVar = (*TENANT, "costCenter")
    references: ClassVar = (_of_tenant("TrusteeDataCompany"),)

    costCenter: Name
    label: Name
    isActive: Flag


class TrusteeDataJournalEntry(TenantRow):
    """One booking; its lines carry the amounts."""

    key: ClassVar = ("id",)
    references: ClassVar = (_of_tenant("TrusteeDataFiscalPeriod", "periodYear", "periodMonth"),)
    indexes: ClassVar = (
        (*TENANT, "periodYear", "periodMonth"),
        (*TENANT, "bookingDate"),
    )

    id: Name
    entryNumber: Count
    bookingDate: UnixSeconds
    periodYear: Year
    periodMonth: Annotated[int, Field(ge=1, le=12), SqlType("integer")]
    text: Name
    reference: str = ""
    source: Annotated[
        Literal["opening", "sales", "purchase", "payroll", "bank", "manual", "closing"],
        SqlType("text"),
    ]
    status: Annotated[Literal["posted", "reversed", "reversal"], SqlType("text")]
    totalAmount: Money
    currency: Currency


class TrusteeDataJournalLine(TenantRow):
    """One side of a booking on one account; amounts in the account's currency."""

    key: ClassVar = ("id",)
    references: ClassVar = (
        ForeignKey(("journalEntryId",), "TrusteeDataJournalEntry", ("id",)),
        _of_tenant("TrusteeDataAccount", "accountNumber"),
    )
    indexes: ClassVar = (("journalEntryId",), (*TENANT, "accountNumber"))

    id: Name
    journalEntryId: Name
    lineNumber: Count
    accountNumber: Number
    debitAmount: Money
    creditAmount: Money
    currency: Currency
    foreignAmount: Money | None
    foreignCurrency: Currency | None
    exchangeRate: Rate | None
    vatCode: Name | None
    costCenter: Name | None
    contactId: Name | None
    text: Name


class TrusteeDataOpenItem(TenantRow):
    """One invoice sent or received, with its open amount."""

    key: ClassVar = ("id",)
    references: ClassVar = (
        ForeignKey(("contactId",), "TrusteeDataContact", ("id",)),
        ForeignKey(("journalEntryId",), "TrusteeDataJournalEntry", ("id",)),
        _of_tenant("TrusteeDataAccount", "accountNumber"),
    )
    indexes: ClassVar = ((*TENANT, "status", "dueDate"), ("contactId",))

    id: Name
    itemType: Annotated[Literal["receivable", "payable"], SqlType("text")]
    invoiceNumber: Name
    contactId: Name
    accountNumber: Number
    journalEntryId: Name
    invoiceDate: UnixSeconds
    dueDate: UnixSeconds
    paidDate: UnixSeconds | None
    invoiceAmount: Money
    paidAmount: Money
    openAmount: Money
    currency: Currency
    status: Annotated[Literal["open", "partial", "paid"], SqlType("text")]
    dunningLevel: Annotated[int, Field(ge=0, le=3), SqlType("integer")]


class TrusteeDataDocument(TenantRow):
    """A filed voucher behind a booking."""

    key: ClassVar = ("id",)
    references: ClassVar = (ForeignKey(("journalEntryId",), "TrusteeDataJournalEntry", ("id",)),)
    indexes: ClassVar = (("journalEntryId",), (*TENANT, "documentDate"))

    id: Name
    documentType: Annotated[
        Literal["supplierInvoice", "payslips", "bankStatement", "vatReturn"], SqlType("text")
    ]
    fileName: Name
    documentDate: UnixSeconds
    journalEntryId: Name
    contactId: Name | None


class TrusteeDataVatCode(Row):
    """One rate of value-added tax, in force for a time. Shared by all tenants."""

    key: ClassVar = ("vatCode",)

    vatCode: Name
    label: Name
    direction: Annotated[Literal["output", "input"], SqlType("text")]
    ratePercent: Percent
    validFrom: UnixSeconds
    validTo: UnixSeconds | None


class TrusteeDataCurrency(Row):
    """One currency. Shared by all tenants."""

    key: ClassVar = ("currency",)

    currency: Currency
    label: Name


class TrusteeDataExchangeRate(Row):
    """The price of one unit of a currency in CHF at the end of a month. Shared by all tenants."""

    key: ClassVar = ("currency", "rateDate")
    references: ClassVar = (ForeignKey(("currency",), "TrusteeDataCurrency", ("currency",)),)

    currency: Currency
    rateDate: UnixSeconds
    periodYear: Year
    periodMonth: Annotated[int, Field(ge=1, le=12), SqlType("integer")]
    rate: Rate


MODELS: tuple[type[Row], ...] = (
    TrusteeDataCurrency,
    TrusteeDataExchangeRate,
    TrusteeDataVatCode,
    TrusteeDataCompany,
    TrusteeDataAccount,
    TrusteeDataFiscalPeriod,
    TrusteeDataAccountBalance,
    TrusteeDataContact,
    TrusteeDataCostCenter,
    TrusteeDataJournalEntry,
    TrusteeDataJournalLine,
    TrusteeDataOpenItem,
    TrusteeDataDocument,
)
"""All tables, those that are referred to first."""
