"""Units of measure that can be turned into each other, however they are spelt."""

import re
from dataclasses import dataclass

from veridical.late_pattern import late_pattern


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a unit measures, and how to turn it into the first unit of its kind."""

    kind: str
    factor: float = 1.0
    offset: float = 0.0


def _spelt(names: str, quantity: Quantity) -> dict[str, Quantity]:
    return dict.fromkeys(names.split("|"), quantity)


_QUANTITIES: dict[str, Quantity] = {
    **_spelt("°c|c|degrees celsius|degree celsius|celsius|grad celsius|℃|摄氏度",
             Quantity("temperature")),
    **_spelt("°f|f|degrees fahrenheit|fahrenheit|℉", Quantity("temperature", 5 / 9, -160 / 9)),
    **_spelt("m/s|meters per second|metres per second|meter per second|mps|米/秒",
             Quantity("speed")),
    **_spelt("km/h|kmh|kph|kilometers per hour|kilometres per hour", Quantity("speed", 1 / 3.6)),
    **_spelt("mph|miles per hour", Quantity("speed", 0.44704)),
    **_spelt("mm|millimeters|millimetres|millimeter|毫米", Quantity("length", 0.001)),
    **_spelt("cm|centimeters|centimetres|centimeter|厘米", Quantity("length", 0.01)),
    **_spelt("m|meters|metres|meter|metre|米", Quantity("length")),
    **_spelt("km|kilometers|kilometres|公里", Quantity("length", 1000.0)),
    **_spelt("in|inch|inches|\"", Quantity("length", 0.0254)),
    **_spelt("ft|feet|foot", Quantity("length", 0.3048)),
    **_spelt("hpa|hectopascal|hectopascals|mbar|millibars", Quantity("pressure")),
    **_spelt("%|percent|prozent|％", Quantity("percent")),
    **_spelt("years|year|jahre|jahren|jahr|年|岁", Quantity("years")),
    **_spelt("g|grams|gram|gramm|克", Quantity("mass")),
    **_spelt("kg|kilograms|kilogramm|公斤", Quantity("mass", 1000.0)),
    **_spelt("oz|ounces", Quantity("mass", 28.349523)),
}  # fmt: skip
_ALSO_WORDS = frozenset({"in", "m", "c", "f", "g", '"'})
_LEADING = late_pattern(
    r"[\s-]*("
    + "|".join(
        re.escape(name) + (r"(?![\w/])" if name[-1].isalpha() and name.isascii() else "")
        for name in sorted(_QUANTITIES, key=len, reverse=True)
        if name not in _ALSO_WORDS
    )
    + ")",
    re.IGNORECASE,
)


def quantity(unit: str) -> Quantity | None:
    """What the unit measures; none where it is not known."""
    return _QUANTITIES.get(unit.strip().casefold())


def converted(value: float, from_unit: str, to_unit: str) -> float | None:
    """The value in the other unit; none where the two do not measure the same."""
    source, target = quantity(from_unit), quantity(to_unit)
    if source is None or target is None or source.kind != target.kind:
        return None
    if source == target:
        return value
    return (value * source.factor + source.offset - target.offset) / target.factor


def unit_after(text: str) -> str:
    """The unit that a text begins with, as it is spelt; empty where none that is known does."""
    found = _LEADING.match(text)
    return found.group(1) if found else ""
