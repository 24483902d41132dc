"""Questions about a group of accounts or a kind of contact, which the question picks by name."""

from veridical.ontology.model import Asks, CanonicalQueryPattern, PeriodKind
from veridical.packs.trustee.ontology import pattern_words as say
from veridical.packs.trustee.ontology import purposes as about
from veridical.packs.trustee.ontology.asking import (
    CURRENCY,
    MONTH,
    YEAR,
    account_like,
    pattern,
    questions,
    rows,
    sql,
    subclass,
    total,
    where,
)
from veridical.packs.trustee.ontology.words import texts

_GROUP = subclass(
    "group",
    "Account",
    say.BALANCE_GROUPS,
    texts("Kontengruppe", "group of accounts", "科目组"),
    "\"accountNumber\" LIKE '110%'",
    "\"accountNumber\" LIKE '12%'",
)
_COSTS = subclass(
    "group",
    "Account",
    {**say.COST_GROUPS, "Administration": (), "CostOfGoods": ()},
    texts("Aufwandgruppe", "group of expenses", "费用类别"),
    "\"accountNumber\" LIKE '5%'",
    "\"accountNumber\" LIKE '60%'",
)
_CONTACT_TYPE = subclass(
    "contactType",
    "Contact",
    say.CONTACT_TYPES,
    texts(
        "Kunden, Lieferanten oder Personal", "customers, suppliers or staff", "客户、供应商或员工"
    ),
    "\"contactType\" = 'customer'",
    "\"contactType\" = 'supplier'",
)
_GROUP_TITLE = texts(
    "{group}: Saldo per {period} (Soll positiv)",
    "{group}: balance as of {period} (debit positive)",
    "{group}：{period}余额（借方为正）",
)

GROUP_PATTERNS: tuple[CanonicalQueryPattern, ...] = (
    pattern(
        "BANK_BALANCE_AT_MONTH_END",
        rows(
            "TrusteeDataAccountBalance",
            ["accountNumber", "closingBalance", "currency"],
            [*where(periodYear="{year}", periodMonth="{month}"), account_like("102%")],
            "accountNumber",
        ),
        questions(
            "Wie hoch war der Banksaldo Ende Monat {month}/{year}?",
            "What was the bank balance at the end of month {month}/{year}?",
            "{year}年{month}月末的银行余额是多少？",
        ),
        (YEAR, MONTH),
        about.BALANCE,
        period=PeriodKind.MONTH_END,
        words=(say.BANK, say.ON_THE_BANK),
        also=(say.BALANCE, say.MONEY),
        title=texts("Banksaldo per {period}", "Bank balance as of {period}", "{period}银行余额"),
    ),
    pattern(
        "GROUP_BALANCE_AT_YEAR_END",
        sql(
            'SELECT "currency", SUM("closingBalance") AS "balance"'
            ' FROM "TrusteeDataAccountBalance" WHERE "periodYear" = {year}'
            ' AND "periodMonth" = 0 AND {group} GROUP BY "currency" ORDER BY "currency"'
        ),
        questions(
            "Wie hoch war der Saldo der Gruppe {group} Ende {year}?",
            "What was the balance of the group {group} at the end of {year}?",
            "{year}年底{group}的余额是多少？",
        ),
        (_GROUP, YEAR),
        about.BALANCE,
        asks=Asks.TOTAL,
        period=PeriodKind.YEAR_END,
        also=(say.BALANCE, say.TOTAL, say.MONEY),
        title=_GROUP_TITLE,
    ),
    pattern(
        "GROUP_BALANCE_AT_MONTH_END",
        sql(
            'SELECT "currency", SUM("closingBalance") AS "balance"'
            ' FROM "TrusteeDataAccountBalance" WHERE "periodYear" = {year}'
            ' AND "periodMonth" = {month} AND {group} GROUP BY "currency" ORDER BY "currency"'
        ),
        questions(
            "Wie hoch war der Saldo der Gruppe {group} Ende Monat {month}/{year}?",
            "What was the balance of the group {group} at the end of month {month}/{year}?",
            "{year}年{month}月末{group}的余额是多少？",
        ),
        (_GROUP, YEAR, MONTH),
        about.BALANCE,
        asks=Asks.TOTAL,
        period=PeriodKind.MONTH_END,
        also=(say.BALANCE, say.TOTAL, say.MONEY),
        title=_GROUP_TITLE,
    ),
    pattern(
        "EXPENSE_OF_YEAR",
        sql(
            'SELECT "currency", SUM("closingBalance") AS "expense"'
            ' FROM "TrusteeDataAccountBalance" WHERE "periodYear" = {year}'
            ' AND "periodMonth" = 0 AND {group} GROUP BY "currency" ORDER BY "currency"'
        ),
        questions(
            "Wie hoch war der Aufwand der Gruppe {group} im Jahr {year}?",
            "What was the expense of the group {group} in {year}?",
            "{year}年{group}的费用是多少？",
        ),
        (_COSTS, YEAR),
        about.RESULT,
        period=PeriodKind.YEAR,
        also=(say.EXPENSE, say.TOTAL),
        title=texts("{group} {period}", "{group} in {period}", "{period}{group}"),
    ),
    pattern(
        "OPEN_PAYABLES",
        total("TrusteeDataOpenItem", "openAmount", where(itemType="payable"), "currency"),
        questions(
            "Wie viel ist auf Lieferantenrechnungen noch offen?",
            "How much is outstanding on supplier invoices?",
            "供应商发票还有多少未付？",
        ),
        (),
        about.OPEN_ITEMS,
        asks=Asks.TOTAL,
        words=say.OPEN_PAYABLES,
        also=(say.STILL,),
        title=texts(
            "Offen auf Lieferantenrechnungen",
            "Outstanding on supplier invoices",
            "供应商发票未付金额",
        ),
    ),
    pattern(
        "NUMBER_OF_CONTACTS",
        sql('SELECT COUNT(*) AS "contacts" FROM "TrusteeDataContact" WHERE {contactType}'),
        questions(
            "Wie viele Kontakte der Art {contactType} gibt es?",
            "How many contacts of the kind {contactType} are there?",
            "{contactType}有多少？",
        ),
        (_CONTACT_TYPE,),
        about.PARTIES,
        asks=Asks.HOW_MANY,
        words=(say.HOW_MANY,),
        also=(say.COUNTED,),
        title=texts(
            "Anzahl Kontakte ({contactType})",
            "Number of contacts ({contactType})",
            "联系人数量（{contactType}）",
        ),
    ),
    pattern(
        "CONTACTS_OF_TYPE",
        sql(
            'SELECT "name", "city" FROM "TrusteeDataContact"'
            ' WHERE {contactType} ORDER BY "name", "city"'
        ),
        questions(
            "Zeige alle Kontakte der Art {contactType}.",
            "Show all contacts of the kind {contactType}.",
            "显示所有{contactType}。",
        ),
        (_CONTACT_TYPE,),
        about.PARTIES,
        asks=Asks.WHICH,
        words=(say.LIST,),
        title=texts(
            "Kontakte ({contactType})", "Contacts ({contactType})", "联系人（{contactType}）"
        ),
    ),
    pattern(
        "EXCHANGE_RATE_AT_MONTH_END",
        rows(
            "TrusteeDataExchangeRate",
            ["rate"],
            where(currency="{currency}", periodYear="{year}", periodMonth="{month}"),
        ),
        questions(
            "Wie war der Wechselkurs {currency} Ende Monat {month}/{year}?",
            "What was the exchange rate of {currency} at the end of month {month}/{year}?",
            "{year}年{month}月末{currency}汇率是多少？",
        ),
        (CURRENCY, YEAR, MONTH),
        None,
        period=PeriodKind.MONTH_END,
        words=(say.RATE,),
        title=texts(
            "Kurs {currency} per {period}",
            "Exchange rate of {currency} as of {period}",
            "{period}{currency}汇率",
        ),
    ),
)
