"""A position as the tables of a file, the same in TOML and JSON: written, and read with every problem noted."""

from __future__ import annotations

import os
from typing import Any

from ...base.errors import InputError
from ...base.language import _
from ...base.names import player_place
from ...base.quoting import nearest, shown
from ...base.reading import with_source
from ..cards.library import load_card_set
from ..game.cards import DEFAULT_CARD_SET, CardSet
from ..game.knowledge import unseen
from ..game.position import Phase, Player, Position, System
from ..game.problems import problems
from ..game.vocabulary import CUBES, START_LOYALTY, UNKNOWN, Resources
from .pending import PendingReading, task_data
from .words import id_of, known_ids

Folder = str | os.PathLike[str] | None

KEYS = ("cards", "round", "first", "to_move", "phase", "advisors", "pile", "deck", "in_hands", "pending", "player")
PLAYER_KEYS = (
    "name",
    "race",
    "food",
    "fleet",
    "production",
    "loyalty",
    "vp",
    "available",
    "reserve",
    "advisor",
    "advisor_cubes",
    "propaganda",
    "attacks",
    "hand",
    "known",
    "old",
    "systems",
)
FOUNDER = "advisor"  # in a system: that it was founded by the advisor
NONE = "none"
_MOST = 255

# --- writing


def document_of(position: Position) -> dict[str, Any]:
    """Without what follows from the rest."""
    data: dict[str, Any] = {
        "cards": position.cards.name,
        "round": position.round,
        "first": position.first + 1,
        "to_move": position.turn + 1,
        "phase": position.phase.value,
        "advisors": list(position.advisors),
        "pile": list(position.pile),
        "deck": len(position.deck) if UNKNOWN in position.deck or not position.deck else list(position.deck),
    }
    if position.in_hands:
        data["in_hands"] = list(position.in_hands)
    if position.stack:
        data["pending"] = [task_data(task) for task in position.stack]
    data["player"] = [_player_data(player) for player in position.players]
    return data


def _player_data(player: Player) -> dict[str, Any]:
    data: dict[str, Any] = {"name": player.name} if player.name else {}
    data |= {"race": player.race} | player.resources._asdict()
    data |= {"loyalty": player.loyalty, "vp": player.vp, "available": player.available, "reserve": player.reserve}
    data["advisor"] = player.advisor or NONE
    if cubes := _cubes(player.advisor_a, player.advisor_r):
        data["advisor_cubes"] = cubes
    if player.propaganda:
        data["propaganda"] = True
    if any(player.attacks):
        data["attacks"] = list(player.attacks)
    data["hand"] = _hand_data(player.fresh)
    if player.known:
        data["known"] = list(player.known)
    if player.old:
        data["old"] = _hand_data(player.old)
    data["systems"] = [_system_text(system) for system in player.systems]
    return data


def _hand_data(cards: tuple[str, ...]) -> int | list[str]:
    """Only a number if nothing is known of them."""
    return len(cards) if cards and set(cards) == {UNKNOWN} else list(cards)


def _cubes(a: bool, r: bool) -> str:
    return "A" * a + "R" * r


def _system_text(system: System) -> str:
    cards = ", ".join([FOUNDER] * system.advisor + list(system.cards))
    cubes = _cubes(system.a, system.r)
    return f"{cards} | {cubes}" if cubes else cards


# --- reading


def read_document(
    document: dict[str, Any], source: str, base_dir: Folder = None, cards: CardSet | str | None = None
) -> Position:
    """The position that a file's tables describe; InputError with every problem."""
    reading = PositionReading()
    top = reading.table(document, "", KEYS)
    card_set = reading.card_set(top, base_dir, cards)
    if card_set is None:
        reading.raise_if_any(source)
        raise AssertionError("a card set that cannot be loaded is a problem")
    position = reading.position(top, card_set)
    reading.raise_if_any(source)
    if found := problems(position):
        raise InputError(with_source(found, source))
    return position


class PositionReading(PendingReading):
    def card_set(self, top: dict[str, Any], base_dir: Folder, cards: CardSet | str | None) -> CardSet | None:
        if isinstance(cards, CardSet):
            return cards
        spec = cards or self.text(top.get("cards", DEFAULT_CARD_SET), "cards", _("the name or path of a card set"))
        if spec is None:
            return None
        try:
            return load_card_set(spec, base_dir if cards is None else None)
        except InputError as error:
            self.problems += error.problems
            return None

    def position(self, top: dict[str, Any], cards: CardSet) -> Position:
        tables = top.get("player", [])
        if not isinstance(tables, list) or not 2 <= len(tables) <= 4:
            self.expected("player", _("a [[player]] table for each of 2 to 4 players"), top.get("player"))
            tables = []
        players = tuple(self.player(table, seat, len(tables), cards) for seat, table in enumerate(tables))
        tasks = [
            self.task(each, f"pending {number}")
            for number, each in enumerate(self.listed(top.get("pending", []), "pending", _("a list"), 0, 99), start=1)
        ]
        phases = [phase.value for phase in Phase]
        position = Position(
            cards,
            players,
            (),
            self.cards(top.get("pile", []), "pile", cards),
            tuple(sorted(self.advisors(top.get("advisors", []), cards))),
            self.whole(top, "first", "", 1, 4, 1) - 1,
            self.whole(top, "round", "", 1, 8, 1),
            Phase(self.one_of(top.get("phase", Phase.ACTIONS.value), "phase", phases, Phase.ACTIONS.value)),
            self.whole(top, "to_move", "", 1, 4, 1) - 1,
            tuple(task for task in tasks if task is not None),
            self.cards(top.get("in_hands", []), "in_hands", cards),
        )
        return position._replace(deck=self.deck(top, position))

    def whole(self, table: dict[str, Any], key: str, place: str, low: int, high: int, otherwise: int = 0) -> int:
        if not place:
            number = self.number(table.get(key, otherwise), key, low, high)
            return otherwise if number is None else number
        return super().whole(table, key, place, low, high, otherwise)

    def deck(self, top: dict[str, Any], position: Position) -> tuple[str, ...]:
        """The cards in their order, or how many: by default all that are nowhere else."""
        value = top.get("deck")
        if isinstance(value, list):
            return self.cards(value, "deck", position.cards)
        if value is None:
            hidden = sum(card == UNKNOWN for player in position.players for card in player.fresh)
            return (UNKNOWN,) * max(0, len(unseen(position)) - hidden)
        return (UNKNOWN,) * (self.number(value, "deck", 0, _MOST) or 0)

    # --- cards

    def card(self, value: object, place: str, cards: CardSet) -> str:
        text = self.text(value, place, _("a card"))
        if text is None or text.strip() == UNKNOWN:
            return UNKNOWN
        found = id_of(text, cards.structures)
        if found is None:
            message = _("expected a card, found {found}", found=shown(text))
            self.report(place, message + nearest(text, known_ids(cards.structures)))
            return UNKNOWN
        return found

    def cards(self, value: object, place: str, cards: CardSet) -> tuple[str, ...]:
        if isinstance(value, str):
            value = [part for part in value.split(",") if part.strip()]
        return tuple(
            self.card(each, place, cards) for each in self.listed(value, place, _("a list of cards"), 0, _MOST)
        )

    def hand(self, value: object, place: str, cards: CardSet) -> tuple[str, ...]:
        """Cards, or only how many."""
        if isinstance(value, int) and not isinstance(value, bool):
            return (UNKNOWN,) * (self.number(value, place, 0, 99) or 0)
        found = self.cards(value, place, cards)
        order = cards.order
        return tuple(sorted(found, key=lambda card: order.get(card, len(order))))

    def advisor_id(self, value: object, place: str, cards: CardSet) -> str:
        text = self.text(value, place, _("an advisor"))
        found = None if text is None else id_of(text, cards.advisors)
        if text is not None and found is None:
            message = _("expected an advisor, found {found}", found=shown(text))
            self.report(place, message + nearest(text, known_ids(cards.advisors)))
        return found or ""

    def advisors(self, value: object, cards: CardSet) -> list[str]:
        if isinstance(value, str):
            value = [part for part in value.split(",") if part.strip()]
        listed = self.listed(value, "advisors", _("a list of advisors"), 0, _MOST)
        return [self.advisor_id(each, "advisors", cards) for each in listed]

    # --- players

    def player(self, value: object, seat: int, seats: int, cards: CardSet) -> Player:
        place = player_place(seat)
        table = self.table(value, place, PLAYER_KEYS)
        name = self.text(table.get("name", ""), f"{place}, name", _("a name")) or ""
        place = player_place(seat, name)
        race = self.race_id(table, place, cards)
        start = cards.race[race].start if race else Resources()
        resources = Resources(
            *(self.whole(table, word, place, 0, 9, amount) for word, amount in start._asdict().items())
        )
        advisor = table.get("advisor", NONE)
        a, r = self.cubes(table.get("advisor_cubes", ""), f"{place}, advisor_cubes")
        player = Player(
            race,
            name,
            resources,
            self.whole(table, "loyalty", place, -99, 10, START_LOYALTY),
            self.whole(table, "vp", place, 0, _MOST, 0),
            self.whole(table, "available", place, 0, CUBES, 0),
            0,
            self.systems(table.get("systems", []), place, cards),
            "" if advisor in ("", NONE) else self.advisor_id(advisor, f"{place}, advisor", cards),
            a,
            r,
            self.boolean(table.get("propaganda", False), f"{place}, propaganda", False),
            self.attacks(table.get("attacks"), f"{place}, attacks", seats),
            self.hand(table.get("known", []), f"{place}, known", cards),
            self.hand(table.get("old", []), f"{place}, old", cards),
            self.hand(table.get("hand", []), f"{place}, hand", cards),
        )
        spent = player.available + player.on_cards + player.propaganda + sum(player.attacks)
        return player._replace(reserve=self.whole(table, "reserve", place, 0, CUBES, max(0, CUBES - spent)))

    def race_id(self, table: dict[str, Any], place: str, cards: CardSet) -> str:
        if "race" not in table:
            self.report(place, _("expected a value for {key}, found none", key="race"))
            return ""
        text = self.text(table["race"], f"{place}, race", _("a race"))
        found = None if text is None else id_of(text, cards.races)
        if text is not None and found is None:
            message = _("expected a race, found {found}", found=shown(text))
            self.report(f"{place}, race", message + nearest(text, known_ids(cards.races)))
        return found or ""

    def attacks(self, value: object, place: str, seats: int) -> tuple[int, ...]:
        if value is None:
            return (0,) * seats
        numbers = self.listed(value, place, _("a number for each player, 0 for the own seat"), seats, seats)
        made = tuple(self.number(each, place, 0, 3) or 0 for each in numbers)
        return made if len(made) == seats else (0,) * seats

    def cubes(self, value: object, place: str) -> tuple[bool, bool]:
        words = ("", "A", "R", "AR")
        text = self.one_of(value.strip() if isinstance(value, str) else value, place, words, "")
        return "A" in text, "R" in text

    def systems(self, value: object, place: str, cards: CardSet) -> tuple[System, ...]:
        texts = self.listed(value, f"{place}, systems", _("a list of systems"), 0, 5)
        return tuple(self.system(each, f"{place}, system {n}", cards) for n, each in enumerate(texts, start=1))

    def system(self, value: object, place: str, cards: CardSet) -> System:
        """`titan, frigate | A`: the lowest card first, then the cubes on the top card."""
        text = self.text(value, place, _("cards and cubes such as titan, frigate | A")) or ""
        names, _bar, cubes = text.partition("|")
        parts = [part.strip() for part in names.split(",") if part.strip()]
        founded = parts[:1] == [FOUNDER]
        a, r = self.cubes(cubes, place)
        return System(tuple(self.card(part, place, cards) for part in parts[founded:]), a, r, founded)
