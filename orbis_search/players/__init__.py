"""Who plays: players by name, levels, a game in progress, matches."""
