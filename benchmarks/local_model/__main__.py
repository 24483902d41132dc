"""Fetches a model on first use and serves it: ``python -m benchmarks.local_model medium 8080``."""

import argparse
import threading
from pathlib import Path

import xllamacpp  # pyright: ignore

from benchmarks.local_model.weights import MODELS, weights

_SLOTS = 5
"""A run asks with other tools before its first result than after it: each keeps what was read."""

_ALIKE = 0.93
"""How much of a prompt a slot must have read to be taken; with the other tools it is less."""


def serve(model: Path, port: int, threads: int = 2, slots: int = _SLOTS) -> None:
    """Load, serve, wait; prints READY once it answers. Temperature 0 unless a request says more.

    The threads wait for each other in a loop: one that has no core to itself holds up all.
    """
    settings = xllamacpp.CommonParams()  # pyright: ignore
    settings.model.path = str(model)
    settings.hostnames, settings.port = ["127.0.0.1"], port
    settings.n_ctx, settings.n_parallel = slots * 8192, slots
    settings.slot_prompt_similarity = _ALIKE
    settings.use_jinja, settings.warmup = True, True
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    settings.sampling.temp, settings.sampling.seed = 0.0, 1
    settings.chat_template = Path(__file__).with_name("chat.jinja").read_text("utf-8")
    server = xllamacpp.Server(settings)  # pyright: ignore
    print("READY", server.listening_address, flush=True)
    threading.Event().wait()


def main() -> None:
    """Fetch, load, serve until ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=MODELS, help="0.5 or 1.5 billion parameters")
    parser.add_argument("port", type=int, help="on this machine only")
    parser.add_argument("--threads", type=int, default=2, help="cores that are free for it")
    parser.add_argument("--slots", type=int, default=_SLOTS, help="prompts that are kept")
    options = parser.parse_args()
    serve(weights(options.model), options.port, options.threads, options.slots)


if __name__ == "__main__":
    main()
