"""Questions about bookings, invoices and contacts, each with its call."""

from veridical.ontology.model import CanonicalQueryPattern
from veridical.packs.trustee.ontology import purposes as about
from veridical.packs.trustee.ontology.asking import (
    ACCOUNT_DIGITS,
    DAY,
    MONTH,
    NAME,
    YEAR,
    asked,
    pattern,
    rows,
    sql,
    total,
    where,
)

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
        asked(
            "Zeige die Buchungen auf Konto {account} im Monat {month}/{year}.",
            "Show the postings on account {account} in month {month}/{year}.",
            "显示科目{account}在{year}年{month}月的分录。",
        ),
        (ACCOUNT_DIGITS, YEAR, MONTH),
        about.POSTINGS,
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
            "limit": 10,
        },
        asked(
            "Welches waren die zehn grössten Buchungen im Jahr {year}?",
            "Which were the ten largest bookings in {year}?",
            "{year}年金额最大的十笔凭证是哪些？",
        ),
        (YEAR,),
        about.POSTINGS,
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
        asked(
            "Wie viele Buchungen gab es im Monat {month}/{year}?",
            "How many bookings were there in month {month}/{year}?",
            "{year}年{month}月有多少笔凭证？",
        ),
        (YEAR, MONTH),
        about.POSTINGS,
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
        asked(
            "Wie hoch war der Aufwand je Kostenstelle im Jahr {year}?",
            "What was the expense per cost center in {year}?",
            "{year}年各成本中心的费用是多少？",
        ),
        (YEAR,),
        about.COST_CENTERS,
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
        asked(
            "Wie viel ist auf Kundenrechnungen noch offen?",
            "How much is outstanding on customer invoices?",
            "客户发票还有多少未付？",
        ),
        (),
        about.OPEN_ITEMS,
    ),
    pattern(
        "OVERDUE_INVOICES_AT_DAY",
        rows(
            "TrusteeDataOpenItem",
            ["invoiceNumber", "contactId", "dueDate", "openAmount", "currency"],
            [
                *where(itemType="receivable"),
                {"field": "status", "op": "in", "value": ["open", "partial"]},
                {"field": "dueDate", "op": "<", "value": "{day}"},
            ],
            "dueDate",
        ),
        asked(
            "Welche Kundenrechnungen sind am {day} überfällig?",
            "Which customer invoices are overdue on {day}?",
            "截至{day}哪些客户发票逾期？",
        ),
        (DAY,),
        about.OPEN_ITEMS,
    ),
    pattern(
        "CONTACT_BY_NAME",
        rows(
            "TrusteeDataContact",
            ["id", "name", "contactType", "city", "currency", "paymentTermDays"],
            [{"field": "name", "op": "like", "value": "%{name}%"}],
            "name",
        ),
        asked(
            "Zeige den Kontakt {name}.",
            "Show the contact {name}.",
            "显示联系人{name}。",
        ),
        (NAME,),
        about.PARTIES,
    ),
)
