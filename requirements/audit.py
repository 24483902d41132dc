"""Asks whether anything is known against the packages that Veridical is installed with.

Fails on what is known. Where no advisory service can be asked, it says so, and neither fails nor
calls the packages clean: silence proves nothing.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

SERVICES = ("pypi", "osv")
LOCKED = Path(__file__).with_name("runtime.txt")
_PATIENCE = 180
"""Seconds for one service: an address that swallows packets is a service that does not answer."""


@dataclass(frozen=True, slots=True)
class Audit:
    """What services said: of which packages they knew, and what is known against them."""

    answered: frozenset[str] = frozenset()
    findings: tuple[str, ...] = ()

    def __or__(self, other: "Audit") -> "Audit":
        both = dict.fromkeys((*self.findings, *other.findings))
        return Audit(self.answered | other.answered, tuple(both))


def packages(locked: str) -> frozenset[str]:
    """The names in a file of locked packages, each with its version."""
    starts = (line.split("==") for line in locked.splitlines() if line[:1].isalnum())
    return frozenset(start[0].split("[")[0] for start in starts)


def read_report(report: str) -> Audit:
    """What a report of pip-audit says; an empty one, or one that broke off, says nothing."""
    try:
        dependencies = json.loads(report)["dependencies"]
    except (json.JSONDecodeError, KeyError, TypeError):
        return Audit()
    answered = [each for each in dependencies if "skip_reason" not in each]
    return Audit(
        frozenset(each["name"] for each in answered),
        tuple(
            f"{each['name']} {each['version']}: {found['id']}"
            f" (fixed in {', '.join(found['fix_versions']) or 'no version'})"
            for each in answered
            for found in each["vulns"]
        ),
    )


def ask(service: str) -> Audit:
    """What this service knows of the locked packages."""
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(LOCKED)]
    options = ["--require-hashes", "--disable-pip", "--progress-spinner=off", "--format=json"]
    try:
        asked = subprocess.run(  # noqa: S603 - no part of the command comes from elsewhere
            [*command, *options, f"--vulnerability-service={service}"],
            capture_output=True,
            text=True,
            timeout=_PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Audit()
    return read_report(asked.stdout)


def verdict(audit: Audit, locked: frozenset[str]) -> tuple[int, list[str]]:
    """The exit code, and what to say."""
    if audit.findings:
        return 1, ["known vulnerabilities:", *(f"  {each}" for each in audit.findings)]
    if not audit.answered:
        return 0, [
            f"NOT CHECKED: no advisory service ({', '.join(SERVICES)}) could be asked here.",
            f"Whether anything is known against the {len(locked)} locked packages is open.",
        ]
    said = [f"nothing is known against {len(audit.answered)} locked packages"]
    silent = sorted(locked - audit.answered)
    if silent:
        said.append(f"no answer, or not installed on this platform: {', '.join(silent)}")
    return 0, said


def main() -> int:
    """Ask one service after the other, until all packages are answered for."""
    locked = packages(LOCKED.read_text())
    audit = Audit()
    for service in SERVICES:
        audit |= ask(service)
        if audit.answered >= locked:
            break
    code, said = verdict(audit, locked)
    print(*said, sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
