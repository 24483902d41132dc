"""The front door where the packages behind it are not installed."""

from pathlib import Path

import pytest

from tests.without_extras import python

_OPEN = "import veridical\nveridical.open('veridical.toml')"


@pytest.mark.parametrize(
    ("extras", "named"), [((), "agent,engine"), (("agent",), "engine"), (("engine",), "agent")]
)
def test_what_to_install_is_named(extras: tuple[str, ...], named: str, tmp_path: Path) -> None:
    done = python(_OPEN, tmp_path, extras)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "MissingExtraError" in last
    assert f"veridical[{named}]" in last


def test_sample_data_names_the_extra_with_the_server(tmp_path: Path) -> None:
    program = (
        "import veridical\nwith veridical.open(pack='trustee', database='sample'):\n    pass\n"
    )
    done = python(program, tmp_path, ("agent", "engine"))
    assert "veridical[local]" in done.stderr.splitlines()[-1]


def test_values_and_verdicts_need_none(tmp_path: Path) -> None:
    program = "from veridical import Answer, Caller, LoadError, Proof, Refusal, SqlCall, gate\n"
    program += "print(gate.check('Bern: 1200', [{'sales': 1200}]).ok)\n"
    done = python(program, tmp_path)
    assert done.stdout == "True\n", done.stderr
