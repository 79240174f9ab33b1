"""The history of a prompt as a drawing: what each migration moved, and how long completions were after it."""

from __future__ import annotations

from lastgood.core.value import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

MOST_DRAWN = 24  # of the newest migrations
_WIDTH, _TOP, _BAR, _GAP, _LINE = 320, 16, 56, 26, 56  # in the drawing's own units, from the top to the bottom
_LEFT, _RIGHT = 8, 44  # beside the drawing; the figures stand at its right
_WIDEST = 34


def plot(item: Mapping[str, Any]) -> dict[str, Any]:
    """Where everything of one prompt's history is drawn. The run that waits is the last place."""
    points = _points(item)
    step = (_WIDTH - _LEFT - _RIGHT) / len(points)
    most = max(1, *(point["moves"] for point in points))
    lengths = [point["length"] for point in points if point["length"] is not None]
    low, high = (min(lengths), max(lengths)) if lengths else (0, 0)
    base, floor = _TOP + _BAR, _TOP + _BAR + _GAP + _LINE
    for at, point in enumerate(points):
        point["x"] = round(_LEFT + step * (at + 0.5), 1)
        point["height"] = round(_BAR * point["moves"] / most, 1)
        point["top"] = round(base - point["height"], 1)
        if point["length"] is not None:
            share = (point["length"] - low) / (high - low) if high > low else 0.5
            point["y"] = round(floor - _LINE * share, 1)
    return {
        "width": _WIDTH,
        "height": floor + 22,
        "left": _LEFT,
        "right": _WIDTH - _RIGHT + 6,
        "end": _WIDTH - _RIGHT,
        "base": base,
        "floor": floor,
        "roof": floor - _LINE,
        "bar": round(min(_WIDEST, step * 0.62), 1),
        "most": most,
        "low": low,
        "high": high,
        "high_at": floor - (_LINE if high > low else _LINE // 2) + 4,
        "points": points,
        "segments": _segments(points),
    }


def _points(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    history: Sequence[Mapping[str, Any]] = item["history"][-MOST_DRAWN:]
    points = [
        {"name": f"{row['migration']:04d}", "moves": row["moved"], "length": row["length"], "pending": False}
        for row in history
    ]
    moved = item["counts"]["DIFF"]
    return [*points, {"name": "now", "moves": moved, "length": item["length"], "pending": True}]


def _segments(points: Sequence[Mapping[str, Any]]) -> list[str]:
    """Lines between neighbours whose lengths are both known."""
    runs: list[list[str]] = [[]]
    for point in points:
        if point["length"] is None:
            runs.append([])
        else:
            runs[-1].append(f"{point['x']},{point['y']}")
    return [" ".join(run) for run in runs if len(run) > 1]
