"""Questions that the balance table answers, each with its call."""

from veridical.ontology.model import CanonicalQueryPattern, PeriodKind
from veridical.packs.trustee.ontology import pattern_words as say
from veridical.packs.trustee.ontology import purposes as about
from veridical.packs.trustee.ontology.asking import (
    ACCOUNT,
    CLASS,
    MONTH,
    YEAR,
    account_like,
    pattern,
    questions,
    rows,
    sql,
    total,
    where,
)
from veridical.packs.trustee.ontology.words import texts

_BALANCES = "TrusteeDataAccountBalance"
_SHOWN = ["accountNumber", "closingBalance", "currency"]

BALANCE_PATTERNS: tuple[CanonicalQueryPattern, ...] = (
    pattern(
        "BANK_BALANCE_AT_YEAR_END",
        rows(
            _BALANCES,
            _SHOWN,
            [*where(periodYear="{year}", periodMonth=0), account_like("102%")],
            "accountNumber",
        ),
        {
            "de": (
                "Was ist der Banksaldo per 31.12.{year}?",
                "Wie hoch ist der Banksaldo Ende {year}?",
            ),
            "en": (
                "What is the bank balance as of 31 December {year}?",
                "What was the bank balance at the end of {year}?",
            ),
            "zh": ("{year}年12月31日的银行余额是多少？", "{year}年底的银行余额是多少？"),
        },
        (YEAR,),
        about.BALANCE,
        period=PeriodKind.YEAR_END,
        words=(say.BANK, say.ON_THE_BANK),
        also=(
            say.BALANCE,
            say.MONEY,
        ),
        title=texts("Banksaldo per {period}", "Bank balance as of {period}", "{period}银行余额"),
    ),
    pattern(
        "ACCOUNT_BALANCE_AT_YEAR_END",
        rows(
            _BALANCES,
            _SHOWN,
            where(accountNumber="{account}", periodYear="{year}", periodMonth=0),
        ),
        questions(
            "Wie hoch ist der Saldo von Konto {account} per Ende {year}?",
            "What is the balance of account {account} at the end of {year}?",
            "{year}年末科目{account}的余额是多少？",
        ),
        (ACCOUNT, YEAR),
        about.BALANCE,
        period=PeriodKind.YEAR_END,
        also=(
            say.BALANCE,
            say.CLOSING,
        ),
        title=texts(
            "Saldo von Konto {account} per {period} (Soll positiv)",
            "Balance of account {account} as of {period} (debit positive)",
            "科目{account}在{period}的余额（借方为正）",
        ),
    ),
    pattern(
        "ACCOUNT_BALANCE_AT_MONTH_END",
        rows(
            _BALANCES,
            _SHOWN,
            where(accountNumber="{account}", periodYear="{year}", periodMonth="{month}"),
        ),
        questions(
            "Wie hoch war der Saldo von Konto {account} per Ende Monat {month}/{year}?",
            "What was the balance of account {account} at the end of month {month}/{year}?",
            "科目{account}在{year}年{month}月末的余额是多少？",
        ),
        (ACCOUNT, YEAR, MONTH),
        about.BALANCE,
        period=PeriodKind.MONTH_END,
        also=(
            say.BALANCE,
            say.CLOSING,
        ),
        title=texts(
            "Saldo von Konto {account} per {period} (Soll positiv)",
            "Balance of account {account} as of {period} (debit positive)",
            "科目{account}在{period}的余额（借方为正）",
        ),
    ),
    pattern(
        "LIQUID_FUNDS_AT_YEAR_END",
        total(
            _BALANCES,
            "closingBalance",
            [
                *where(periodYear="{year}", periodMonth=0),
                {"field": "accountNumber", "op": "between", "value": ["1000", "1029"]},
            ],
            "currency",
        ),
        questions(
            "Wie hoch waren die flüssigen Mittel Ende {year}?",
            "How high were cash and bank balances at the end of {year}?",
            "{year}年底的流动资金是多少？",
        ),
        (YEAR,),
        about.BALANCE,
        period=PeriodKind.YEAR_END,
        words=(say.LIQUID,),
        also=(
            say.BALANCE,
            say.TOTAL,
        ),
        title=texts(
            "Flüssige Mittel per {period}", "Liquid funds as of {period}", "{period}流动资金"
        ),
    ),
    pattern(
        "ACCOUNT_BALANCE_BY_MONTH",
        rows(
            _BALANCES,
            ["periodMonth", "closingBalance", "currency"],
            [
                *where(accountNumber="{account}", periodYear="{year}"),
                {"field": "periodMonth", "op": "between", "value": [1, 12]},
            ],
            "periodMonth",
        ),
        questions(
            "Wie entwickelte sich der Saldo von Konto {account} im Jahr {year} Monat für Monat?",
            "How did the balance of account {account} develop month by month in {year}?",
            "{year}年科目{account}的余额逐月如何变化？",
        ),
        (ACCOUNT, YEAR),
        about.BALANCE,
        period=PeriodKind.YEAR,
        words=(
            say.BALANCE,
            say.MONTHLY,
        ),
        also=(
            say.COURSE,
            say.CLOSING,
        ),
        title=texts(
            "Saldo von Konto {account} im Jahr {year} je Monat (Soll positiv)",
            "Balance of account {account} by month in {year} (debit positive)",
            "{year}年科目{account}逐月余额（借方为正）",
        ),
    ),
    pattern(
        "ACCOUNT_BALANCE_BY_YEAR",
        rows(
            _BALANCES,
            ["periodYear", "closingBalance", "currency"],
            [
                *where(accountNumber="{account}", periodMonth=0),
                {"field": "periodYear", "op": ">=", "value": "{year}"},
            ],
            "periodYear",
        ),
        questions(
            "Wie hoch war der Saldo von Konto {account} je Jahr seit {year}?",
            "What was the balance of account {account} in each year since {year}?",
            "自{year}年以来科目{account}各年末余额是多少？",
        ),
        (ACCOUNT, YEAR),
        about.BALANCE,
        period=PeriodKind.SINCE_YEAR,
        words=(
            say.BALANCE,
            say.YEARLY,
        ),
        also=(
            say.COURSE,
            say.CLOSING,
        ),
        title=texts(
            "Saldo von Konto {account} je Jahr seit {year} (Soll positiv)",
            "Balance of account {account} by year since {year} (debit positive)",
            "{year}年以来科目{account}各年末余额（借方为正）",
        ),
    ),
    pattern(
        "REVENUE_OF_YEAR",
        sql(
            'SELECT "currency", -SUM("closingBalance") AS "revenue"'
            ' FROM "TrusteeDataAccountBalance" WHERE "periodYear" = {year}'
            ' AND "periodMonth" = 0 AND "accountNumber" LIKE \'3%\' GROUP BY "currency"'
        ),
        questions(
            "Wie hoch war der Umsatz im Jahr {year}?",
            "What was the revenue in {year}?",
            "{year}年的营业收入是多少？",
        ),
        (YEAR,),
        about.RESULT,
        texts(
            "Ertrag steht negativ: Vorzeichen drehen",
            "income is negative: flip the sign",
            "收入为负：需变号",
        ),
        period=PeriodKind.YEAR,
        words=(say.REVENUE,),
        also=(
            say.EARNED,
            say.TOTAL,
        ),
        title=texts("Umsatz {period}", "Revenue in {period}", "{period}营业收入"),
    ),
    pattern(
        "PROFIT_OF_YEAR",
        sql(
            'SELECT "currency", -SUM("closingBalance") AS "profit"'
            ' FROM "TrusteeDataAccountBalance" WHERE "periodYear" = {year} AND "periodMonth" = 0'
            " AND \"accountNumber\" BETWEEN '3000' AND '8999' GROUP BY \"currency\""
        ),
        questions(
            "Wie hoch war der Gewinn im Jahr {year}?",
            "What was the profit in {year}?",
            "{year}年的利润是多少？",
        ),
        (YEAR,),
        about.RESULT,
        texts("Klassen 3-8, ohne Abschluss 9", "classes 3-8, without closing 9", "3-8类，不含9类"),
        period=PeriodKind.YEAR,
        words=(say.PROFIT,),
        also=(
            say.EARNED,
            say.TOTAL,
        ),
        title=texts("Gewinn {period}", "Profit in {period}", "{period}利润"),
    ),
    pattern(
        "EXPENSE_ACCOUNTS_OF_CLASS",
        rows(
            _BALANCES,
            _SHOWN,
            [*where(periodYear="{year}", periodMonth=0), account_like("{accountClass}%")],
            "accountNumber",
        ),
        questions(
            "Welche Aufwände gab es {year} je Konto in Klasse {accountClass}?",
            "Which expenses were there in {year} per account of class {accountClass}?",
            "{year}年第{accountClass}类各科目的费用是多少？",
        ),
        (YEAR, CLASS),
        about.RESULT,
        period=PeriodKind.YEAR,
        words=(
            say.EXPENSE,
            say.PER_ACCOUNT,
        ),
        also=(say.WHICH_EXPENSES,),
        title=texts(
            "Aufwand je Konto der Klasse {accountClass} im Jahr {year}",
            "Expenses by account of class {accountClass} in {year}",
            "{year}年第{accountClass}类各科目费用",
        ),
    ),
    pattern(
        "ACCOUNT_TURNOVER_OF_YEAR",
        rows(
            _BALANCES,
            ["accountNumber", "debitTotal", "creditTotal", "currency"],
            where(accountNumber="{account}", periodYear="{year}", periodMonth=0),
        ),
        questions(
            "Wie hoch waren Soll-Umsatz und Haben-Umsatz auf Konto {account} im Jahr {year}?",
            "What were the debit total and the credit total of account {account} in {year}?",
            "{year}年科目{account}的借方和贷方发生额是多少？",
        ),
        (ACCOUNT, YEAR),
        about.TURNOVER,
        period=PeriodKind.YEAR,
        words=(say.DEBIT_AND_CREDIT,),
        also=(say.TOTAL,),
        title=texts(
            "Soll- und Haben-Umsatz von Konto {account} im Jahr {year}",
            "Debit and credit totals of account {account} in {year}",
            "{year}年科目{account}借贷发生额",
        ),
    ),
)
