"""Questions from other programs, answered as lines of JSON."""
