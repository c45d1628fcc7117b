"""The `orbis` command: one file per command, shared options in `options`, nothing heavy at import."""
