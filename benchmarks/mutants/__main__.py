"""``python -m benchmarks.mutants``: the figures as one JSON object on the last line."""

import argparse
import json
import sys

from benchmarks import mutants


def _tell(what: str, done: int) -> None:
    print(f"{done} {what}", file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=mutants.__doc__)
    parser.add_argument("--limit", type=int)
    print(json.dumps(mutants.run(parser.parse_args().limit, _tell), ensure_ascii=False))
