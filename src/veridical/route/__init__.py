"""Where a question goes before any model is asked: chat, a known pattern, or the agent."""
