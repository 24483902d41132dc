"""``veridical demo``: everything on sample data, in the browser."""

from typing import Annotated

import typer

from veridical.cli.error_reporting import out, reported_errors
from veridical.contracts.extras import MissingExtraError, require
from veridical.contracts.language import Language
from veridical.messages import message


def demo(
    port: Annotated[int, typer.Option(help="0 for any that is free.", min=0, max=65535)] = 0,
    browser: Annotated[bool, typer.Option(help="Open the console in the browser.")] = True,
    terminal: Annotated[
        bool, typer.Option("--terminal", help="One question on the terminal instead.")
    ] = False,
    language: Annotated[Language, typer.Option(help="The language of the texts.")] = Language.EN,
) -> None:
    """Try it out on sample data, in the browser: no key, no model, no internet needed.

    A PostgreSQL, the books of a trustee office, documents and a console with a tour of five clicks.
    Ctrl+C ends everything. With a model in veridical.toml or VERIDICAL_MODEL, the agent is on.
    """
    with reported_errors(language):
        require("engine", "local")
        if terminal or not _has_console():
            from veridical.cli.demo_terminal import play_on_terminal

            play_on_terminal(language)
            if not terminal:
                out.print(message("serve.demo_without_console", language), markup=False)
            return
        out.print(message("serve.demo_start", language), highlight=False, markup=False)
        from veridical.testing.postgres_ahead import postgres_ahead
        from veridical.testing.sample_folder import sample_folder

        with postgres_ahead(sample_folder()) as started:
            from veridical.cli.demo_console import serve_demo

            serve_demo(port, language, opens_browser=browser, started=started)


def _has_console() -> bool:
    try:
        require("server", "search")
    except MissingExtraError:
        return False
    return True
