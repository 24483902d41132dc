"""Whether runs survive: workers killed and frozen, a database that crashes, a deployment."""
