"""Facts: typed statements over results, computed and worded by the host."""
