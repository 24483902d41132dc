"""A benchmark as a command: the options that all have, and how figures are shown."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any


def command(about: str | None, smoke: str = "") -> argparse.ArgumentParser:
    """A parser with ``--json``, and with ``--smoke`` where it is said what that is."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print the JSON object only")
    if smoke:
        parser.add_argument("--smoke", action="store_true", help=smoke)
    return parser


def show(
    found: Mapping[str, Any], options: argparse.Namespace, must_be_zero: Sequence[str] = ()
) -> None:
    """Print the figures, the last line as one JSON object; ends the process where one of those that
    must be zero is not."""
    if not options.json:
        for name, value in found.items():
            print(f"{name:28} {value}")
    print(json.dumps(found, ensure_ascii=False))
    if broken := [name for name in must_be_zero if found.get(name)]:
        sys.exit(f"not zero: {', '.join(broken)}")
