"""Facts measured: computed again by a database, what they cost, what they hold back."""
