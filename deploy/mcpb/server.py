"""Starts ``veridical mcp`` with what the person typed in when installing the bundle."""

import os
import sys

OPTIONS = ("feature", "database", "ontology", "language")


def arguments() -> list[str]:
    """The command line; what was left empty, or not filled in by the program, is left out."""
    found = ["mcp"]
    for name in OPTIONS:
        given = os.environ.get(f"VERIDICAL_BUNDLE_{name.upper()}", "").strip()
        if given and not given.startswith("${"):
            found += [f"--{name}", given]
    for each in os.environ.get("VERIDICAL_BUNDLE_SCOPE", "").split(","):
        if "=" in each:
            found += ["--scope", each.strip()]
    return found


if __name__ == "__main__":
    from veridical.cli.main import app

    sys.argv[1:] = arguments()
    app()
