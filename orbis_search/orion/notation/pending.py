"""The stack of pending decisions as plain data, task by task, in the keys of the tasks' own fields."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from ...base.language import _
from ..cards.data import amounts, ops_data, options_data
from ..cards.reading import MOST_OPS, CardReading
from ..game import position as tasks
from ..game.cards import Op
from ..game.position import Ref, Task
from ..game.vocabulary import When

KINDS: dict[str, type[Task]] = {
    "swap": tasks.Swap,
    "trigger": tasks.Trigger,
    "apply": tasks.Apply,
    "run": tasks.Run,
    "option": tasks.PickOption,
    "exchange": tasks.PickDirection,
    "discard": tasks.Drop,
    "draw": tasks.Drawing,
    "take": tasks.PickDiscard,
    "build": tasks.PickBuild,
    "activate": tasks.PickActivation,
    "reorder": tasks.PickOrder,
    "victim": tasks.PickVictim,
    "hire": tasks.Hire,
}
_NAMES = {kind: name for name, kind in KINDS.items()}
_SEATS = ("player", "owner", "target")  # counted from 1; 0 is nobody
_REF_KEYS = ("owner", "place", "card", "effect")
_MOST = 99

# --- writing


def task_data(task: Task) -> dict[str, Any]:
    """Without what equals the default."""
    data: dict[str, Any] = {"task": _NAMES[type(task)]}
    for field in fields(task):
        value = getattr(task, field.name)
        if value != field.default:
            data[field.name] = _written(field.name, value)
    return data


def _written(name: str, value: Any) -> Any:
    if name in _SEATS:
        return value + 1
    match name:
        case "ref":
            return {} if value is None else _ref_data(value)
        case "refs":
            return [_ref_data(ref) for ref in value]
        case "when":
            return value.value
        case "ops":
            return ops_data(value)
        case "op":
            return ops_data((value,))[0]
        case "options":
            return options_data(value)
        case "victims":
            return [seat + 1 for seat in value]
        case "left" | "right":
            return amounts(value)
    return list(value) if isinstance(value, tuple) else value


def _ref_data(ref: Ref) -> dict[str, Any]:
    return {"owner": ref.owner + 1, "place": ref.place, "card": ref.card, "effect": ref.effect + 1}


# --- reading


class PendingReading(CardReading):
    """A position's tables too: whatever a card set can hold may stand in a pending decision."""

    def task(self, value: object, place: str) -> Task | None:
        if not isinstance(value, dict):
            self.expected(place, _("a table"), value)
            return None
        name = self.one_of(value.get("task"), f"{place}, task", list(KINDS), "")
        if not name:
            return None
        kind = KINDS[name]
        keys = [field.name for field in fields(kind)]
        table = self.table({key: each for key, each in value.items() if key != "task"}, place, keys)
        before = len(self.problems)
        values = {}
        for field in fields(kind):
            if field.name in table:
                values[field.name] = self._value(field.name, table[field.name], f"{place}, {field.name}")
            elif field.default not in (-1, 0, None, (), tasks.ANYWHERE, False):
                self.report(place, _("expected a value for {key}, found none", key=field.name))
        return None if len(self.problems) > before else kind(**values)

    def _value(self, name: str, value: object, place: str) -> Any:
        if name in _SEATS:
            seat = self.number(value, place, 0, 4)
            return -1 if seat is None else seat - 1
        match name:
            case "ref":
                return None if value == {} else self._ref(value, place)
            case "refs":
                return tuple(self._ref(each, place) for each in self.listed(value, place, _("a list"), 0, _MOST))
            case "when":
                return When(self.one_of(value, place, [when.value for when in When], When.ALWAYS.value))
            case "ops":
                return self.ops(value, place, MOST_OPS, _anything)
            case "op":
                return self.op(value, place, inner=False)
            case "options":
                return self.options(value, place)
            case "left" | "right":
                return self.resources(value, place)
            case "every" | "optional":
                return self.boolean(value, place, False)
            case "advisor":
                return self.text(value, place, _("an advisor"))
            case "drawn" | "among":
                cards = self.listed(value, place, _("a list"), 0, _MOST)
                return tuple(self.text(each, place, _("a card")) or "" for each in cards)
            case "systems" | "victims":
                numbers = self.listed(value, place, _("a list"), 0, _MOST)
                low = 1 if name == "victims" else 0
                return tuple((self.number(each, place, low, 5) or 0) - low for each in numbers)
        number = self.number(value, place, tasks.ANYWHERE, _MOST)
        return 0 if number is None else number

    def _ref(self, value: object, place: str) -> Ref:
        table = self.table(value, place, _REF_KEYS)
        return Ref(
            self.needed(table, "owner", place, 1, 4) - 1,
            self.needed(table, "place", place, tasks.RACE, 4),
            self.text(table.get("card"), f"{place}, card", _("a card")) or "",
            self.needed(table, "effect", place, 1, 3) - 1,
        )


def _anything(op: Op) -> None:
    pass
