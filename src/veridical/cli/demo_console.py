"""The demo in the browser: a server for trying out, and a link that signs in once."""

import webbrowser

from veridical.cli.error_reporting import out
from veridical.cli.server_process import Demo, run_server
from veridical.contracts.language import Language
from veridical.host.settings import FeatureSettings
from veridical.messages import message
from veridical.testing.postgres_ahead import Started

_LOOPBACK = "127.0.0.1"


def serve_demo(
    port: int,
    language: Language,
    *,
    opens_browser: bool,
    own: FeatureSettings | None = None,
    started: Started | None = None,
) -> None:
    """Serve until Ctrl+C, on this machine alone; with data of one's own instead of the sample, and
    with a PostgreSQL that is ``started`` already where there is one."""

    def begin(link: str, key: str) -> None:
        _line(message("serve.demo_link", language, link=link))
        _line(message("serve.demo_key", language, written=key))
        _line(message("serve.demo_end", language))
        if opens_browser:
            webbrowser.open(link)

    demo = Demo(begin, started)
    run_server(_LOOPBACK, port, None, language, sample=own is None, own=own, demo=demo)


def _line(text: str) -> None:
    """On one line however long, so that it can be copied."""
    out.print(text, highlight=False, markup=False, soft_wrap=True)
