"""Trustee: Swiss accounting as a trustee office keeps it for its clients."""
