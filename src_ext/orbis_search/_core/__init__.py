"""Everything that runs without the GIL. Lowest first: common, game, orbis and toy, search."""
