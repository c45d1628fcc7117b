"""The only door to the compiled core of Master of Orion: packing, and its rules at full speed."""
