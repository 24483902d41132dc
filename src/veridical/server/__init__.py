"""The HTTP face: it translates and never decides."""
