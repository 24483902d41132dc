"""Questions about bookings, invoices and contacts, each with its call."""

from veridical.ontology.model import Asks, CanonicalQueryPattern, PeriodKind
from veridical.packs.trustee.ontology import pattern_words as say
from veridical.packs.trustee.ontology import purposes as about
from veridical.packs.trustee.ontology.asking import (
    ACCOUNT_DIGITS,
    DAY,
    LIMIT,
    MONTH,
    NAME,
    YEAR,
    pattern,
    questions,
    rows,
    sql,
    total,
    where,
)
from veridical.packs.trustee.ontology.words import texts

JOURNAL_PATTERNS: tuple[CanonicalQueryPattern, ...] = (
    pattern(
        "POSTINGS_OF_ACCOUNT_IN_MONTH",
        sql(
            'SELECT e."bookingDate", e."text", l."debitAmount", l."creditAmount", l."currency"'
            ' FROM "TrusteeDataJournalLine" AS l'
            ' JOIN "TrusteeDataJournalEntry" AS e ON e."id" = l."journalEntryId"'
            ' WHERE l."accountNumber" = \'{account}\' AND e."periodYear" = {year}'
            ' AND e."periodMonth" = {month} ORDER BY e."bookingDate", l."id"'
        ),
        questions(
            "Zeige die Buchungen auf Konto {account} im Monat {month}/{year}.",
            "Show the postings on account {account} in month {month}/{year}.",
            "显示科目{account}在{year}年{month}月的分录。",
        ),
        (ACCOUNT_DIGITS, YEAR, MONTH),
        about.POSTINGS,
        asks=Asks.WHICH,
        period=PeriodKind.MONTH,
        words=(say.POSTING_ON_ACCOUNT,),
        also=(say.BOOKED,),
        title=texts(
            "Buchungen auf Konto {account} im {period}",
            "Postings on account {account} in {period}",
            "{period}科目{account}的分录",
        ),
    ),
    pattern(
        "LARGEST_BOOKINGS_OF_YEAR",
        {
            "tool": "queryTable",
            "tableName": "TrusteeDataJournalEntry",
            "fields": ["entryNumber", "bookingDate", "text", "totalAmount", "currency"],
            "filters": [
                *where(periodYear="{year}"),
                {"field": "source", "op": "!=", "value": "opening"},
            ],
            "orderBy": [{"field": "totalAmount", "direction": "desc"}],
            "limit": "{limit}",
        },
        questions(
            "Welches waren die {limit} grössten Buchungen im Jahr {year}?",
            "Which were the {limit} largest bookings in {year}?",
            "{year}年金额最大的{limit}笔凭证是哪些？",
        ),
        (YEAR, LIMIT),
        about.POSTINGS,
        asks=Asks.WHICH,
        period=PeriodKind.YEAR,
        words=(
            say.LARGEST,
            say.BOOKING,
        ),
        also=(say.BY_AMOUNT,),
        title=texts(
            "Die {limit} grössten Buchungen {period}",
            "The {limit} largest bookings of {period}",
            "{period}金额最大的{limit}笔凭证",
        ),
    ),
    pattern(
        "NUMBER_OF_BOOKINGS_IN_MONTH",
        {
            "tool": "aggregateTable",
            "tableName": "TrusteeDataJournalEntry",
            "aggregate": "COUNT",
            "field": "id",
            "filters": where(periodYear="{year}", periodMonth="{month}"),
        },
        questions(
            "Wie viele Buchungen gab es im Monat {month}/{year}?",
            "How many bookings were there in month {month}/{year}?",
            "{year}年{month}月有多少笔凭证？",
        ),
        (YEAR, MONTH),
        about.POSTINGS,
        asks=Asks.HOW_MANY,
        period=PeriodKind.MONTH,
        words=(
            say.HOW_MANY,
            say.BOOKING,
        ),
        also=(
            say.BOOKED,
            say.COUNTED,
        ),
        title=texts(
            "Anzahl Buchungen im {period}", "Number of bookings in {period}", "{period}凭证数量"
        ),
    ),
    pattern(
        "EXPENSE_BY_COST_CENTER",
        sql(
            'SELECT l."costCenter", l."currency",'
            ' SUM(l."debitAmount") - SUM(l."creditAmount") AS "expense"'
            ' FROM "TrusteeDataJournalLine" AS l'
            ' JOIN "TrusteeDataJournalEntry" AS e ON e."id" = l."journalEntryId"'
            " WHERE e.\"periodYear\" = {year} AND l.\"accountNumber\" BETWEEN '4000' AND '6999'"
            ' AND l."costCenter" IS NOT NULL GROUP BY l."costCenter", l."currency"'
            ' ORDER BY l."costCenter"'
        ),
        questions(
            "Wie hoch war der Aufwand je Kostenstelle im Jahr {year}?",
            "What was the expense per cost center in {year}?",
            "{year}年各成本中心的费用是多少？",
        ),
        (YEAR,),
        about.COST_CENTERS,
        period=PeriodKind.YEAR,
        words=(
            say.EXPENSE,
            say.PER_COST_CENTER,
        ),
        also=(say.MONEY,),
        title=texts(
            "Aufwand je Kostenstelle {period}",
            "Expense by cost center in {period}",
            "{period}各成本中心费用",
        ),
    ),
)

OFFICE_PATTERNS: tuple[CanonicalQueryPattern, ...] = (
    pattern(
        "OPEN_RECEIVABLES",
        total(
            "TrusteeDataOpenItem",
            "openAmount",
            where(itemType="receivable"),
            "currency",
        ),
        questions(
            "Wie viel ist auf Kundenrechnungen noch offen?",
            "How much is outstanding on customer invoices?",
            "客户发票还有多少未付？",
        ),
        (),
        about.OPEN_ITEMS,
        asks=Asks.TOTAL,
        words=say.OPEN_RECEIVABLES,
        also=(say.STILL,),
        title=texts(
            "Offen auf Kundenrechnungen", "Outstanding on customer invoices", "客户发票未付金额"
        ),
    ),
    pattern(
        "OVERDUE_INVOICES_AT_DAY",
        sql(
            'SELECT "invoiceNumber", "contactId", "dueDate", "invoiceAmount", "currency"'
            ' FROM "TrusteeDataOpenItem" WHERE "itemType" = \'receivable\' AND "dueDate" < {day}'
            ' AND ("paidDate" IS NULL OR "paidDate" >= {day}) ORDER BY "dueDate", "invoiceNumber"'
        ),
        questions(
            "Welche Kundenrechnungen sind am {day} überfällig?",
            "Which customer invoices are overdue on {day}?",
            "截至{day}哪些客户发票逾期？",
        ),
        (DAY,),
        about.OPEN_ITEMS,
        asks=Asks.WHICH,
        period=PeriodKind.DAY,
        words=(
            say.OVERDUE,
            say.CUSTOMER_INVOICE,
        ),
        title=texts(
            "Am {period} überfällige Kundenrechnungen",
            "Customer invoices overdue on {period}",
            "截至{period}逾期的客户发票",
        ),
    ),
    pattern(
        "CONTACT_BY_NAME",
        rows(
            "TrusteeDataContact",
            ["id", "name", "contactType", "city", "currency", "paymentTermDays"],
            [{"field": "name", "op": "like", "value": "%{name}%"}],
            "name",
        ),
        questions(
            "Zeige den Kontakt {name}.",
            "Show the contact {name}.",
            "显示联系人{name}。",
        ),
        (NAME,),
        about.PARTIES,
        asks=Asks.WHICH,
        words=(say.CONTACT,),
        title=texts("Kontakt {name}", "Contact {name}", "联系人{name}"),
    ),
)
