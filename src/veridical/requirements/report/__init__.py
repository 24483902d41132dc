"""Reports of a review: SARIF for code review, and a page for people."""
