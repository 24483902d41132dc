"""The facts benchmark on a few facts: it runs, none differs, and a host that errs is caught."""

import json
import subprocess
import sys

import pytest

from benchmarks.facts.random_facts import Size, run
from veridical.facts.kernel import reduce

_FEW = Size(facts=150, evidences=10, rounds=1, hostile=1000)


def test_the_database_agrees_with_every_fact() -> None:
    found = run(_FEW, 3, None)
    assert found["facts"] >= 150
    assert found["accepted"] > 60
    assert {name: found[name] for name in ("host_false", "misprinted", "crashed")} == {
        "host_false": 0, "misprinted": 0, "crashed": 0}, found["examples"]  # fmt: skip


def test_a_host_that_averages_wrongly_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(reduce.FUNCTIONS, "avg", lambda numbers: sum(numbers) / (len(numbers) + 1))
    assert run(_FEW, 3, None)["host_false"]


def test_the_command_prints_one_object() -> None:
    command = [sys.executable, "-m", "benchmarks.facts", "--only", "cost", "--smoke", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["facts_of_an_answer"] == 14
    assert found["hostile_answers"] > 60
