"""``veridical engines``: every engine with what its tests run on."""

import json

from typer.testing import CliRunner

from veridical.cli.main import app
from veridical.engines.kind import Label
from veridical.engines.registry import SHIPPED


def test_every_engine_is_listed_with_its_label() -> None:
    done = CliRunner().invoke(app, ["engines", "--json"])
    assert done.exit_code == 0, done.output
    rows = {row["name"]: row for row in json.loads(done.output)}
    assert set(rows) >= {kind.name for kind in SHIPPED}
    assert rows["mysql"]["label"] == Label.REAL_SERVER
    assert {rows["snowflake"]["label"], rows["bigquery"]["label"]} == {Label.CONTRACT_ONLY}


def test_the_table_says_it_too() -> None:
    done = CliRunner().invoke(app, ["engines", "--language", "de"], env={"COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    assert "MariaDB/MySQL" in done.output
    assert "contract only" in done.output
