"""The checked tools and the verified agent for other agents, over the Model Context Protocol."""
