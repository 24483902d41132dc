"""Units of measure by their signs, read once from ``units.toml``; currencies by code."""

from collections.abc import Collection
from dataclasses import replace
from functools import cache
from typing import Any

from veridical.evidence.dimension import COUNT, Dimension, Quantity
from veridical.reading.units import CURRENCIES, CURRENCY_SIGNS, HAN_CURRENCIES
from veridical.word_file import word_file

_LONGEST_COUNTER = 3


@cache
def unit_dimension(sign: str) -> Dimension | None:
    """The dimension that a sign stands for: ``EUR``, ``min``, ``%``, ``万元``, ``TCHF``; none if
    unknown."""
    return _plain(sign) or _scaled(sign)


def dimension_in(unit: str) -> Dimension:
    """The dimension of a figure whose row names its unit."""
    code = CURRENCIES.get(unit)
    return Dimension(Quantity.MONEY, code) if code else Dimension(Quantity.MEASURE, unit)


def common_dimension(units: Collection[str]) -> Dimension:
    """The dimension of a column whose rows name these units: without one where they differ."""
    found = {dimension_in(unit) for unit in units}
    if len(found) == 1:
        return found.pop()
    money = bool(found) and all(each.quantity is Quantity.MONEY for each in found)
    return Dimension(Quantity.MONEY if money else Quantity.NUMBER)


def _plain(sign: str) -> Dimension | None:
    currency = CURRENCIES.get(sign) or CURRENCY_SIGNS.get(sign) or HAN_CURRENCIES.get(sign)
    if currency is None and sign.upper() in CURRENCIES and sign.casefold() not in _signs():
        currency = CURRENCIES[sign.upper()]
    if currency is not None:
        return Dimension(Quantity.MONEY, currency)
    return _signs().get(sign.casefold())


def _scaled(sign: str) -> Dimension | None:
    """A currency in thousands or millions, or a plain scale: ``TCHF``, ``万元``, ``k``."""
    folded = sign.casefold()
    for scale, factor in _scales().items():
        if folded == scale:
            return replace(COUNT, factor=factor)
        if folded.startswith(scale):
            rest = _plain(sign[len(scale) :])
            if rest is not None and rest.quantity is Quantity.MONEY:
                return replace(rest, factor=factor)
            if not scale.isascii() and 0 < len(sign) - len(scale) <= _LONGEST_COUNTER:
                return replace(COUNT, factor=factor)
    return None


def scale_factor(sign: str) -> float | None:
    """The factor of a scale: a thousand for ``k``."""
    return _scales().get(sign.casefold())


@cache
def unit_name(dimension: Dimension) -> str:
    """The name of a unit in the file: ``min``, ``kWh``; the base unit where none fits."""
    if dimension.quantity is Quantity.DURATION:
        kinds = [_loaded()["duration"]]
    else:
        kinds = [units for units in _loaded()["measure"].values() if dimension.unit in units]
    for units in kinds:
        for name, unit in units.items():
            if float(unit["factor"]) == dimension.factor:
                return str(name)
    return dimension.unit


def _loaded() -> dict[str, Any]:
    return word_file("veridical.evidence", "units.toml")


@cache
def _scales() -> dict[str, float]:
    return {
        sign: float(scale["factor"])
        for scale in _loaded()["scale"].values()
        for sign in scale["signs"].split()
    }


@cache
def _signs() -> dict[str, Dimension]:
    tables = _loaded()
    found: dict[str, Dimension] = {}
    _collect(tables["duration"], Quantity.DURATION, "", found)
    _collect(tables["share"], Quantity.SHARE, "", found)
    for units in tables["measure"].values():
        base = next(name for name, unit in units.items() if unit["factor"] == 1)
        _collect(units, Quantity.MEASURE, base, found)
    return found


def _collect(
    units: dict[str, Any], quantity: Quantity, base: str, found: dict[str, Dimension]
) -> None:
    for unit in units.values():
        for sign in unit["signs"].split():
            found[sign] = Dimension(quantity, base, float(unit["factor"]))
