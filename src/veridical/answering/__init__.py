"""One question from route to answer. ``flow`` has the sequence; the other files are its parts."""
