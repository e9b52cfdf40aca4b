"""Our SVG as an array of pixels: the few shapes that `ludus.draw` uses, drawn by Pillow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FINE = 2  # drawn so many times larger, then averaged, for smooth edges


def pixels(svg: str) -> NDArray[np.uint8]:
    """The picture as [height, width, red green blue]."""
    import numpy as np

    try:
        from PIL import Image, ImageDraw
    except ModuleNotFoundError:
        raise ModuleNotFoundError("rgb_array needs Pillow: pip install pillow") from None
    root = ElementTree.fromstring(svg)
    width, height = (round(float(root.attrib[side])) for side in ("width", "height"))
    image = Image.new("RGB", (width * FINE, height * FINE), "white")
    pen = ImageDraw.Draw(image, "RGBA")  # colours with an opacity are blended
    for shape in root:
        if shape.attrib.get("width") == "100%":
            shape.attrib.update(width=str(width), height=str(height))
        draw(pen, shape)
    return np.asarray(image.reduce(FINE))


def draw(pen: Any, shape: ElementTree.Element) -> None:
    """Put one shape on the picture."""
    tag = shape.tag.rpartition("}")[2]
    if tag == "g":  # the shapes of a piece
        for part in shape:
            draw(pen, part)
        return
    fill, stroke = paint(shape, "fill", "#000000"), paint(shape, "stroke", "none")
    line = max(1, round(number(shape, "stroke-width", 1.0)))
    x, y = number(shape, "x"), number(shape, "y")
    if tag == "rect":
        box = (x, y, x + number(shape, "width"), y + number(shape, "height"))
        pen.rounded_rectangle(box, number(shape, "rx"), fill, stroke, line)
    elif tag == "circle":
        centre = (number(shape, "cx"), number(shape, "cy"))
        pen.circle(centre, number(shape, "r"), fill, stroke, line)
    elif tag == "line":
        ends = [number(shape, name) for name in ("x1", "y1", "x2", "y2")]
        pen.line(ends, stroke, line)
    elif tag == "polygon":
        points = [float(part) * FINE for part in shape.attrib["points"].replace(",", " ").split()]
        pen.polygon(points, fill, stroke, line)
    elif tag == "text":
        size = number(shape, "font-size", 16.0)
        pen.text((x, y), shape.text or "", fill, font_size=size, anchor="mm")
    else:
        raise ValueError(f"pictures are made of g, rect, circle, line, polygon and text, not {tag}")


def number(shape: ElementTree.Element, name: str, default: float = 0.0) -> float:
    """An attribute in pixels of the fine picture."""
    return float(shape.attrib.get(name, default)) * FINE


def paint(shape: ElementTree.Element, name: str, default: str) -> tuple[int, int, int, int] | None:
    """A colour with its opacity, or None for none."""
    colour = shape.attrib.get(name, default)
    if colour == "none":
        return None
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue, round(255 * float(shape.attrib.get(f"{name}-opacity", 1.0)))
