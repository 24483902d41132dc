"""What a constraint may demand, and the rates by which amounts are converted."""

from enum import StrEnum

from pydantic import Field as Pydantic

from veridical.contracts.wire import Wire


class ConstraintRule(StrEnum):
    """The rule of a constraint. Its parameters are documented at each rule."""

    NEVER_AGGREGATE = "NEVER_AGGREGATE"
    """no sum, no mean"""
    NEVER_SUM = "NEVER_SUM"
    """no sum over rows: a price, a rate. A mean has a sense, and another measure may be multiplied
    with it"""
    SEMI_ADDITIVE_OVER = "SEMI_ADDITIVE_OVER"
    """``fields``: not summed over these; each must be pinned to one value or grouped by.
    ``opening``: the field with the same stock at the start; less that, it is a flow and adds up.
    ``last_per``: not each of these has a row on every day; the last one of each holds until its
    next"""
    REQUIRES_FILTER_ON = "REQUIRES_FILTER_ON"
    """``fields``: each filtered or grouped by, to ``values`` only; or one of ``settled_by`` is.
    ``where_read``: only where one of these is read, which mean nothing without. ``ahead``: rows
    that start later are there already, so an open end alone chooses no day"""
    TYPE_MISMATCH_GUARD = "TYPE_MISMATCH_GUARD"
    """``encoding``: compared only with values of this encoding"""
    ALLOWED_VALUES = "ALLOWED_VALUES"
    """``values``: the closed list of values"""
    ONLY_FOR_PURPOSE = "ONLY_FOR_PURPOSE"
    """``purposes``: answers these questions and no others"""
    FAN_OUT = "FAN_OUT"
    """no sum or mean where a join repeats the row"""
    SAME_UNIT = "SAME_UNIT"
    """``fields``: the unit columns; each must be pinned to one value or grouped by, unless all of
    ``settled_by`` are: an account has one currency. ``Order.currency`` is the parent's, found
    along a relation. ``conversion``: the rates that convert it to one unit"""
    COUNTS_ONLY = "COUNTS_ONLY"
    """``condition``: figures are of the rows that meet it, in SQL: columns of the entity, and of
    its parents as ``Parent.column``, compared with values. ``where_read``: only figures that read
    one of these; with a key among them, also the number of rows. ``purposes``: only in questions of
    one of these; without, a warning"""
    ONE_LEVEL = "ONE_LEVEL"
    """``fields`` (one) and ``levels``: an aggregate stays within one level. A level without values
    has all the others. A measure with several such columns has one constraint for each"""
    EMPTY_COUNTS = "EMPTY_COUNTS"
    """rows without a value count as well: a share or a mean is over all rows, the empty included,
    and no join by it leaves them out. ``fields`` (one): whose value stands in for an empty one"""
    LOCAL_DAYS = "LOCAL_DAYS"
    """``zone`` and ``local_zone``: times are stored in the one, and days are those of the other; a
    time is shifted before its day is taken or compared"""
    FIRST_OR_LAST = "FIRST_OR_LAST"
    """``fields``: what may have several of these rows; figures per thing take its first or its
    last"""
    MERGED_INTO = "MERGED_INTO"
    """``fields`` (one): where it has a value, the row is a double of the one it names; figures per
    thing are of that one"""
    PERIOD_BY = "PERIOD_BY"
    """``fields``: the time that says when its figures are, or the number that says whose they are;
    ``instead_of``: others of the row, or of a parent, that don't"""
    NOT_KEPT = "NOT_KEPT"
    """no longer kept up to date: nothing is chosen, grouped or added up by it"""
    NOT_UNIQUE = "NOT_UNIQUE"
    """a name that several have: things are grouped and counted by their key"""
    SIGNED = "SIGNED"
    """amounts carry their sign: none is negated by its kind"""
    INCLUDES = "INCLUDES"
    """``fields``: parts that it has already: they are not added to it"""
    SPELLINGS = "SPELLINGS"
    """``levels``: what has several spellings, with all of them; who chooses one means all"""


class Conversion(Wire):
    """The rates by which an amount is converted to one unit."""

    rate: str
    """The field with the rate, ``Rate.perUnit``."""
    unit: str
    """The field of the same entity with the unit that is converted."""
    period: str = Pydantic(default="", exclude_if=lambda name: not name)
    """The field of the same entity with the period that the rate holds for."""
    day: str = Pydantic(default="", exclude_if=lambda text: not text)
    """What the period is compared with, in SQL: ``substr(invoice_date, 1, 7)``."""
    base: tuple[str, ...] = Pydantic(default=(), exclude_if=lambda values: not values)
    """The units that have no rate: their amounts stay as they are."""
    divides: bool = Pydantic(default=False, exclude_if=lambda divides: not divides)
    """True if amounts are divided by the rate."""
