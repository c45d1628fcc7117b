"""A picture as plain data, for pages that build their own elements from it: no text in it can become markup."""

from __future__ import annotations

from typing import Any

from .scene import Circle, Curve, Group, Point, Polygon, Rect, Scene, Shape, Text


def scene_to_json(scene: Scene) -> dict[str, Any]:
    """The shapes that `to_svg` writes, in the same order; docs/engine.md describes them."""
    return {
        "width": scene.width,
        "height": scene.height,
        "title": scene.title,
        "description": scene.description,
        "background": scene.background,
        "groups": list(map(_group, scene.groups)),
    }


def _group(group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "title": group.title,
        "marked": group.marked,
        "outline": _points(group.outline),
        "shapes": list(map(_shape, group.shapes)),
    }


def _shape(shape: Shape) -> dict[str, Any]:
    match shape:
        case Text():
            place = {"kind": "text", "x": _short(shape.x), "y": _short(shape.y), "text": shape.text}
            style = {"size": _short(shape.size), "fill": shape.fill, "bold": shape.bold, "anchor": shape.anchor}
            return place | style
        case Circle():
            place = {"kind": "circle", "x": _short(shape.x), "y": _short(shape.y), "radius": _short(shape.radius)}
            return place | _paint(shape.fill, shape.stroke, shape.width)
        case Rect():
            place = {"kind": "rect", "x": _short(shape.x), "y": _short(shape.y), "radius": _short(shape.radius)}
            size = {"w": _short(shape.w), "h": _short(shape.h)}
            return place | size | _paint(shape.fill, shape.stroke, shape.width)
        case Curve():
            corners = (shape.start, shape.towards, shape.coming_from, shape.end)
            return {"kind": "curve", "points": _points(corners)} | _paint("", shape.stroke, shape.width)
        case Polygon():
            line = {"kind": "polygon", "points": _points(shape.points), "dash": shape.dash, "closed": shape.closed}
            return line | _paint(shape.fill, shape.stroke, shape.width)


def _paint(fill: str, stroke: str, width: float) -> dict[str, Any]:
    return {"fill": fill, "stroke": stroke, "width": _short(width)}


def _points(points: tuple[Point, ...]) -> list[list[float]]:
    return [[_short(x), _short(y)] for x, y in points]


def _short(value: float) -> float:
    return round(value, 2)
