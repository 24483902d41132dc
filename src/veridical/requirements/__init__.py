"""Requirements review: findings by rule, scores, rewrites, duplicates and conflicts."""
