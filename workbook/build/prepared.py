"""What chapters import, imported once in the server that their processes are forked from (`workbook.build.build`).

It takes five seconds of CPU, which each chapter would spend twice: for papermill, and for its kernel.
"""

import os

from workbook.build.parent import die_with_parent

die_with_parent()

from workbook.build.notebook import SETTINGS  # noqa: E402  # slow to import

# matplotlib and tqdm read these when they are imported. The backend is the one that a kernel chooses.
os.environ.update(SETTINGS, MPLBACKEND="module://matplotlib_inline.backend_inline")

import ipykernel.kernelapp  # noqa: E402, F401
import ipywidgets  # noqa: E402, F401
import papermill  # noqa: E402, F401
import scipy.signal  # noqa: E402, F401
import seaborn  # noqa: E402, F401

import workbook.chapters.study  # noqa: E402, F401
