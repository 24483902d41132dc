"""Work on untrusted input, in a process of its own with limits of time, memory and size."""
