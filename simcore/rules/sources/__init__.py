"""When UDP sources send."""
