"""Where skills of AgentSociety find what they import from their host."""
