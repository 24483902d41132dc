"""Sample data to try Veridical out: a local PostgreSQL with a pack's books and documents."""
