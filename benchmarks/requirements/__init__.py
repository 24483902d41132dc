"""Requirements review: precision and recall by rule, kinds of pairs, requirements a second."""
