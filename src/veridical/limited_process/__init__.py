"""Work on what strangers send, in a process of its own with limits of time, memory and size."""
