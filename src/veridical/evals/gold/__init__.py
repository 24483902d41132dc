"""Gold questions: what is asked, what the books say, and how long an answer may take."""
