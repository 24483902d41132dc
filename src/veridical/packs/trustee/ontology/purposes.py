"""The kinds of questions about the books, by their typical words."""

from veridical.ontology.model import Purpose
from veridical.packs.trustee.ontology.words import texts

BALANCE = Purpose(
    name="balance",
    description=texts("Stand eines Kontos", "what stands on an account", "科目余额"),
    keywords={
        "de": (
            "Saldo", "Salden", "Kontostand", "Bestand", "Vermögen", "Liquidität",
            "flüssige Mittel", "Eigenkapital", "Bilanz",
        ),
        "en": ("balance", "how much money", "liquidity", "cash position", "equity"),
        "zh": ("余额", "结余", "存款", "流动资金", "资产负债"),
    },
)  # fmt: skip
RESULT = Purpose(
    name="result",
    description=texts("Ertrag, Aufwand, Gewinn", "income, expense, profit", "收入、费用、利润"),
    keywords={
        "de": (
            "Ertrag", "Erträge", "Umsatz", "Umsätze", "Erlös", "Aufwand", "Aufwände", "Kosten",
            "Gewinn", "Verlust", "Ergebnis", "Erfolgsrechnung",
        ),
        "en": ("revenue", "income", "expense", "cost", "profit", "loss", "earnings", "sales"),
        "zh": ("收入", "费用", "成本", "利润", "盈利", "亏损", "损益"),
    },
)  # fmt: skip
TURNOVER = Purpose(
    name="turnover",
    description=texts("Soll- und Haben-Umsatz", "debit and credit turnover", "借贷发生额"),
    keywords={
        "de": (
            "Soll-Umsatz", "Haben-Umsatz", "Sollumsatz", "Habenumsatz", "Soll und Haben",
            "Bewegung", "Verkehrszahlen", "Umsatz im Soll", "Umsatz im Haben", "belastet",
            "gutgeschrieben",
        ),
        "en": (
            "turnover", "debit total", "credit total", "debits", "credits", "movement", "debited",
            "credited",
        ),
        "zh": ("发生额", "借方", "贷方", "变动"),
    },
)  # fmt: skip
POSTINGS = Purpose(
    name="postings",
    description=texts("einzelne Buchungen", "single bookings", "明细分录"),
    keywords={
        "de": (
            "Buchung", "gebucht", "verbucht", "Beleg", "Journal", "Kontoauszug", "Storno",
            "Kontoblatt", "Zahlungseingang", "Zahlungseingänge",
        ),
        "en": (
            "posting", "posted", "booking", "booked", "journal", "entries", "entry",
            "transaction", "reversal",
        ),
        "zh": ("分录", "凭证", "记账", "明细", "交易", "冲销"),
    },
)  # fmt: skip
COST_CENTERS = Purpose(
    name="costCenters",
    description=texts("nach Kostenstelle", "by cost center", "按成本中心"),
    keywords={
        "de": ("Kostenstelle", "Abteilung"),
        "en": ("cost center", "cost centre", "department"),
        "zh": ("成本中心", "部门"),
    },
)
OPEN_ITEMS = Purpose(
    name="openItems",
    description=texts("offene Rechnungen", "unpaid invoices", "未付发票"),
    keywords={
        "de": (
            "offene Posten", "offenen Posten", "offene Rechnung", "offenen Rechnung", "unbezahlt",
            "überfällig", "fällig", "Mahnung", "gemahnt", "Rechnung", "schuldet", "Ausstände",
        ),
        "en": (
            "open item", "invoice", "unpaid", "overdue", "outstanding", "due", "reminder", "owes",
            "owe",
        ),
        "zh": ("发票", "未付", "逾期", "到期", "催款", "欠款"),
    },
)  # fmt: skip
VAT = Purpose(
    name="vat",
    description=texts("Mehrwertsteuer", "value-added tax", "增值税"),
    keywords={
        "de": ("MWST", "Mehrwertsteuer", "Vorsteuer", "Umsatzsteuer", "Steuersatz"),
        "en": ("VAT", "value-added tax", "value added tax", "input tax", "output tax"),
        "zh": ("增值税", "进项税", "销项税", "税率"),
    },
)
PARTIES = Purpose(
    name="parties",
    description=texts("je Kunde oder Lieferant", "by customer or supplier", "按客户或供应商"),
    keywords={
        "de": ("Kunde", "Kundin", "Lieferant", "Debitor", "Kreditor", "Kontakt"),
        "en": ("customer", "supplier", "vendor", "debtor", "creditor", "contact"),
        "zh": ("客户", "供应商", "联系人", "往来"),
    },
)

PURPOSES: tuple[Purpose, ...] = (
    BALANCE,
    RESULT,
    TURNOVER,
    POSTINGS,
    COST_CENTERS,
    OPEN_ITEMS,
    VAT,
    PARTIES,
)
