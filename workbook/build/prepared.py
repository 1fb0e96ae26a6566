"""What chapters import, imported once in the server that their processes are forked from (`workbook.build.build`).

It takes five seconds of CPU, which each chapter would spend twice: for papermill, and for its kernel.
"""

import os

from workbook.build.notebook import SETTINGS

# matplotlib and tqdm read these when they are imported. The backend is the one that a kernel chooses.
os.environ.update(SETTINGS, MPLBACKEND="module://matplotlib_inline.backend_inline")

import ipykernel.kernelapp  # noqa: F401
import ipywidgets  # noqa: F401
import papermill  # noqa: F401
import scipy.signal  # noqa: F401
import seaborn  # noqa: F401

import workbook.chapters.study  # noqa: F401
