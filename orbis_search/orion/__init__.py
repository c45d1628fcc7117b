"""Master of Orion: The Board Game, the second game. Its rooms are in the order of those of Orbis."""
