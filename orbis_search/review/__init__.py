"""A game judged: the review, its text, its JSON, its page and its plot."""
