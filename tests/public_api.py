"""``python -m tests.public_api``: the earlier name of ``python -m tests.api.snapshot``."""

from tests.api.snapshot import write_snapshot

if __name__ == "__main__":
    write_snapshot()
