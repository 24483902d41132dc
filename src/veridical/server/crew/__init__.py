"""Heavy work in processes that can be ended: an answer held against evidence, a call checked."""
