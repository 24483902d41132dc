"""Serves a model file on loopback with an OpenAI-compatible endpoint, until it is ended.

python tests/real_model/serve.py MODEL PORT prints READY once it answers.
"""

import sys
import threading
from pathlib import Path

import xllamacpp  # pyright: ignore


def main() -> None:
    """Load, serve, wait."""
    model, port = sys.argv[1:3]
    settings = xllamacpp.CommonParams()  # pyright: ignore
    settings.model.path = model
    settings.hostnames, settings.port = ["127.0.0.1"], int(port)
    settings.n_ctx, settings.n_parallel = 8192, 1
    settings.use_jinja, settings.warmup = True, True
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 2
    settings.sampling.temp, settings.sampling.seed = 0.0, 1
    settings.chat_template = Path(__file__).with_name("chat.jinja").read_text("utf-8")
    server = xllamacpp.Server(settings)  # pyright: ignore
    print("READY", server.listening_address, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
