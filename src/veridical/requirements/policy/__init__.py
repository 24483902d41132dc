"""The handling of findings: modes by rule and type, a baseline of known ones, dismissals."""
