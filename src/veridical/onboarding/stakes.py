"""The wrong figure if a finding is ignored, beside the right one, from the data."""

from veridical.onboarding.findings import Findings
from veridical.onboarding.kinds.soft_deletes import kept_mark
from veridical.onboarding.proposal import Proposal, ProposalKind
from veridical.onboarding.source import text_literal

_MOST = 200
"""Findings that a statement is spent on."""
_WORST = 1000.0


def with_stakes(findings: Findings) -> list[Proposal]:
    """The proposals, the gravest of them with a wrong and a right figure."""
    ranked = sorted(findings.proposals, key=lambda each: -each.stake)
    chosen = {each.id for each in ranked if each.kind in _STATEMENTS}
    spent = 0
    done: list[Proposal] = []
    for each in findings.proposals:
        if each.id in chosen and spent < _MOST:
            spent += 1
            done.append(_figured(findings, each))
        else:
            done.append(each)
    return done


def _figured(findings: Findings, each: Proposal) -> Proposal:
    sql = _STATEMENTS[each.kind](findings, each)
    row = findings.source.one(sql) if sql else None
    wrong, right = (*(row or ()), None, None)[:2]
    if wrong is None:
        return each
    stake = each.stake
    if isinstance(wrong, int | float) and isinstance(right, int | float) and right:
        stake = min(_WORST, abs(wrong - right) / abs(right))
    figures = {"wrong": _formatted(wrong), "right": "" if right is None else _formatted(right)}
    return each.model_copy(
        update={"evidence": {**each.evidence, **figures}, "stake": round(stake, 4)}
    )


def _formatted(value: object) -> str:
    if isinstance(value, float):
        text = f"{value:,.2f}"
        return text.removesuffix(".00")
    return f"{value:,}" if isinstance(value, int) else str(value)[:80]


def _sum(findings: Findings, each: Proposal) -> str:
    source = findings.source
    name = source.name(each.columns[0])
    return f"(SELECT SUM(t.{name}) FROM {source.table(each.table)} AS t)"


def _snapshot(findings: Findings, each: Proposal) -> str:
    source = findings.source
    place = source.table(each.table)
    over = each.target_columns
    columns = ", ".join(source.name(name) for name in over)
    latest = f"SELECT {columns} FROM {place} ORDER BY " + ", ".join(
        f"{source.name(name)} DESC" for name in over
    )
    met = " AND ".join(f"t.{source.name(name)} = d.{source.name(name)}" for name in over)
    name = source.name(each.columns[0])
    right = f"(SELECT SUM(t.{name}) FROM {place} AS t JOIN ({latest} LIMIT 1) AS d ON {met})"
    return f"SELECT {_sum(findings, each)}, {right}"


def _totals(findings: Findings, each: Proposal) -> str:
    source = findings.source
    value = each.values[0]
    written = text_literal(value) if isinstance(value, str) else str(value)
    own = f"t.{source.name(each.columns[0])}"
    name = source.name(str(each.evidence["measure"]))
    place = f"{source.table(each.table)} AS t"
    return f"SELECT SUM(t.{name}), SUM(CASE WHEN {own} <> {written} THEN t.{name} END) FROM {place}"


def _deleted(findings: Findings, each: Proposal) -> str:
    source = findings.source
    own = f"t.{source.name(each.columns[0])}"
    table = findings.tables[each.table]
    profile = table.by_name[each.columns[0]]
    mark = None if each.reason == "time" else kept_mark(table, profile)
    if each.reason != "time" and not profile.values:
        return ""
    kept = f"{own} IS NULL" if mark is None else f"CAST({own} AS TEXT) = {text_literal(str(mark))}"
    place = f"{source.table(each.table)} AS t"
    return f"SELECT COUNT(*), SUM(CASE WHEN {kept} THEN 1 ELSE 0 END) FROM {place}"


def _uncounted(findings: Findings, each: Proposal) -> str:
    marked, rows = each.evidence["marked"], each.evidence["rows"]
    return f"SELECT {rows}, {rows} - {marked}"


def _versions(findings: Findings, each: Proposal) -> str:
    source = findings.source
    names = ", ".join(f"t.{source.name(name)}" for name in str(each.evidence["thing"]).split(", "))
    place = f"{source.table(each.table)} AS t"
    things = f"(SELECT COUNT(*) FROM (SELECT DISTINCT {names} FROM {place}) AS d)"
    return f"SELECT COUNT(*), {things} FROM {place}"


def _mean(findings: Findings, each: Proposal) -> str:
    source = findings.source
    name = f"t.{source.name(each.columns[0])}"
    return f"SELECT SUM({name}), AVG({name}) FROM {source.table(each.table)} AS t"


def _only_sum(findings: Findings, each: Proposal) -> str:
    return f"SELECT {_sum(findings, each)}"


def _mixed(findings: Findings, each: Proposal) -> str:
    """The sum over all units, and that of the most frequent one, on the parent if necessary."""
    source = findings.source
    only = text_literal(str(each.values[0])) if len(each.values) > 1 else ""
    unit = source.name(each.target_columns[0])
    name = f"t.{source.name(each.columns[0])}"
    if not only or each.target is None:
        return ""
    place = f"{source.table(each.table)} AS t"
    if each.target != each.table:
        link = next((one for one in findings.links(each.table) if one.target == each.target), None)
        if link is None:
            return ""
        pairs = zip(link.columns, link.target_columns, strict=True)
        met = " AND ".join(f"t.{source.name(own)} = p.{source.name(far)}" for own, far in pairs)
        place += f" JOIN {source.table(each.target)} AS p ON {met}"
        unit = f"p.{unit}"
    else:
        unit = f"t.{unit}"
    return f"SELECT SUM({name}), SUM(CASE WHEN {unit} = {only} THEN {name} END) FROM {place}"


def _tenants(findings: Findings, each: Proposal) -> str:
    source = findings.source
    own = source.name(each.columns[0])
    place = source.table(each.table)
    one = f"(SELECT COUNT(*) FROM {place} AS t GROUP BY t.{own} ORDER BY 1 DESC LIMIT 1)"
    return f"SELECT (SELECT COUNT(*) FROM {place}), {one}"


_STATEMENTS = {
    ProposalKind.SNAPSHOT: _snapshot,
    ProposalKind.TOTAL_ROWS: _totals,
    ProposalKind.SOFT_DELETE: _deleted,
    ProposalKind.VALIDITY: _versions,
    ProposalKind.UNCOUNTED: _uncounted,
    ProposalKind.NOT_ADDITIVE: _mean,
    ProposalKind.CODE: _only_sum,
    ProposalKind.UNIT: _mixed,
    ProposalKind.TENANT: _tenants,
}
