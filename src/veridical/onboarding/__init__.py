"""From a database to a first ontology: profile the data, mine it, write the findings as drafts."""
