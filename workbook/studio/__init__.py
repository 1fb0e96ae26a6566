"""What is shown in a browser: `python -m workbook.studio lab`, or `app`.

servers   JupyterLab on the map of everything; the explorer alone, as a page by Voila
page      the page's template: Voila's own without what it fetches from elsewhere
config    JupyterLab's settings: no news from elsewhere
"""
