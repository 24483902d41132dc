"""The accounting tables as entities: accounts, balances, periods, journal."""

from veridical.ontology.model import Entity, SemanticType
from veridical.packs.trustee import models
from veridical.packs.trustee.ontology.words import dimension, key, measure, moment, table, texts

ACCOUNT = table(
    models.TrusteeDataAccount,
    "Account",
    SemanticType.ACCOUNT,
    texts("Kontenplan (KMU)", "chart of accounts (Swiss SME)", "科目表（瑞士中小企业）"),
    {
        "accountNumber": key(
            "Kontonummer als Text, vierstellig",
            "account number, 4-digit text",
            "四位科目编号（文本）",
        ),
        "label": dimension("Bezeichnung (deutsch)", "name (German)", "科目名称（德语）"),
        "accountClass": dimension("Kontoklasse 1-9", "class 1-9", "科目类别1-9"),
        "accountGroup": dimension("Kontogruppe", "group", "科目组"),
        "accountType": dimension(),
        "normalSide": dimension("übliche Seite", "normal side", "正常余额方向"),
    },
    synonyms=("Konto", "Kontenplan", "Kontoplan", "科目"),
)

ACCOUNT_BALANCE = table(
    models.TrusteeDataAccountBalance,
    "AccountBalance",
    SemanticType.BALANCE_SNAPSHOT,
    texts(
        "Saldo je Konto und Periode: 13 Zeilen je Konto und Jahr",
        "balance per account and period: 13 rows per account and year",
        "每科目每期余额：每年13行",
    ),
    {
        "openingBalance": measure("Anfangssaldo", "balance at start", "期初余额"),
        "debitTotal": measure(
            "Soll-Umsatz, kein Saldo", "debit turnover, no balance", "借方发生额，非余额"
        ),
        "creditTotal": measure(
            "Haben-Umsatz, kein Saldo", "credit turnover, no balance", "贷方发生额，非余额"
        ),
        "closingBalance": measure("Schlusssaldo", "balance at end", "期末余额"),
    },
    invariants=(
        texts(
            "closingBalance = openingBalance + debitTotal - creditTotal; Soll ist positiv: "
            "Aktiven und Aufwand positiv, Passiven und Ertrag negativ",
            "closingBalance = openingBalance + debitTotal - creditTotal; debit is positive: "
            "assets and expense positive, liabilities, equity and income negative",
            "closingBalance = openingBalance + debitTotal - creditTotal；"
            "借方为正：资产和费用为正，负债、权益和收入为负",
        ),
        texts(
            "Jahreszeile (periodMonth 0) = Januar-Anfang bis Dezember-Ende; "
            "Klassen 3-9 beginnen jedes Jahr bei 0",
            "annual row (periodMonth 0) = opening of January to closing of December; "
            "classes 3-9 start each year at 0",
            "年度行（periodMonth 0）= 一月期初至十二月期末；3-9类每年从0开始",
        ),
    ),
    synonyms=("Saldo", "Kontostand", "Salden", "余额"),
)

FISCAL_PERIOD = table(
    models.TrusteeDataFiscalPeriod,
    "FiscalPeriod",
    SemanticType.PERIOD,
    texts(
        "Buchungsperiode; Monat 0 ist das ganze Jahr",
        "booking period; month 0 is the whole year",
        "会计期间；0月为全年",
    ),
    {"startDate": moment(), "endDate": moment(), "status": dimension()},
    synonyms=("Geschäftsjahr", "Periode", "fiscal year", "会计期间"),
)

JOURNAL_ENTRY = table(
    models.TrusteeDataJournalEntry,
    "JournalEntry",
    SemanticType.TRANSACTION,
    texts(
        "Buchung (Kopf); Beträge stehen in den Zeilen",
        "booking (header); amounts are in its lines",
        "凭证（表头）；金额在分录行",
    ),
    {
        "id": key(),
        "entryNumber": dimension("Belegnummer im Jahr", "number within the year", "年内凭证号"),
        "bookingDate": moment("Buchungsdatum", "booking date", "记账日期"),
        "periodMonth": dimension("Monat 1-12", "month 1-12", "月份1-12"),
        "text": dimension("Buchungstext", "booking text", "摘要"),
        "reference": dimension("Rechnungsnummer", "invoice number", "发票号"),
        "source": dimension("Herkunft", "origin", "来源"),
        "status": dimension("Storno-Paare heben sich auf", "reversals cancel out", "冲销成对抵消"),
        "totalAmount": measure("Soll-Summe in CHF", "debit sum in CHF", "借方合计（瑞郎）"),
    },
    invariants=(
        texts(
            "Soll = Haben je Buchung und Währung; "
            "source opening trägt Anfangssalden vor, kein Umsatz",
            "debit = credit per entry and currency; "
            "source opening carries opening balances, no turnover",
            "每凭证每币种借贷相等；source=opening 为期初结转，不计发生额",
        ),
    ),
    synonyms=("Buchung", "Beleg", "booking", "凭证"),
)

JOURNAL_LINE = table(
    models.TrusteeDataJournalLine,
    "JournalLine",
    SemanticType.TRANSACTION,
    texts(
        "Buchungszeile; Datum und Periode über JournalEntry",
        "one side of a booking; date and period via JournalEntry",
        "分录行；日期和期间见 JournalEntry",
    ),
    {
        "id": key(),
        "journalEntryId": key(),
        "lineNumber": dimension(),
        "debitAmount": measure("Soll in currency", "debit in currency", "借方金额"),
        "creditAmount": measure("Haben in currency", "credit in currency", "贷方金额"),
        "foreignAmount": measure(
            "Ursprungsbetrag in foreignCurrency", "original in foreignCurrency", "原币金额"
        ),
        "foreignCurrency": dimension(),
        "exchangeRate": dimension("CHF je Einheit", "CHF per unit", "每单位瑞郎"),
        "vatCode": dimension(
            "auf Basis- und Steuerzeile (2200, 117x)",
            "on base and tax line (2200, 117x)",
            "在税基行和税额行（2200、117x）",
        ),
        "costCenter": dimension("Kostenstelle", "cost center", "成本中心"),
        "contactId": dimension("auf Zeilen 110x, 200x", "on lines 110x, 200x", "在110x、200x行"),
        "text": dimension(),
    },
    synonyms=("Buchungszeile", "Kontoauszug", "posting", "分录"),
)

LEDGER_TABLES: tuple[Entity, ...] = (
    ACCOUNT,
    ACCOUNT_BALANCE,
    FISCAL_PERIOD,
    JOURNAL_ENTRY,
    JOURNAL_LINE,
)
