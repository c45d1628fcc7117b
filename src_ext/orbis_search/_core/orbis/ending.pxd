"""What Orbis knows of its own end: bundles of moves, bounds, and the last turns solved at once (two players).

A position is a state and, behind it, the worshipers of the centre once more: player 0 sees those of the state, player 1
the others; and what each player owes. In a game the two views are the same and nobody owes anything. Bundles lead to
positions where it is otherwise.

What is better for a player. A position is at least as good for A as another one that is alike but for this:
    1. A's realm can be exchanged into one that holds at least the other's, after any worshipers that it owes are taken
       from it, as suits A best; or B's the other way round;
    2. A sees at least as many worshipers of each colour on each tile, or B at most as many.
A copies: whatever A plays in the worse position it can play in the better one. It collects at least as much (2), can
pay by the same exchanges, still has what it owes, and is left with a realm as in 1, because it gives back the
difference first at the limit; a volcano finds what it found there, and what it removes is removed from what B
sees too, as far as it is there. What B plays in the better position it could play in the worse one as well. In the end
A has at least as many worshipers, the same tiles, and no fewer points. So a value found for the better position is at
least the value of the worse.

Bundles. A tile from a cell, face up or not, in a slot, validated or not, and:
    level 1    the ways to pay, exchange, give and keep. A has paid the coloured symbols from what it has of these
               colours and owes the rest: any-colour symbols, three for each symbol it must exchange for, what a
               village or Death takes, and, when it gained worshipers of its choice, four for each, having been given
               one of every colour. It keeps more than 10 if it has more. So A decides later, knowing more, what it
               gave now: by 1 this is at least as good as every way, and it counts right what is left in the end.
    level 2    also what its volcano removes: nothing from what A sees; from what B sees, of each colour
               on each tile as many as the volcano could take. By 2 this is at least as good as every choice.
A player who owes, or keeps more than 10, goes on in this way until its last turn: one way to play instead of
thousands, and by the same argument no worse than each of them. The limit itself is not owed: above 10 an
exchange costs nothing, as too many are held anyway, so they must not be counted off yet. No colour ever needs
more than 30: a realm of 10 takes at most 30 of one colour to exchange for, so more are forgotten, with as much debt.

In a player's last turn nothing is paid later, so only the number of worshipers left counts, the more the better. When
no region is taken after a turn nobody sees what a volcano removes.
"""

from ..game cimport Ending

cdef const Ending* orbis_ending() noexcept nogil
