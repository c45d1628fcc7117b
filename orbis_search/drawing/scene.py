"""A small picture language: shapes and texts on a sheet, written as SVG or drawn as PNG.

Both writers see the same few shapes in the same user units, and neither measures anything: where a text goes and how
large it is has been decided, with `fontwidths`, before it gets here. Colours are opaque, later shapes lie
on earlier ones.
"""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from ..base.errors import InputError
from ..base.language import N_, _
from ..base.options import expect, real
from ..game.kinds import expect_kind
from .fontwidths import text_width

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom

# How far letters reach from the base line, in font sizes.
ASCENT, DESCENT = 0.76, 0.24
FONTS = "'DejaVu Sans', Verdana, 'Noto Sans', 'Segoe UI', sans-serif"


# --------------------------------------------------------------------------------------------- shapes


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline, or an open line if it is not filled and says so; strokes have round corners."""

    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 1.0
    dash: float = 0.0  # length of dashes and gaps; 0 is an unbroken line
    closed: bool = True

    @property
    def box(self) -> Box:
        return _grown(_box_of(self.points), self.width / 2 if self.stroke else 0)


@dataclass(frozen=True, slots=True)
class Circle:
    x: float
    y: float
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0

    @property
    def box(self) -> Box:
        reach = self.radius + (self.width / 2 if self.stroke else 0)
        return self.x - reach, self.y - reach, self.x + reach, self.y + reach


@dataclass(frozen=True, slots=True)
class Rect:
    x: float
    y: float
    w: float
    h: float
    radius: float = 0.0
    fill: str = ""
    stroke: str = ""
    width: float = 1.0

    @property
    def box(self) -> Box:
        box = (self.x, self.y, self.x + self.w, self.y + self.h)
        return _grown(box, self.width / 2 if self.stroke else 0)


@dataclass(frozen=True, slots=True)
class Curve:
    """A cubic Bézier line."""

    start: Point
    towards: Point
    coming_from: Point
    end: Point
    stroke: str
    width: float

    @property
    def points(self) -> tuple[Point, ...]:
        corners = (self.start, self.towards, self.coming_from, self.end)
        return tuple(_on_curve(corners, step / 48) for step in range(49))

    @property
    def box(self) -> Box:
        return _grown(_box_of(self.points), self.width / 2)


@dataclass(frozen=True, slots=True)
class Text:
    """One line; x is where it starts, has its middle or ends, y its base line."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    bold: bool = False
    anchor: str = "start"  # or middle, end

    @property
    def length(self) -> float:
        return text_width(self.text, self.size, self.bold)

    @property
    def box(self) -> Box:
        left = self.x - self.length * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return left, self.y - ASCENT * self.size, left + self.length, self.y + DESCENT * self.size


Shape = Polygon | Circle | Rect | Curve | Text


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that are one thing on the table; its texts stay inside its outline."""

    name: str  # unique in a scene
    title: str  # the thing in words
    outline: tuple[Point, ...]
    shapes: tuple[Shape, ...]
    marked: bool = False  # part of the move that the picture shows

    @property
    def texts(self) -> list[Text]:
        return [shape for shape in self.shapes if isinstance(shape, Text)]

    def scaled(self, by: float, about: Point) -> Group:
        """Larger or smaller, with one point where it was."""

        def at(point: Point) -> Point:
            return about[0] + by * (point[0] - about[0]), about[1] + by * (point[1] - about[1])

        shapes = tuple(_scaled(shape, by, at) for shape in self.shapes)
        return replace(self, outline=tuple(map(at, self.outline)), shapes=shapes)


def _scaled(shape: Shape, by: float, at: Callable[[Point], Point]) -> Shape:
    match shape:
        case Polygon():
            points = tuple(map(at, shape.points))
            return replace(shape, points=points, width=by * shape.width, dash=by * shape.dash)
        case Curve():
            start, towards, coming, end = map(at, (shape.start, shape.towards, shape.coming_from, shape.end))
            return Curve(start, towards, coming, end, shape.stroke, by * shape.width)
        case Circle():
            x, y = at((shape.x, shape.y))
            return replace(shape, x=x, y=y, radius=by * shape.radius, width=by * shape.width)
        case Rect():
            x, y = at((shape.x, shape.y))
            w, h = by * shape.w, by * shape.h
            return replace(shape, x=x, y=y, w=w, h=h, radius=by * shape.radius, width=by * shape.width)
        case Text():
            x, y = at((shape.x, shape.y))
            return replace(shape, x=x, y=y, size=by * shape.size)


@dataclass(frozen=True, slots=True)
class Scene:
    width: float
    height: float
    title: str
    description: str
    background: str
    groups: tuple[Group, ...]


def rectangle(x: float, y: float, w: float, h: float) -> tuple[Point, ...]:
    return (x, y), (x + w, y), (x + w, y + h), (x, y + h)


def hexagon(x: float, y: float, side: float) -> tuple[Point, ...]:
    """Standing on a corner, as it lies in a universe; the top corner first, then clockwise."""
    half = side * math.sqrt(3) / 2
    return (
        (x, y - side),
        (x + half, y - side / 2),
        (x + half, y + side / 2),
        (x, y + side),
        (x - half, y + side / 2),
        (x - half, y - side / 2),
    )


def _box_of(points: Iterable[Point]) -> Box:
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def _grown(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _on_curve(corners: Sequence[Point], t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return (
        sum(weight * corner[0] for weight, corner in zip(weights, corners)),
        sum(weight * corner[1] for weight, corner in zip(weights, corners)),
    )


# ------------------------------------------------------------------------------------------------ SVG


def to_svg(scene: Scene) -> str:
    """A file of its own: no style sheet, font or script from elsewhere.

    >>> svg = to_svg(orbis.draw_position(position, caption="After the volcano"))
    >>> svg.startswith("<svg "), "After the volcano" in svg
    (True, True)
    """
    expect_kind(scene, Scene, "scene")
    size = f'width="{_number(scene.width)}" height="{_number(scene.height)}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(scene.width)} {_number(scene.height)}" {size}'
        f' role="img" aria-labelledby="title description" font-family="{FONTS}" stroke-linejoin="round"'
        ' stroke-linecap="round">',
        f'<title id="title">{_escaped(scene.title)}</title>',
        f'<desc id="description">{_escaped(scene.description)}</desc>',
        f'<rect width="100%" height="100%" fill="{scene.background}"/>',
    ]
    for group in scene.groups:
        marked = ' class="move"' if group.marked else ""
        lines.append(f'<g id="{escape(_clean(group.name))}"{marked}>')
        lines += [*group_elements(group), "</g>"]
    lines.append("</svg>")
    return "\n".join(lines) + "\n"


def group_elements(group: Group) -> list[str]:
    """The contents of a group's element: its title and its shapes. For pages with more than one picture."""
    return [*title_elements(group), *shape_elements(group)]


def title_elements(group: Group) -> list[str]:
    return [f"<title>{_escaped(group.title)}</title>"] if group.title else []


def shape_elements(group: Group, origin: Point = (0.0, 0.0)) -> list[str]:
    """Seen from a point: what is drawn in two places has the same elements, seen from where it is."""
    return [_element(shape, *origin) for shape in group.shapes]


def _element(shape: Shape, left: float, top: float) -> str:
    match shape:
        case Text():
            bold = ' font-weight="bold"' if shape.bold else ""
            anchor = f' text-anchor="{shape.anchor}"' if shape.anchor != "start" else ""
            place = f'x="{_number(shape.x - left)}" y="{_number(shape.y - top)}" font-size="{_number(shape.size)}"'
            return f'<text {place}{bold}{anchor} fill="{shape.fill}">{_escaped(shape.text)}</text>'
        case Circle():
            place = f'cx="{_number(shape.x - left)}" cy="{_number(shape.y - top)}" r="{_number(shape.radius)}"'
            return f"<circle {place}{_paint(shape.fill, shape.stroke, shape.width)}/>"
        case Rect():
            place = f'x="{_number(shape.x - left)}" y="{_number(shape.y - top)}"'
            place += f' width="{_number(shape.w)}" height="{_number(shape.h)}"'
            place += f' rx="{_number(shape.radius)}"' if shape.radius else ""
            return f"<rect {place}{_paint(shape.fill, shape.stroke, shape.width)}/>"
        case Curve():
            start, first, second, end = (
                f"{_number(x - left)} {_number(y - top)}"
                for x, y in (shape.start, shape.towards, shape.coming_from, shape.end)
            )
            return f'<path d="M{start}C{first} {second} {end}"{_paint("", shape.stroke, shape.width)}/>'
        case Polygon():
            points = " ".join(f"{_number(x - left)},{_number(y - top)}" for x, y in shape.points)
            # A dashed line with round ends would close its gaps.
            dash = f' stroke-dasharray="{_number(shape.dash)}" stroke-linecap="butt"' if shape.dash else ""
            name = "polygon" if shape.closed else "polyline"
            return f'<{name} points="{points}"{_paint(shape.fill, shape.stroke, shape.width)}{dash}/>'


def _paint(fill: str, stroke: str, width: float) -> str:
    line = f' stroke="{stroke}" stroke-width="{_number(width)}"' if stroke else ""
    return f' fill="{fill or "none"}"{line}'


def _number(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _clean(text: str) -> str:
    """Without characters that XML cannot contain or nobody can see."""
    return "".join(
        char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" if text_width(char, 1) else "" for char in text
    )


def _escaped(text: str) -> str:
    return escape("\n".join(map(_clean, text.split("\n"))), quote=False)


# ------------------------------------------------------------------------------------------------ PNG

FINER = 4  # times finer in both directions than the picture, then averaged: that makes smooth edges
BAND = 160  # rows of the picture drawn at a time; a whole one at that fineness would take half a gigabyte
EXTRA = N_("the png extra (pip install 'orbis-search[png]', in a clone '.[png]')")


def to_png(scene: Scene, scale: float = 2.0) -> bytes:
    """The same picture in pixels, `scale` for each unit. InputError if the png extra is not installed.

    >>> to_png(orbis.draw_position(position), scale=0.5)[:4]
    b'\\x89PNG'
    """
    expect_kind(scene, Scene, "scene")
    scale = expect("scale", scale, real(0.05, 10, N_("a number from 0.05 to 10")))
    fonts = png_fonts()
    from PIL import Image, ImageDraw, PngImagePlugin

    width, height = round(scene.width * scale), round(scene.height * scale)
    picture = Image.new("RGB", (width, height))
    shapes = [(shape, shape.box) for group in scene.groups for shape in group.shapes]
    for top in range(0, height, BAND):
        rows = min(BAND, height - top)
        fine = Image.new("RGB", (width * FINER, rows * FINER), scene.background)
        pen = _Pen(ImageDraw.Draw(fine), fonts, scale * FINER, top * FINER)
        for shape, (_, first, _, last) in shapes:
            # Some letters reach above and below their box: accents of capitals.
            if first * scale - 40 < top + rows and last * scale + 40 > top:
                pen.draw(shape)
        picture.paste(fine.reduce(FINER), (0, top))
    info = PngImagePlugin.PngInfo()
    info.add_itxt("Title", _clean(scene.title))
    info.add_itxt("Description", scene.description)
    out = io.BytesIO()
    picture.save(out, "PNG", pnginfo=info, compress_level=9)
    return out.getvalue()


def png_fonts() -> Callable[[float, bool], Any]:
    """A font for a size in pixels, regular or bold. InputError if the png extra is not installed.

    Pillow draws; matplotlib, which the plots need anyway, includes DejaVu Sans, so every machine has it.
    Its file is looked up without importing the package: that would cost more than drawing does.
    """
    from functools import cache
    from importlib.util import find_spec
    from pathlib import Path

    found = {name: find_spec(name) for name in ("PIL", "matplotlib")}
    for name, project in (("PIL", "Pillow"), ("matplotlib", "matplotlib")):
        if found[name] is None:
            raise InputError.one("png", _("expected {extra}, found no {project}", extra=_(EXTRA), project=project))
    (package,) = found["matplotlib"].submodule_search_locations or ("",)  # type: ignore[union-attr]
    folder = Path(package) / "mpl-data" / "fonts" / "ttf"
    files = {bold: folder / f"DejaVuSans{'-Bold' if bold else ''}.ttf" for bold in (False, True)}
    for file in files.values():
        if not file.is_file():
            message = _("expected {extra} with the font {font}, found no such file", extra=_(EXTRA), font=file.name)
            raise InputError.one("png", message)
    from PIL import ImageFont

    @cache
    def font(size: float, bold: bool) -> Any:
        # The plain layout engine is in every wheel; the other one depends on a system library.
        return ImageFont.truetype(str(files[bold]), size, layout_engine=ImageFont.Layout.BASIC)

    return font


class _Pen:
    """Draws shapes on a band: `scale` pixels per unit, starting `top` rows down the sheet."""

    def __init__(self, draw: Any, fonts: Callable[[float, bool], Any], scale: float, top: float) -> None:
        self.on = draw
        self.fonts = fonts
        self.scale = scale
        self.top = top

    def _at(self, point: Point) -> Point:
        return point[0] * self.scale, point[1] * self.scale - self.top

    def draw(self, shape: Shape) -> None:
        match shape:
            case Text():
                self._text(shape)
            case Circle():
                self._circle(shape)
            case Rect():
                self._rect(shape)
            case Curve():
                self._line(shape.points, shape.stroke, shape.width)
            case Polygon():
                if shape.fill:
                    self.on.polygon([self._at(point) for point in shape.points], fill=shape.fill)
                if shape.stroke:
                    points = shape.points + shape.points[:1] * shape.closed
                    if shape.dash:
                        for start, end in _dashes(points, shape.dash):
                            self._segment(start, end, shape.stroke, shape.width)
                    else:
                        self._line(points, shape.stroke, shape.width)

    def _text(self, text: Text) -> None:
        """Letter by letter, each where the table of widths puts it: the font's own layout rounds every width."""
        font = self.fonts(text.size * self.scale, text.bold)
        x = text.box[0]
        cluster = ""
        for char in _clean(text.text) + "\0":
            if cluster and text_width(char, 1, text.bold) == 0:
                cluster += char  # an accent belongs to the letter before it
                continue
            if cluster.strip():
                self.on.text(self._at((x, text.y)), cluster, text.fill, font, "ls")
            x += text_width(cluster, text.size, text.bold)
            cluster = char

    def _line(self, points: Sequence[Point], stroke: str, width: float) -> None:
        for start, end in itertools.pairwise(points):
            self._segment(start, end, stroke, width)
        for x, y in points:
            self._circle(Circle(x, y, width / 2, stroke))

    def _segment(self, start: Point, end: Point, stroke: str, width: float) -> None:
        length = math.dist(start, end)
        if length == 0:
            return
        # Half a width to either side.
        dx, dy = (end[1] - start[1]) / length * width / 2, (start[0] - end[0]) / length * width / 2
        corners = (
            (start[0] + dx, start[1] + dy),
            (end[0] + dx, end[1] + dy),
            (end[0] - dx, end[1] - dy),
            (start[0] - dx, start[1] - dy),
        )
        self.on.polygon([self._at(corner) for corner in corners], fill=stroke)

    def _circle(self, circle: Circle) -> None:
        left, top, right, bottom = circle.box
        # Pillow includes the last pixel.
        box = (*self._at((left, top)), *(value - 1 for value in self._at((right, bottom))))
        if box[2] < box[0] or box[3] < box[1]:
            return
        if circle.stroke:
            width = round(circle.width * self.scale)
            self.on.ellipse(box, fill=circle.fill or None, outline=circle.stroke, width=width)
        else:
            self.on.ellipse(box, fill=circle.fill or None)

    def _rect(self, rect: Rect) -> None:
        left, top, right, bottom = rect.box
        box = (*self._at((left, top)), *(value - 1 for value in self._at((right, bottom))))
        half = rect.width / 2 if rect.stroke else 0
        self.on.rounded_rectangle(
            box,
            radius=(rect.radius + half) * self.scale if rect.radius else 0,
            fill=rect.fill or None,
            outline=rect.stroke or None,
            width=round(rect.width * self.scale) if rect.stroke else 1,
        )


def _dashes(points: Sequence[Point], length: float) -> Iterator[tuple[Point, Point]]:
    """The pieces of a dashed line: one length drawn, one left out, continuing round corners."""
    travelled = 0.0
    for start, end in itertools.pairwise(points):
        whole, done = math.dist(start, end), 0.0
        while done < whole - 1e-9:
            step = min(whole - done, length - math.fmod(travelled, length))
            if step < 1e-9:
                step = min(whole - done, length)
            if int((travelled + step / 2) / length) % 2 == 0:
                yield _between(start, end, done / whole), _between(start, end, (done + step) / whole)
            done += step
            travelled += step


def _between(start: Point, end: Point, part: float) -> Point:
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part
