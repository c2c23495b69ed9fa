"""Pictures of results: the HTML that notebooks show, and matplotlib's axes."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

READ = "#2a78b8"
HATCH = "repeating-linear-gradient(45deg, #888 0 2px, transparent 2px 6px)"
CELL = "display:inline-block;width:2.4em;text-align:center;border:1px solid #ccc"


def page(answer: str, places: list[dict[str, Any]] | None, cells: list[dict[str, Any]]) -> str:
    """Returns the answer, the table and a strip for each result; places are those of check."""
    table = _means(cells) if places is None else _places(places)
    shown = table.to_html(index=False, na_rep="", float_format="{:.1f}".format, border=0)
    strips = "".join(f"<tr><td>{escape(_name(cell))}</td><td>{_strip(cell)}</td></tr>" for cell in cells)
    return f"<p>{escape(answer)}</p>{shown}<table>{strips}</table>"


def _name(cell: dict[str, Any]) -> str:
    return f"{cell['model']} on {cell['dataset']}"


def _places(places: list[dict[str, Any]]) -> pandas.DataFrame:
    import pandas

    columns = {"read": "read (%)", "found": "found in top 10 (%)", "mean": "nDCG@10 (points)", "bm25": "bm25 (points)"}
    table = pandas.DataFrame(places).rename(columns={"bucket": "answer in"})
    known = [column for column in columns if column in table]
    table[known] = 100 * table[known].astype(float)
    return table[["answer in", "questions", *known]].rename(columns=columns)


def _means(cells: list[dict[str, Any]]) -> pandas.DataFrame:
    import pandas

    rows = []
    for cell in cells:
        profile = cell["profiles"][0]
        means = {bucket["bucket"]: _points(bucket["mean"]) for bucket in profile["buckets"]}
        rows.append({"model": cell["model"], "dataset": cell["dataset"], "measure": f"{profile['measure']} (points)", **means})
    return pandas.DataFrame(rows)


def _points(mean: float | None) -> float:
    return float("nan") if mean is None else 100 * mean


def _cells(cell: dict[str, Any]) -> tuple[str, list[tuple[str, float, float]]]:
    """Returns what the strip shows, and its cells with label, points and the share that is not read (0 if unknown).

    It has the places of the same evidence if that was moved, else the position buckets, as posbias's own strip.
    """
    profile = cell["profiles"][0]
    fixed = profile.get("content_fixed")
    if fixed:
        places = [(str(place["place"]), _points(place["mean"]), place.get("unread") or 0.0) for place in fixed["places"]]
        return "place of the same evidence, from the front to the back", places
    stages = [stage for stage in cell.get("truncation", []) if stage["known"]]
    past = {bucket["bucket"]: bucket["starts_past_cut"] for stage in stages for bucket in stage["buckets"]}
    return "place of the answer", [
        (bucket["bucket"], _points(bucket["mean"]), past.get(bucket["bucket"], 0) / max(1, bucket["queries"]))
        for bucket in profile["buckets"]
    ]


def _strip(cell: dict[str, Any]) -> str:
    what, cells = _cells(cell)
    drawn = []
    for label, points, unread in cells:
        title = "no questions" if points != points else f"{label}: {points:.1f} points" + (f", {unread:.0%} not read" if unread else "")
        strength = 0 if points != points else max(0, min(100, round(points)))
        ground = f"{HATCH} 0/{unread:.0%} 100% no-repeat, color-mix(in srgb, {READ} {strength}%, white)"
        number = "" if points != points else f"{points:.0f}"
        style = f"{CELL};color:{'white' if strength > 55 else 'black'};background:{ground}"
        drawn.append(f'<span title="{escape(title)}" style="{style}">{number}</span>')
    return f"{' '.join(drawn)} <small>{escape(what)}</small>"


def plot(cells: list[dict[str, Any]], ax: Any) -> Any:
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots()[1]
    width = 0.8 / len(cells)
    for number, cell in enumerate(cells):
        what, places = _cells(cell)
        at = [place + (number - (len(cells) - 1) / 2) * width for place in range(len(places))]
        points = [0 if score != score else score for _, score, _ in places]
        unread = [score * share for score, (_, _, share) in zip(points, places)]
        ax.bar(at, points, width, label=_name(cell))
        ax.bar(at, unread, width, color="none", edgecolor="white", hatch="//", linewidth=0)
        ax.set_xticks(range(len(places)), [label for label, _, _ in places])
        ax.set_xlabel(what)
        ax.set_ylabel(f"{cell['profiles'][0]['measure']} (points)")
        ax.set_ylim(0, 100)
    ax.legend()
    return ax
