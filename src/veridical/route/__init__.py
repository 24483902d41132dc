"""Routes a question before any model call: chat, a known pattern, or the agent."""
