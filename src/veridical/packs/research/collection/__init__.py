"""Rules and memos of a trustee office: own texts, dated, some replaced by newer ones."""
