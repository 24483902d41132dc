"""One question from route to answer. ``flow`` tells the story; the other files are its parts."""
