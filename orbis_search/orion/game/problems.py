"""Everything wrong with a position, each problem with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ...base.errors import InputError, Problem
from ...base.language import _, ngettext
from ...base.names import player_name_problem, player_place
from ...base.quoting import nearest, shown
from .cards import Bury, DismissAdvisor, FillCell, Opponents, Printed, Structure
from .counting import source_at
from .effects import task_moves
from .position import (
    ADVISOR,
    ANYWHERE,
    Drawing,
    Drop,
    Hire,
    Phase,
    PickActivation,
    PickBuild,
    PickDiscard,
    PickOrder,
    PickVictim,
    Player,
    Position,
    Ref,
    Run,
    Task,
    Trigger,
)
from .table import Table
from .vocabulary import (
    ADVISORS_OUT,
    ATTACKS,
    CUBES,
    HUMANS,
    MOST_LOYALTY,
    MOST_RESOURCE,
    RESOURCE_WORDS,
    ROUNDS,
    SYSTEM_SIZE,
    SYSTEMS,
    UNKNOWN,
    Colour,
)

LEAST_LOYALTY = -99
MOST_VP = 255
MOST_STACK = 64  # pending tasks: more than any game can have


def expect_position(position: Position) -> None:
    """InputError with every problem, if there is one."""
    if found := problems(position):
        raise InputError(found)


def problems(position: Position) -> list[Problem]:
    """Everything wrong with a position whose parts are of the right kinds."""
    if len(position.players) not in ATTACKS:
        return [
            Problem(
                "player", _("expected {what}, found {found}", what=_("2 to 4 players"), found=len(position.players))
            )
        ]
    found = list(_table_problems(position))
    found += _race_problems(position)
    for seat, player in enumerate(position.players):
        place = player_place(seat, player.name)
        found += _player_problems(position, player, seat, place)
        found += _system_problems(position, player, place)
    found += _advisor_problems(position)
    found += _card_problems(position)
    # What is due can be looked at only where everything else is sound.
    return found or list(_pending_problems(position)) or list(_due_problems(position))


def _number(place: str, found: int, low: int, high: int) -> Iterator[Problem]:
    if not low <= found <= high:
        what = _("a whole number from {low} to {high}", low=low, high=high)
        yield Problem(place, _("expected {what}, found {found}", what=what, found=shown(found)))


def _table_problems(position: Position) -> Iterator[Problem]:
    seats = len(position.players)
    yield from _number("round", position.round, 1, ROUNDS)
    yield from _number("first", position.first + 1, 1, seats)
    yield from _number("to_move", position.turn + 1, 1, seats)
    if len(position.stack) > MOST_STACK:
        yield from _number("pending", len(position.stack), 0, MOST_STACK)
    for number, task in enumerate(position.stack, start=1):
        yield from _number(f"pending {number}, player", task.player + 1, 1, seats)


def _race_problems(position: Position) -> list[Problem]:
    """An alien race is taken at most once; any number may play Humans (section 2)."""
    found: list[Problem] = []
    first: dict[str, int] = {}
    for seat, player in enumerate(position.players):
        place = f"{player_place(seat, player.name)}, race"
        if player.race not in position.cards.race:
            found.append(_not_in_set(place, player.race, position.cards.race))
        elif player.race != HUMANS and player.race in first:
            other = first[player.race]
            message = _(
                "expected another race than that of player {number}, found {found}", number=other + 1, found=player.race
            )
            found.append(Problem(place, message))
        first.setdefault(player.race, seat)
    return found


def _not_in_set(place: str, found: str, known: Iterable[str]) -> Problem:
    message = _("expected an id of the card set, found {found}", found=shown(found))
    return Problem(place, message + nearest(found, known))


def _player_problems(position: Position, player: Player, seat: int, place: str) -> Iterator[Problem]:
    if message := player_name_problem(player.name):
        yield Problem(f"{place}, name", message)
    for word, amount in zip(RESOURCE_WORDS, player.resources):
        yield from _number(f"{place}, {word}", amount, 0, MOST_RESOURCE)
    yield from _number(f"{place}, loyalty", player.loyalty, LEAST_LOYALTY, MOST_LOYALTY)
    yield from _number(f"{place}, vp", player.vp, 0, MOST_VP)
    yield from _number(f"{place}, available", player.available, 0, CUBES)
    yield from _number(f"{place}, reserve", player.reserve, 0, CUBES)
    if player.on_boards < player.propaganda + sum(player.attacks):
        total = CUBES - player.on_boards + player.propaganda + sum(player.attacks)
        message = ngettext(
            "expected at most {n} cube in all, found {found}",
            "expected at most {n} cubes in all, found {found}",
            CUBES,
            found=total,
        )
        yield Problem(place, message)
    if len(player.attacks) != len(position.players) or player.attacks[seat]:
        what = _("a number for each player, 0 for the own seat")
        yield Problem(
            f"{place}, attacks", _("expected {what}, found {found}", what=what, found=_a_list(player.attacks))
        )
    for number in player.attacks:
        yield from _number(f"{place}, attacks", number, 0, ATTACKS[len(position.players)])


def _a_list(numbers: tuple[int, ...]) -> str:
    return shown(" ".join(map(str, numbers)))


def _system_problems(position: Position, player: Player, place: str) -> Iterator[Problem]:
    plain = sum(not system.advisor for system in player.systems)
    if plain > SYSTEMS:
        yield from _number(f"{place}, systems", plain, 0, SYSTEMS)
    for number, system in enumerate(player.systems):
        where = f"{place}, system {number + 1}"
        if not system.cards and not system.advisor:
            yield Problem(where, _("expected at least one card, found none"))
        if system.size > SYSTEM_SIZE:
            yield from _number(where, system.size, 1, SYSTEM_SIZE)
        strange = [card for card in system.cards if card not in position.cards.structure]
        for card in strange:
            yield _not_in_set(where, card, position.cards.structure)
        top = position.cards.structure.get(system.cards[-1]) if system.cards else None
        if not strange:
            yield from _cell_problems(where, top, system.a, system.r)


def _cell_problems(place: str, card: object, a: bool, r: bool) -> Iterator[Problem]:
    """Only working cards hold cubes, in cells that they have."""
    for letter, filled, has in (("A", a, getattr(card, "has_a", False)), ("R", r, getattr(card, "has_r", False))):
        if filled and not has:
            yield Problem(place, _("expected no cube in a cell that is not there, found one in {cell}", cell=letter))


def _advisor_problems(position: Position) -> Iterator[Problem]:
    known = position.cards.advisor
    everywhere = [("advisors", advisor) for advisor in position.advisors]
    for seat, player in enumerate(position.players):
        place = player_place(seat, player.name)
        founded = sum(system.advisor for system in player.systems)
        founds = player.advisor in known and known[player.advisor].founds_system
        if founded != founds:
            yield from _number(f"{place}, systems, advisor", founded, int(founds), int(founds))
        if player.advisor:
            everywhere.append((f"{place}, advisor", player.advisor))
            if player.advisor in known:
                works = None if player.race not in position.cards.race else source_at(position.cards, player, ADVISOR)
                yield from _cell_problems(f"{place}, advisor", works, player.advisor_a, player.advisor_r)
        elif player.advisor_a or player.advisor_r:
            yield from _cell_problems(f"{place}, advisor", None, player.advisor_a, player.advisor_r)
    if len(everywhere) > ADVISORS_OUT:
        yield from _number("advisors", len(everywhere), 0, ADVISORS_OUT)
    seen: set[str] = set()
    for place, advisor in everywhere:
        if advisor not in known:
            yield _not_in_set(place, advisor, known)
        elif advisor in seen:
            yield Problem(place, _("expected each advisor once, found {found} again", found=advisor))
        seen.add(advisor)


def _card_problems(position: Position) -> Iterator[Problem]:
    """Every card is somewhere, and nothing is there more often than it has copies."""
    known = position.cards.structure
    left = Counter(position.cards.deck)
    places: list[tuple[str, tuple[str, ...]]] = [
        ("pile", position.pile),
        ("deck", position.deck),
        ("in_hands", position.in_hands),
    ]
    for seat, player in enumerate(position.players):
        place = player_place(seat, player.name)
        places += [(f"{place}, {part}", getattr(player, part)) for part in ("known", "old", "fresh")]
        for number, system in enumerate(player.systems):
            cards = tuple(card for card in system.cards if card in known)
            places.append((f"{place}, system {number + 1}", cards))
    unknown = 0
    for place, cards in places:
        where = place.replace(", fresh", ", hand")
        for card in cards:
            if card == UNKNOWN:
                unknown += 1
                if place in ("pile", "in_hands") or place.endswith("known"):
                    yield Problem(where, _("expected a card, found {found}", found=shown(UNKNOWN)))
            elif card not in known:
                yield _not_in_set(where, card, known)
            else:
                left[card] -= 1
                if left[card] == -1:
                    yield _too_many(where, known[card])
    old = sum(card == UNKNOWN for player in position.players for card in player.old)
    if old != len(position.in_hands):
        yield from _number("in_hands", len(position.in_hands), old, old)
    rest = sum(number for number in left.values() if number > 0)
    if rest != unknown - old:
        message = ngettext(
            "expected {n} card in all, found {found}",
            "expected {n} cards in all, found {found}",
            len(position.cards.deck),
            found=len(position.cards.deck) - rest + unknown - old,
        )
        yield Problem("deck", message)


def _too_many(place: str, card: Structure) -> Problem:
    message = ngettext(
        "expected at most {n} copy of {card}, found more",
        "expected at most {n} copies of {card}, found more",
        card.copies,
        card=card.id,
    )
    return Problem(place, message)


# --- what is still to be decided


def _pending_problems(position: Position) -> Iterator[Problem]:
    """Whether every task is about cards, systems and players that are there."""
    for number, task in enumerate(position.stack, start=1):
        for part, fits in _parts(position, task):
            if not fits:
                yield Problem(
                    f"pending {number}, {part}", _("expected what is there in the position, found something else")
                )


def _parts(position: Position, task: Task) -> Iterator[tuple[str, bool]]:
    seats = range(len(position.players))
    player = position.players[task.player]
    refs = list(getattr(task, "refs", ()))
    own = getattr(task, "ref", None)
    if isinstance(own, Ref):
        refs.append(own)
    yield "ref", all(_is_there(position, ref) for ref in refs)
    for name in ("owner", "target"):
        yield name, getattr(task, name, -1) in (*seats, -1) and (name != "owner" or getattr(task, name, 0) in seats)
    match task:
        case Drop(among=cards) | Drawing(drawn=cards):
            # Of a hand that is not known, any card can have been drawn.
            known = Counter(card for card in cards or () if card != UNKNOWN)
            yield "cards", UNKNOWN in player.hand or not known - Counter(player.hand)
            yield "n", task.n >= 0 and (isinstance(task, Drop) or task.discard >= 0)
        case PickOrder():
            yield "systems", all(each < len(player.systems) and player.systems[each].cards for each in task.systems)
        case PickBuild():
            yield "system", task.system == ANYWHERE or 0 <= task.system < len(player.systems)
            yield "colour", -1 <= task.colour < len(Colour)
        case PickVictim():
            yield "victims", all(each in seats for each in task.victims)
            yield "op", isinstance(task.op, (Opponents, Bury, FillCell, DismissAdvisor))
        case Hire():
            yield "advisor", task.advisor in position.advisors
        case PickActivation() | PickDiscard():
            yield "n", min(getattr(task, "n", 0), getattr(task, "top", 0), getattr(task, "keep", 0)) >= 0


def _is_there(position: Position, ref: Ref) -> bool:
    """Whether the card of an effect exists, and the place it was in when the effect fell due."""
    if ref.owner >= len(position.players):
        return False
    player = position.players[ref.owner]
    if ref.place >= 0:
        source: Printed | None = position.cards.structure.get(ref.card) if ref.place < len(player.systems) else None
    elif ref.place == ADVISOR:
        source = position.cards.advisor.get(ref.card)
    else:
        source = position.cards.race.get(ref.card) if ref.card == player.race else None
    return source is not None and ref.effect < len(source.effects)


def _due_problems(position: Position) -> Iterator[Problem]:
    """Something is to be decided or drawn, unless the game is over."""
    mover = position.to_move
    top = position.stack[-1] if position.stack else None
    if position.is_over:
        if position.stack:
            yield Problem("pending", _("expected nothing to decide after the end, found something"))
    elif top is None:
        if position.phase is not Phase.ACTIONS or not position.players[position.turn].available:
            yield Problem("to_move", _("expected a player with an available cube, or pending decisions; found neither"))
    elif isinstance(top, Drawing):
        if not top.n or not (position.deck or len(position.pile) > 1):
            yield Problem("pending", _("expected a card that can be drawn, found none"))
    elif isinstance(top, (Trigger, Run, Hire)) or (
        mover is not None and UNKNOWN not in position.players[mover].hand and not task_moves(Table(position), top)
    ):
        yield Problem("pending", _("expected a decision that can be made, found none"))
