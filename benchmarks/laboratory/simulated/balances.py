"""Rewrites a query over journal lines into the equivalent one over stored balances."""

from collections.abc import Iterator

from sqlglot import exp

from benchmarks.laboratory.simulated.query import comparisons
from veridical.evals.gold.query import DIALECT

_LINES, _ENTRIES, _BALANCES = (
    "TrusteeDataJournalLine",
    "TrusteeDataJournalEntry",
    "TrusteeDataAccountBalance",
)
_WITH_AMOUNTS = (_LINES, _ENTRIES, _BALANCES, "TrusteeDataOpenItem")
_MONTH, _CURRENCY, _HOME = "periodMonth", "currency", "CHF"
_DEBIT, _CREDIT = "debitAmount", "creditAmount"
_CLOSING, _OPENING = "closingBalance", "openingBalance"


def over_balances(tree: exp.Query) -> Iterator[exp.Query]:
    """The same query over balances, first as it is, then for one currency."""
    for by_currency in (False, True):
        copied = tree.copy()
        reading = [select for select in copied.find_all(exp.Select) if _reads_lines(select)]
        done = [_rewritten(select, by_currency) for select in reading]
        if reading and all(done):
            yield copied


def in_home_currency(tree: exp.Query) -> exp.Query:
    """The same query about amounts in francs alone."""
    copied = tree.copy()
    for select in copied.find_all(exp.Select):
        amounts = next((table for table in _tables(select) if table.name in _WITH_AMOUNTS), None)
        if amounts is not None:
            _only_home(select, amounts.alias_or_name)
    return copied


def _reads_lines(select: exp.Select) -> bool:
    return any(table.name == _LINES for table in _tables(select))


def _tables(select: exp.Select) -> list[exp.Table]:
    sources = [select.args.get("from_"), *(select.args.get("joins") or ())]
    return [each.this for each in sources if each and isinstance(each.this, exp.Table)]


def _rewritten(select: exp.Select, by_currency: bool) -> bool:
    """Changes the query in place; false where it needs more than lines and their entries."""
    lines = next(table for table in _tables(select) if table.name == _LINES)
    entries = next((table for table in _tables(select) if table.name == _ENTRIES), None)
    differences = [node for node in select.find_all(exp.Sub) if _is_movement(node)]
    if entries is None or not differences:
        return False
    alias = lines.alias_or_name
    monthly = any(comparisons(select, _MONTH)) or _groups_by_month(select)
    for node in differences:
        node.replace(_figure(node, alias, monthly=monthly))
    for column in select.find_all(exp.Column):
        if column.table == entries.alias_or_name:
            column.set("table", exp.to_identifier(alias))
    _read_balances(select, lines, entries)
    if not monthly:
        select.where(f'{alias}."{_MONTH}" = 0', copy=False, dialect=DIALECT)
    if by_currency:
        _only_home(select, alias)
    return True


def _only_home(select: exp.Select, alias: str) -> None:
    quoted = exp.to_identifier(alias, quoted=True).sql(DIALECT)
    select.where(f"{quoted}.\"{_CURRENCY}\" = '{_HOME}'", copy=False, dialect=DIALECT)


def _is_movement(node: exp.Sub) -> bool:
    return {node.left.name, node.right.name} == {_DEBIT, _CREDIT}


def _groups_by_month(select: exp.Select) -> bool:
    return any(column.name == _MONTH for column in select.find_all(exp.Column))


def _figure(node: exp.Sub, alias: str, *, monthly: bool) -> exp.Expr:
    """A year's movement with its opening is what it closes with; a month's is the difference."""
    written = f'{alias}."{_CLOSING}"'
    if monthly:
        written = f'({written} - {alias}."{_OPENING}")'
    sign = "" if node.left.name == _DEBIT else "-"
    return exp.maybe_parse(f"{sign}{written}", dialect=DIALECT)


def _read_balances(select: exp.Select, lines: exp.Table, entries: exp.Table) -> None:
    alias = exp.TableAlias(this=exp.to_identifier(lines.alias_or_name))
    table = exp.Table(this=exp.to_identifier(_BALANCES, quoted=True), alias=alias)
    others = [each for each in select.args.get("joins") or () if each.this not in (lines, entries)]
    select.set("from_", exp.From(this=table))
    select.set("joins", others)
