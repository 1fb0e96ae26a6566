"""A run's figures in a folder, with a page that shows them beside its table."""

from html import escape
from pathlib import Path
from string import Template
from typing import Final

import xarray as xr

from simcore.metrics import end_s
from workbook.export.files import replacing
from workbook.export.table import flow_table
from workbook.plots import style
from workbook.plots.catalogue import plots_for
from workbook.plots.describe import Words, words_of
from workbook.plots.save import save_png, save_svg

PAGE: Final = Template("""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>$title</title>
<style>
  body { font: 15px/1.45 "DejaVu Sans", Verdana, sans-serif; max-width: 920px; margin: 1em auto; padding: 0 1em;
         color: #333 }
  pre { overflow-x: auto } figure { margin: 2em 0 } img { max-width: 100% } figcaption, footer { color: #5c5c5c }
</style>
<h1>$title</h1>
<pre>$table</pre>
$figures
<footer>$source</footer>
</html>
""")
FIGURE: Final = Template("""<figure><a href="$stem.svg"><img src="$stem.png" alt="$alt"></a>
<figcaption>$caption</figcaption></figure>""")


def write_figures(ds: xr.Dataset, folder: Path) -> None:
    """Write the figures that make sense for a run, PNG and SVG each, and index.html. Raises OSError."""
    style.use()
    folder.mkdir(parents=True, exist_ok=True)
    shown = []
    for plot in plots_for(ds):
        figure = plot.draw(ds, str(ds.attrs["title"]))
        with replacing(folder / f"{plot.stem}.png") as png, replacing(folder / f"{plot.stem}.svg") as svg:
            save_png(figure, png)
            save_svg(figure, svg)
        shown.append(_shown(plot.stem, words_of(figure)))
    fields = {
        "title": ds.attrs["title"],
        "table": flow_table(ds, end_s(ds)),
        "source": ds.attrs.get("source") or f"simulated by engine {ds.attrs['engine']} from\n{ds.attrs['scenario']}",
    }
    page = PAGE.substitute({name: escape(str(text)) for name, text in fields.items()}, figures="\n".join(shown))
    with replacing(folder / "index.html") as temporary:
        temporary.write_text(page, "utf-8")


def _shown(stem: str, words: Words) -> str:
    return FIGURE.substitute(stem=stem, alt=escape(words.alt), caption=escape(words.caption))
