"""``veridical``, as it is installed: the command line, or what to install for it."""

import sys

from veridical.contracts.extras import MissingExtraError, named_when_missing
from veridical.contracts.language import Language


def main() -> None:
    """Run the command that was typed. Exit code 2 where the command line is not installed."""
    try:
        with named_when_missing():
            from veridical.cli.main import app
    except MissingExtraError as error:
        print(f"✗ {error.message(Language.EN)}", file=sys.stderr)
        sys.exit(2)
    app()
