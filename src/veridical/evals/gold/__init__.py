"""Gold questions: cases, their truths, and their time limits."""
