"""Loss recovery: what is lost, and what is sent again."""
