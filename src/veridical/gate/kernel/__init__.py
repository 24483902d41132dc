"""The kernel: evaluates expressions over typed evidence, and compares them with what is shown."""
