"""How large an installation may be, and how large it is."""

from pathlib import Path

MOST_CORE_PACKAGES = 12
MOST_PACKAGES = 90
MOST_BYTES = 700_000_000


def bytes_in(folder: Path) -> int:
    """What is in a folder, each file once however often it is linked to."""
    stats = (path.lstat() for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    return sum({(each.st_dev, each.st_ino): each.st_size for each in stats}.values())
