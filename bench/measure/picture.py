"""Draws docs/pictures/sizing.svg from the table of sizes in docs/operations.md: `PYTHONPATH=bench python -m measure.picture`.

Each row with a unit of bytes or hours is a line; both axes are logarithmic.
"""

import pathlib
import re

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TABLE = REPOSITORY / "docs/operations.md"
PICTURE = REPOSITORY / "docs/pictures/sizing.svg"
# What the first column of the table begins with where numbers of editions are in it.
HEAD = "| editions |"
BYTES = {"MB": 1e-3, "GB": 1, "TB": 1e3}
HOURS = {"s": 1 / 3600, "min": 1 / 60, "h": 1}


def main():
    editions, rows = _table(TABLE.read_text())
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 5), layout="constrained")
    for axes, units, label in zip(panels, (BYTES, HOURS), ("GB", "hours")):
        for name, cells in rows:
            values = [_value(cell, units) for cell in cells]
            if None not in values:
                axes.plot(editions, values, "o-", label=name)
        axes.set(xscale="log", yscale="log", xlabel="editions", ylabel=label)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.yaxis.set_major_formatter("{x:g}")
        axes.grid(alpha=0.3)
        axes.legend(fontsize="small", loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=2)
    # The same picture for the same table.
    matplotlib.rcParams["svg.hashsalt"] = "norma"
    figure.savefig(PICTURE, metadata={"Date": None})


def _table(text):
    """Numbers of editions, and the other rows by their names."""
    lines = text[text.index(HEAD):].split("\n\n")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [int(cell.replace(",", "")) for cell in cells[0][1:]], [(row[0], row[1:]) for row in cells[2:]]


def _value(cell, units):
    """The number at the begin of a cell, if one of these units follows it."""
    match = re.match(r"([\d.,]+) (\w+)", cell)
    if not match or match[2] not in units:
        return None
    return float(match[1].replace(",", "")) * units[match[2]]


if __name__ == "__main__":
    main()
