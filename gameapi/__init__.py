"""What a game promises to agents and experiments, and the few services that promise needs."""
