"""What is simulated: the schema of a scenario, its profiles, loading, and the errors that people read."""
