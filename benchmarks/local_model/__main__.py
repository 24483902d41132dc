"""Fetches a model on first use and serves it: ``python -m benchmarks.local_model medium 8080``."""

import argparse

from benchmarks.local_model.serve import serve
from benchmarks.local_model.weights import MODELS, weights


def main() -> None:
    """Fetch, load, serve until ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=MODELS, help="0.5 or 1.5 billion parameters")
    parser.add_argument("port", type=int, help="on this machine only")
    parser.add_argument("--threads", type=int, default=2, help="cores that are free for it")
    options = parser.parse_args()
    serve(weights(options.model), options.port, options.threads)


if __name__ == "__main__":
    main()
