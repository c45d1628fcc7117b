"""How fast, how strong, how right: benchmarks and checks against the truth."""
