"""Addresses of databases that can't be read are told plainly, and an answer full of addresses is
judged in time that grows with its length."""

import time

import pytest
from typer.testing import CliRunner

from veridical import gate
from veridical.cli.main import app
from veridical.contracts.proof import GateCode
from veridical.engines.registry import SHIPPED, engine_of
from veridical.ontology.errors import SourceError, SourceProblem

SECRET = "s3cret"
WRONG = {
    "user:s3cret@localhost:99999/shop": SourceProblem.BAD_PORT,
    "user:s3cret@localhost:0/shop": SourceProblem.BAD_PORT,
    "user:s3cret@localhost:abc/shop": SourceProblem.BAD_PORT,
    "user:s3cret@localhost:-1/shop": SourceProblem.BAD_PORT,
    "user:s3cret@[::1/shop": SourceProblem.NO_ADDRESS,
    "user:s3cret@[nowhere]/shop": SourceProblem.NO_ADDRESS,
    "user:s3cret%zz@localhost/shop": SourceProblem.BAD_ESCAPE,
    "user:s3cret%@localhost/shop": SourceProblem.BAD_ESCAPE,
    "user:s3cret@local%00host/shop": SourceProblem.NO_ADDRESS,
}
SCHEMES = sorted({scheme for kind in SHIPPED for scheme in kind.schemes})
ROWS = [{"category": "Jackets", "units": 921}, {"category": "Shoes", "units": 523}]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("rest", WRONG)
def test_s12_an_address_that_can_not_be_read_is_told(scheme: str, rest: str) -> None:
    with pytest.raises(SourceError) as caught:
        engine_of(f"{scheme}://{rest}")
    assert caught.value.problem is WRONG[rest]
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_s12_addresses_that_can_be_read_are_as_before(scheme: str) -> None:
    for rest in ("user:a%25b@localhost:3306/shop", "localhost/shop", "/shop.db", "user@[::1]:5/x"):
        assert engine_of(f"{scheme}://{rest}") is not None


@pytest.mark.parametrize("scheme", SCHEMES)
def test_s12_the_command_says_what_is_wrong(scheme: str) -> None:
    ran = CliRunner().invoke(app, ["init", f"{scheme}://user:s3cret@localhost:99999/shop"])
    assert ran.exit_code == 2
    assert "65535" in "".join(ran.output.split())
    assert "Internal" not in ran.output
    assert SECRET not in ran.output


@pytest.mark.parametrize(
    "unit", ["http://a.b/c", "http://", "https://a.b/Shoes?", "https://a.b/c?d=e&f=g", "www.a.b."]
)
def test_s12_glued_addresses_take_time_by_their_length(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * (size // len(unit) + 1))[:size]
        best = float("inf")
        for _ in range(3):
            began = time.thread_time()
            proof = gate.check(text, ROWS, question="How many?")
            best = min(best, time.thread_time() - began)
            assert GateCode.TOO_COMPLEX not in {each.code for each in proof.findings}
        return best

    seconds(1_000)
    assert seconds(55_000) < 20 * max(seconds(5_500), 0.01)
