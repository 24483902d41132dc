"""The fingerprint of a finding: the same after lines move, files move folders, and ids stay."""

from collections import Counter
from hashlib import sha256

from veridical.requirements.files.requirement import Requirement

_LENGTH = 32


class Fingerprints:
    """Gives each finding of a review its fingerprint; repeated findings are numbered."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, ...]] = Counter()

    def of(self, rule: str, excerpt: str, *requirements: Requirement) -> str:
        """The fingerprint of what a rule found in a requirement, or between two."""
        stands = sorted(map(_identity, requirements))
        parts = (rule, " ".join(excerpt.casefold().split()), *stands)
        self._seen[parts] += 1
        return digest(*parts, str(self._seen[parts]))


def digest(*parts: str) -> str:
    """A short hash of several texts, none of which can run into the next."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]


def wording(requirement: Requirement) -> str:
    """A hash of what a requirement says, however it is broken into lines."""
    return digest(" ".join(requirement.text.split()))


def _identity(requirement: Requirement) -> str:
    """The file's name with its own id of the requirement; without one, with its wording."""
    key = requirement.id if requirement.is_named else wording(requirement)
    name = requirement.source.replace("\\", "/").rpartition("/")[2]
    return f"{name}\1{key}"
