"""The words of canonical questions: notions, each with the words that name it."""

from veridical.ontology.model import Words


def _notion(de: str, en: str, zh: str) -> Words:
    return {
        language: tuple(" ".join(word.split()) for word in words.split(","))
        for language, words in (("de", de), ("en", en), ("zh", zh))
    }


BALANCE = _notion(
    """Saldo, Salden, Kontostand, Kontostände, Stand, Bestand, Guthaben, Schlusssaldo, Endsaldo,
    Monatssaldo, Monatssalden, Jahresendsaldo, Jahresendsalden""",
    "balance, closing balance, ending balance",
    "余额, 期末余额, 结余",
)
BANK = _notion(
    "Bank, Bankkonto, Bankkonten",
    "bank, bank account",
    "银行, 银行存款, 银行账户余额, 银行账户里, 银行账户的余额, 银行账上",
)
ON_THE_BANK: Words = {
    "de": BANK["de"],
    "en": BANK["en"],
    "zh": ("余额", "结余", "存款", "钱", "多少钱", "银行存款", "银行账户余额", "银行账户的余额"),
}
"""In Chinese, the number of banks and the amount there have the same question words."""
MONEY = _notion("Geld", "money, on hand", "钱, 里, 账上")
LIQUID = _notion(
    "flüssige Mittel, liquide Mittel, Liquidität, Kasse und Bank, Bank und Kasse",
    "liquid funds, liquidity, cash and bank, cash and cash equivalents, cash and bank balances",
    "流动资金, 货币资金, 现金及银行存款, 现金和银行存款, 现金与银行存款",
)
TOTAL = _notion(
    "gesamt, insgesamt, total, Summe",
    "total, in total, overall, sum",
    "总额, 合计, 总计, 总共, 一共, 总",
)
MONTHLY = _notion(
    """Monat für Monat, pro Monat, je Monat, nach Monat, monatlich, monatsweise, Monatssaldo,
    Monatssalden, für jeden Monat, jeden Monat""",
    "month by month, by month, per month, monthly, each month, every month",
    "每月, 每个月, 逐月, 各月, 按月, 月度, 每月末, 各月末",
)
YEARLY = _notion(
    """je Jahr, pro Jahr, nach Jahr, Jahr für Jahr, jährlich, jedes Jahr, Jahresendsaldo,
    Jahresendsalden""",
    "each year, every year, by year, per year, year by year, yearly, annual",
    "各年, 每年, 逐年, 历年, 各年末, 每年末, 各年底, 各年度, 年度",
)
COURSE = _notion(
    "Verlauf, Entwicklung, entwickelt, entwickelte, entwickelten",
    "how, develop, developed, development, evolve, evolved",
    "变化, 如何变化, 走势",
)
CLOSING = _notion("Jahresende, Monatsende", "year end, month end", "年末, 年底, 月末, 月底, 期末")
REVENUE = _notion(
    "Umsatz, Umsätze, Betriebsertrag, Erlös, Erlöse, Verkaufserlös, Umsatzerlöse",
    "revenue, sales, operating revenue, sales revenue",
    "营业收入, 销售收入, 收入, 营业额, 销售额",
)
PROFIT = _notion(
    "Gewinn, Reingewinn, Nettogewinn, Jahresergebnis, Unternehmensergebnis",
    "profit, net profit, net income, net result",
    "利润, 净利润, 盈利, 纯利润, 净利",
)
EARNED = _notion(
    "gemacht, erzielt, erzielten, erwirtschaftet, Jahr",
    "make, made, earn, earned, generate, generated, achieve, achieved, year",
    "赚了, 赚, 实现, 实现了, 全年, 年度",
)
EXPENSE = _notion(
    "Aufwand, Aufwände, Aufwendungen, Kosten",
    "expense, cost, spend, spent, expenditure",
    "费用, 成本, 支出, 花了, 花费",
)
PER_ACCOUNT = _notion(
    "je Konto, pro Konto, nach Konto, Konten, einzelne Konten",
    "per account, by account, accounts",
    "各科目, 每个科目, 按科目, 科目",
)
WHICH_EXPENSES = _notion("welche, welchen", "which", "哪些")
PER_COST_CENTER = _notion(
    """je Kostenstelle, pro Kostenstelle, nach Kostenstelle, auf Kostenstellen,
    auf die Kostenstellen""",
    """per cost center, by cost center, each cost center, per cost centre, by cost centre,
    each cost centre, for each cost center""",
    "各成本中心, 每个成本中心, 按成本中心, 各个成本中心",
)
DEBIT_AND_CREDIT = _notion(
    """Soll und Haben, Soll-Umsatz und Haben-Umsatz, Sollumsatz und Habenumsatz,
    Soll- und Haben-Umsatz, Soll- und Habenumsatz, Soll- und Haben-Umsätze""",
    """debits and credits, debit and credit, debit total and the credit total,
    debit total and credit total, debit and credit totals, debit and credit turnover""",
    """借方和贷方发生额, 借贷发生额, 借方和贷方合计, 借方及贷方发生额, 借方与贷方发生额,
    借贷方发生额, 借方发生额和贷方发生额""",
)
BOOKING = _notion(
    "Buchung, Buchungen, Buchungssatz, Buchungssätze",
    "booking, journal entry, journal entries",
    "凭证",
)
POSTING = _notion(
    "Buchungszeile, Kontobewegung, Kontoblatt, Kontoauszug",
    "posting, transaction, entries, journal line",
    "分录, 明细, 凭证",
)
BOOKED = _notion(
    "erfasst, verbucht, gebucht, getätigt, gemacht",
    "made, posted, recorded, booked, entered",
    "记录",
)
LARGEST = _notion(
    "grösste, grössten, höchste, höchsten, top", "largest, biggest, highest, top", "最大, 最高"
)
BY_AMOUNT = _notion("nach Betrag, betragsmässig", "by amount, by value", "金额, 按金额, 笔, 前, 张")
HOW_MANY = _notion(
    "wie viele, wieviele, Anzahl, Zahl",
    "how many, number of, count of, the number",
    "多少, 几, 数量, 总数, 笔数, 家数",
)
COUNTED = _notion(
    "insgesamt, total", "in total, altogether", "笔, 张, 家, 个, 名, 位, 一共, 总共, 共"
)
LIST = _notion(
    "zeige, zeig, liste, alle, welche, auflisten, sämtliche",
    "show, list, all, which",
    "显示, 列出, 所有, 全部, 名单, 清单, 哪些, 列表",
)
OWED_TO_US = _notion(
    "schulden uns die Kunden, schulden uns unsere Kunden, schulden uns Kunden",
    "customers owe us, customers still owe us",
    "客户欠我们, 客户还欠我们, 客户欠款",
)
OWED_BY_US = _notion(
    """schulden wir unseren Lieferanten, schulden wir den Lieferanten, schulden wir Lieferanten,
    schulden wir noch den Lieferanten""",
    """we owe our suppliers, we still owe our suppliers, we owe suppliers, we owe to suppliers,
    we still owe suppliers, we owe to our suppliers""",
    "我们欠供应商, 我们还欠供应商, 欠供应商, 还欠供应商",
)
"""The order of the words tells debtor from creditor, so these are whole phrases."""


OPEN = _notion(
    "offen, ausstehend, unbezahlt, nicht bezahlt, Ausstände",
    "open, outstanding, unpaid, not paid",
    "未付, 未收, 未结清, 未清, 未支付, 还有多少未付, 有多少未付, 还有多少未收",
)
STILL = _notion("noch, derzeit, aktuell, momentan", "still, currently, yet", "还, 尚, 目前, 仍")
HOW_MUCH = _notion(
    "wie hoch, wie viel, wieviel, wie gross, Summe, Total, Betrag, Höhe",
    "how much, total, amount, sum, how high",
    "多少钱, 总额, 合计, 总计, 金额, 是多少, 还有多少未付, 有多少未付, 还有多少未收",
)
CUSTOMER_INVOICE = _notion(
    "Kundenrechnung, Debitorenrechnung, Debitor, Debitoren, Ausgangsrechnung, Rechnungen an Kunden",
    "customer invoice, sales invoice, receivable, trade receivable, accounts receivable",
    "客户发票, 销售发票, 应收账款, 应收款, 应收款项",
)
SUPPLIER_INVOICE = _notion(
    """Lieferantenrechnung, Kreditorenrechnung, Kreditor, Kreditoren, Eingangsrechnung,
    Rechnungen von Lieferanten""",
    "supplier invoice, vendor invoice, purchase invoice, payable, trade payable, accounts payable",
    "供应商发票, 采购发票, 应付账款, 应付款, 应付款项",
)


def _with(notion: Words, more: Words) -> Words:
    return {language: (*words, *more[language]) for language, words in notion.items()}


OPEN_RECEIVABLES = (
    HOW_MUCH,
    _with(OPEN, OWED_TO_US),
    _with(CUSTOMER_INVOICE, OWED_TO_US),
)
OPEN_PAYABLES = (
    HOW_MUCH,
    _with(OPEN, OWED_BY_US),
    _with(SUPPLIER_INVOICE, OWED_BY_US),
)
POSTING_ON_ACCOUNT = _with(POSTING, BOOKING)
OVERDUE = _notion("überfällig, überfälligen", "overdue, past due", "逾期, 已逾期, 过期")
RATE = _notion("Kurs, Wechselkurs, Devisenkurs, Währungskurs", "exchange rate, fx rate", "汇率")
CONTACT = _notion(
    "Kontakt, Kontaktdaten, Adresse", "contact, contact details, address", "联系人, 联系方式"
)

CURRENCIES: dict[str, tuple[str, ...]] = {
    "EUR": ("Euro", "Euros", "欧元"),
    "USD": ("US-Dollar", "Dollar", "U.S. dollar", "美元"),
}
CONTACT_TYPES: dict[str, tuple[str, ...]] = {
    "Customer": ("Kunde", "Kunden", "customer", "客户", "顾客"),
    "Supplier": ("Lieferant", "Lieferanten", "supplier", "vendor", "供应商"),
    "Employee": ("Mitarbeiter", "Mitarbeitende", "Angestellte", "employee", "员工"),
}
BALANCE_GROUPS: dict[str, tuple[str, ...]] = {
    "Cash": ("Kasse", "Kassa", "Bargeld", "cash", "petty cash", "现金", "库存现金"),
    "Receivables": ("Debitoren", "receivables", "accounts receivable", "应收账款"),
    "Payables": ("Kreditoren", "payables", "accounts payable", "应付账款"),
    "Inventory": ("Vorräte", "Warenlager", "Lager", "inventory", "inventories", "存货", "库存"),
    "PrepaidExpenses": ("aktive Rechnungsabgrenzung", "prepaid expenses"),
    "Accruals": ("passive Rechnungsabgrenzung", "accrued liabilities"),
    "LongTermDebt": ("langfristige Finanzschulden", "long-term debt"),
    "Provisions": ("Rückstellungen", "provisions"),
    "ShareCapital": ("Grundkapital", "Aktienkapital", "share capital"),
}
"""The groups whose balance is a question, except the bank, which has questions of its own."""
COST_GROUPS: dict[str, tuple[str, ...]] = {
    "StaffCost": ("Personalkosten", "staff costs", "personnel expenses", "personnel cost",
                  "人力成本", "人事费用"),
    "Wages": ("Lohnaufwand", "Lohnkosten", "wage costs", "salaries"),
    "SocialCost": ("Sozialversicherungskosten",),
    "Premises": ("Miete", "Mietaufwand", "Mietkosten", "rent", "rental", "租金"),
    "Depreciation": ("Abschreibung",),
}  # fmt: skip
