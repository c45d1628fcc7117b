"""Who plays Master of Orion: players by name, levels, a game in progress, matches."""
