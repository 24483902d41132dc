"""The statement for a host with its own database code: a checked query with its caller's scope."""

from sqlglot import exp

from veridical.contracts.call import MetricCall, SqlCall
from veridical.contracts.caller import Scope
from veridical.contracts.checked import CheckedQuery
from veridical.contracts.schema import ValueType
from veridical.contracts.statement import Bound, ParamStyle, Statement
from veridical.ontology.catalog import Catalog
from veridical.statement.driver import STYLES, written_for
from veridical.statement.emit import at_most, call_shape, parameters_of, tree_of
from veridical.statement.errors import EngineError, Problem
from veridical.statement.scope import Ground, apply_scope, refuse_writes, scope_shape

_EVERY_TABLE = frozenset({"*"})


def host_statement(
    checked: CheckedQuery,
    catalog: Catalog,
    dialect: str,
    style: ParamStyle | None = None,
    namespace: tuple[str, ...] = (),
) -> Statement:
    """The SQL that reads the caller's rows and no others, with its parameters.

    Raises ``EngineError`` for what can't be scoped. A caller without a scope is taken for the
    whole database's owner, as the check takes it.
    """
    scope = checked.caller.scope
    tree, values = _unscoped(checked, catalog)
    columns = {name: frozenset(card.columns) for name, card in catalog.tables.items()}
    ground = Ground(namespace, columns, checked.columns, _places(catalog, namespace))
    shape = scope_shape(scope, frozenset() if scope.allowed else _EVERY_TABLE)
    scoped = apply_scope(tree, shape, ground, len(values) + 1)
    tenants = _tenants(scope, scoped.slots, catalog)
    limited = at_most(scoped.tree, checked.call.limit)
    wanted = style or STYLES.get(dialect, ParamStyle.QMARK)
    return written_for(limited, (*values, *tenants), dialect, wanted)


def _places(catalog: Catalog, namespace: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The full names of tables in several schemas; with only one, the host decides."""
    cards = catalog.tables.values()
    several = len({card.schema for card in cards if card.schema}) > 1
    return {card.name: card.place(namespace) for card in cards} if several else {}


def _unscoped(checked: CheckedQuery, catalog: Catalog) -> tuple[exp.Query, tuple[Bound, ...]]:
    call = checked.call
    if checked.tree is not None:
        tree = checked.tree.copy()
        refuse_writes(tree)
        return tree, ()
    if isinstance(call, MetricCall | SqlCall):
        raise EngineError(Problem.NOT_ALLOWED, part=call.tool)
    return tree_of(call_shape(call), catalog, checked.columns), parameters_of(call)


def _tenants(scope: Scope, slots: tuple[tuple[str, str], ...], catalog: Catalog) -> list[Bound]:
    """The tenants' values in the type of each table's column: drivers don't convert them."""
    return [
        _typed(value, catalog.tables[table].columns[column].type)
        for table, column in slots
        for value in scope.allowed[column]
    ]


def _typed(value: str | int, kind: ValueType) -> Bound:
    if kind is ValueType.TEXT:
        return str(value)
    whole = kind is ValueType.INTEGER and str(value).lstrip("-").isdecimal()
    return int(value) if whole else value
