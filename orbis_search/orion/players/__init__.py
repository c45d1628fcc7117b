"""Who plays Master of Orion: players by name, and whole games."""
