"""Figures: functions that draw a dataset on axes, and the catalogue of what is drawn for every case."""

from simcore.extras import require

require("plots")
