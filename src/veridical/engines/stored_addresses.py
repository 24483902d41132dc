"""Addresses with a password: in a file beside the settings that only its owner can read.

The settings name an address by the name that an environment variable would have; a variable that is
set comes first.
"""

import json
import os
import tomllib
from pathlib import Path

STORED_ADDRESSES = Path("connected") / "addresses.toml"
"""Below the folder of the settings."""
_FOR_ITS_OWNER = 0o600


def stored_addresses(folder: Path) -> dict[str, str]:
    """The addresses of this folder, by name."""
    path = folder / STORED_ADDRESSES
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def store_address(folder: Path, name: str, address: str | None) -> None:
    """Keeps an address under this name, or removes it."""
    found = stored_addresses(folder)
    found.pop(name, None)
    if address is not None:
        found[name] = address
    path = folder / STORED_ADDRESSES
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(
        os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FOR_ITS_OWNER), "w"
    ) as file:
        # a name has only letters, digits and underscores; JSON's strings are TOML's
        file.writelines(
            f"{each} = {json.dumps(found[each], ensure_ascii=False)}\n" for each in sorted(found)
        )
    fresh.replace(path)
