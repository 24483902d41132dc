"""Helpers for tests of one's own; production needs none of them."""

from typing import TYPE_CHECKING

from veridical.contracts.extras import lazy_names

if TYPE_CHECKING:
    from veridical.sample.postgres import LocalPostgres, local_postgres
    from veridical.testing.script import Script

_POSTGRES = "veridical.sample.postgres"
__all__ = ["LocalPostgres", "Script", "local_postgres"]

if not TYPE_CHECKING:  # a type checker is to report a name that there is not
    __getattr__ = lazy_names(
        __name__, {_POSTGRES: "LocalPostgres local_postgres", "script": "Script"}
    )
