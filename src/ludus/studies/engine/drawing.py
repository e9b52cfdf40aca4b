"""The figures of a study as curves."""

from __future__ import annotations

from collections.abc import Iterator

from ludus.learn.runs.metrics import bounds
from ludus.report.chart import Curve
from ludus.studies.engine.quotes import Paper
from ludus.studies.engine.store import Store
from ludus.studies.engine.study import Along, Figure, Series, Through


def curves(figure: Figure, store: Store, paper: Paper) -> list[Curve]:
    """Those that have points by now, and the paper's numbers as level lines."""
    found = [one for one in (curve(given, figure.x, store) for given in figure.curves) if one]
    if not found:
        return []
    ends = [point[0] for one in found for point in one.points]
    for name, where in figure.levels:
        value = paper.number(where).value
        found.append(Curve(f"paper: {name}", [(min(0.0, *ends), value), (max(ends), value)]))
    return found


def curve(given: Along | Through | Series, x: str, store: Store) -> Curve | None:
    """One curve, if its parts are done."""
    match given:
        case Along():
            return along(given, x, store)
        case Through():
            points = [(at, pick.read(store)) for at, pick in given.points]
            known = [(at, one) for at, one in points if one]
            band = [(at, *one.ends) for at, one in known if one.ends]
            made = Curve(given.name, [(at, one.value) for at, one in known], band)
        case Series():
            kept = store.result(given.part).get("series", {}).get(given.series, [])
            band = [(p[0], p[2], p[3]) for p in kept if len(p) == 4]
            made = Curve(given.name, [(p[0], p[1]) for p in kept], band)
    return made if made.points else None


def along(given: Along, x: str, store: Store) -> Curve | None:
    """A metric over the axis, where both were counted."""
    course = store.result(given.training).get("course", [])
    low, high = bounds(given.metric)
    lines = [(at, one) for one in course for at in place(one, x) if given.metric in one]
    if not lines:
        return None
    band = [(at, one[low], one[high]) for at, one in lines if one.keys() >= {low, high}]
    return Curve(given.name, [(at, one[given.metric]) for at, one in lines], band)


def place(line: dict[str, float], x: str) -> Iterator[float]:
    """Where a line lies on an axis, if that was counted."""
    if x == "minutes" and "time_elapsed" in line:
        yield line["time_elapsed"] / 60
    elif x in line:
        yield line[x]
