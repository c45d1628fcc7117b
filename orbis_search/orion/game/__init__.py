"""Master of Orion as plain data: its vocabulary, cards, positions, the rules, who knows what, and what is wrong."""
