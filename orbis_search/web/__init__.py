"""The board in a browser: a page, and a server for it that speaks the engine's protocol."""
