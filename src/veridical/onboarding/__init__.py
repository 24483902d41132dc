"""From a database to a first ontology: profile the data, mine what it shows, write it as drafts."""
