"""The only door to the compiled core: packing, and the rules at full speed."""
