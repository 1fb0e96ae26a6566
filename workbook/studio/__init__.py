"""JupyterLab on the map of everything: `python -m workbook.studio`, as `make lab` calls it.

servers   how JupyterLab is told to serve the notebooks
config    its settings: no news from elsewhere
"""

from simcore.extras import require

require("workbook")
