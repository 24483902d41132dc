"""Constraints on queries of these tables. Each message is the hint a model reads: short."""

from collections.abc import Iterator

from veridical.contracts.language import Text
from veridical.ontology.model import Constraint, ConstraintRule, Encoding, Purpose
from veridical.packs.trustee.ontology import purposes as about
from veridical.packs.trustee.ontology.words import texts
from veridical.packs.trustee.vat import VAT_CODES

_CURRENCIES = ("CHF", "EUR", "USD")
_MONEY = ("*Balance", "*Total", "*Amount")
_CLOSED_LISTS: dict[str, tuple[str | int, ...]] = {
    "AccountBalance.periodMonth": tuple(range(13)),
    "FiscalPeriod.periodMonth": tuple(range(13)),
    "JournalEntry.periodMonth": tuple(range(1, 13)),
    "ExchangeRate.periodMonth": tuple(range(1, 13)),
    "Account.accountClass": tuple(range(1, 10)),
    "Account.accountType": ("asset", "liability", "equity", "income", "expense", "closing"),
    "Account.normalSide": ("debit", "credit"),
    "JournalEntry.source": (
        "opening", "sales", "purchase", "payroll", "bank", "manual", "closing"
    ),
    "JournalEntry.status": ("posted", "reversed", "reversal"),
    "FiscalPeriod.status": ("open", "closed"),
    "OpenItem.itemType": ("receivable", "payable"),
    "OpenItem.status": ("open", "partial", "paid"),
    "OpenItem.dunningLevel": (0, 1, 2, 3),
    "Contact.contactType": ("customer", "supplier", "employee", "authority"),
    "Contact.language": ("de", "fr", "it"),
    "Document.documentType": ("supplierInvoice", "payslips", "bankStatement", "vatReturn"),
    "VatCode.direction": ("output", "input"),
    "*.vatCode": tuple(code.code for code in VAT_CODES),
    "*.currency": _CURRENCIES,
    "JournalLine.foreignCurrency": _CURRENCIES,
    "Company.baseCurrency": _CURRENCIES,
}  # fmt: skip


def _aggregates() -> Iterator[Constraint]:
    yield Constraint(
        applies_to="*Balance",
        rule=ConstraintRule.SEMI_ADDITIVE_OVER,
        fields=("periodYear", "periodMonth"),
        opening="openingBalance",
        message=texts(
            "Saldo nie über Perioden summieren: ein Jahr und einen Monat wählen.",
            "Never sum a balance over periods: pick one year and one month.",
            "余额不可跨期相加：请选定一年一月。",
        ),
    )
    for path in ("*Balance", "*Total"):
        yield Constraint(
            applies_to=path,
            rule=ConstraintRule.ONE_LEVEL,
            fields=("periodMonth",),
            levels={"annual": (0,), "monthly": tuple(range(1, 13))},
            message=texts(
                "Jahreszeile (0) und Monate (1-12) nicht mischen: zählt doppelt.",
                "Don't mix the annual row (0) with months (1-12): it counts twice.",
                "不可混用年度行(0)与月度行(1-12)：会重复计算。",
            ),
        )
    for path in _MONEY:
        yield Constraint(
            applies_to=path,
            rule=ConstraintRule.SAME_UNIT,
            fields=("currency",),
            settled_by=("accountNumber",),
            message=texts(
                "Währungen nicht addieren: nach currency filtern oder gruppieren.",
                "Don't add currencies: filter or group by currency.",
                "不可混加币种：请按 currency 过滤或分组。",
            ),
        )
        yield Constraint(
            applies_to=path,
            rule=ConstraintRule.FAN_OUT,
            message=texts(
                "Der Join wiederholt Zeilen: zuerst summieren, dann verbinden.",
                "The join repeats rows: sum first, then join.",
                "连接会重复行：先汇总再连接。",
            ),
        )
    yield Constraint(
        applies_to="JournalLine.foreignAmount",
        rule=ConstraintRule.SAME_UNIT,
        fields=("foreignCurrency",),
        message=texts(
            "foreignAmount nur je foreignCurrency summieren.",
            "Sum foreignAmount per foreignCurrency only.",
            "foreignAmount 只能按 foreignCurrency 汇总。",
        ),
    )
    for path in ("*.exchangeRate", "*.ratePercent", "ExchangeRate.rate"):
        yield Constraint(
            applies_to=path,
            rule=ConstraintRule.NEVER_AGGREGATE,
            message=texts(
                "Kurse und Sätze nicht summieren oder mitteln.",
                "Don't sum or average rates.",
                "汇率和税率不可求和或平均。",
            ),
        )
    for path in ("*.periodYear", "*.periodMonth", "*Date"):
        yield Constraint(
            applies_to=path,
            rule=ConstraintRule.NEVER_AGGREGATE,
            message=texts(
                "Zeitangaben nicht summieren oder mitteln.",
                "Don't sum or average points in time.",
                "时间不可求和或平均。",
            ),
        )


def _filters() -> Iterator[Constraint]:
    yield Constraint(
        applies_to="AccountBalance",
        rule=ConstraintRule.REQUIRES_FILTER_ON,
        fields=("periodYear", "periodMonth"),
        message=texts(
            "periodYear und periodMonth filtern (0 = Jahr).",
            "Filter periodYear and periodMonth (0 = year).",
            "请过滤 periodYear 和 periodMonth（0=全年）。",
        ),
    )
    yield Constraint(
        applies_to="AccountBalance",
        rule=ConstraintRule.REQUIRES_FILTER_ON,
        fields=("mandateId",),
        message=texts(
            "Mehrere Mandanten sichtbar: mandateId filtern oder gruppieren.",
            "Several clients are visible: filter or group by mandateId.",
            "可见多个客户：请按 mandateId 过滤或分组。",
        ),
    )
    for path in ("*Date", "VatCode.validFrom", "VatCode.validTo"):
        yield Constraint(
            applies_to=path,
            rule=ConstraintRule.TYPE_MISMATCH_GUARD,
            encoding=Encoding.UNIX_SECONDS,
            message=texts(
                "Datum ist Unix-Sekunden: mit Zahl vergleichen, nicht mit Text.",
                "The date is Unix seconds: compare with a number, not with text.",
                "日期为 Unix 秒：请与数字比较。",
            ),
        )
    for path, values in _CLOSED_LISTS.items():
        yield Constraint(applies_to=path, rule=ConstraintRule.ALLOWED_VALUES, values=values)


def _only(applies_to: str, kinds: tuple[Purpose, ...], message: Text) -> Constraint:
    return Constraint(
        applies_to=applies_to,
        rule=ConstraintRule.ONLY_FOR_PURPOSE,
        purposes=tuple(kind.name for kind in kinds),
        message=message,
    )


def _purposes() -> Iterator[Constraint]:
    yield _only(
        "AccountBalance",
        (
            about.BALANCE,
            about.RESULT,
            about.TURNOVER,
            about.VAT,
            about.PARTIES,
            about.OPEN_ITEMS,
        ),
        texts(
            "Einzelne Buchungen stehen in TrusteeDataJournalLine.",
            "Single bookings are in TrusteeDataJournalLine.",
            "明细分录见 TrusteeDataJournalLine。",
        ),
    )
    for name in ("JournalEntry", "JournalLine"):
        yield _only(
            name,
            (
                about.POSTINGS,
                about.COST_CENTERS,
                about.VAT,
                about.PARTIES,
                about.TURNOVER,
                about.OPEN_ITEMS,
            ),
            texts(
                "Salden und Ergebnis stehen in TrusteeDataAccountBalance.",
                "Balances and results are in TrusteeDataAccountBalance.",
                "余额和损益见 TrusteeDataAccountBalance。",
            ),
        )
    yield _only(
        "AccountBalance.*Total",
        (about.TURNOVER,),
        texts(
            "Umsatz ist kein Saldo: closingBalance verwenden.",
            "Turnover is no balance: use closingBalance.",
            "发生额不是余额：请用 closingBalance。",
        ),
    )


CONSTRAINTS: tuple[Constraint, ...] = (*_aggregates(), *_filters(), *_purposes())
