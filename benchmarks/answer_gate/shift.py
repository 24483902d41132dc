"""A made-up figure: a written one, 3 to 40 % away from the truth, and written alike."""

import re
import zlib
from random import Random

FIGURE = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]|[.,]\d)", re.ASCII)
"""A number as English writes it, without its sign and unit; no part of a word or of a code."""
_LEAST, _MOST = 0.03, 0.40


def shifted(written: str, seed: str) -> str | None:
    """Another number, written with as many decimals; none for a zero, which has no share.

    The shift is drawn evenly from 3-40 %, up or down. Where so few digits round it away, the
    last digit moves by one.
    """
    value = float(written.replace(",", ""))
    decimals = len(written.partition(".")[2])
    step = 10.0**-decimals
    if value < step / 2:
        return None
    draw = Random(zlib.crc32(seed.encode()))
    share = draw.uniform(_LEAST, _MOST) * draw.choice((-1, 1))
    moved = round(value * (1 + share), decimals)
    if abs(moved - value) < step / 2:
        moved = value + (step if share > 0 or value <= step else -step)
    return f"{moved:,.{decimals}f}" if "," in written or value < 1000 else f"{moved:.{decimals}f}"
