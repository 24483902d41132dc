"""One runnable file per group of figures in ``docs/benchmarks.md``."""
