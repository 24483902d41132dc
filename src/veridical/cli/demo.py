"""``veridical demo``: everything on sample data, in the browser."""

from typing import Annotated

import typer

from veridical.cli.error_reporting import reported_errors
from veridical.contracts.extras import require
from veridical.contracts.language import Language


def demo(
    language: Annotated[Language, typer.Option(help="The language of the texts.")] = Language.EN,
) -> None:
    """Try it out on sample data, in the browser: no key, no model, no internet needed."""
    with reported_errors(language):
        require("engine", "local")
        from veridical.cli.demo_terminal import play_on_terminal

        play_on_terminal(language)
