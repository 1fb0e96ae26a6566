"""What a run says of its TCP senders, asked of the Dataset itself: `ds.tcp.cwnd(1)`, `ds.tcp.plot.cwnd()`."""

from typing import Any

import xarray as xr

from simcore.metrics.cwnd import window
from simcore.metrics.facts import setup


class TcpPlots:
    """Curves of a run's TCP senders. A window holds until its next change: steps go up and down at the change."""

    def __init__(self, tcp: "Tcp") -> None:
        self._tcp = tcp

    def __call__(self, name: str, *flows: int, **options: Any) -> list[Any]:
        """Draw one of the variables of `metrics.window` as steps, a curve for each flow.

        Parameters
        ----------
        name : str
            "cwnd", "ssthresh" or "inflation".
        *flows : int
            The flows' numbers, from 1; all TCP flows if none is given.
        **options
            For xarray's `DataArray.plot.step`, as `ax`.

        Returns
        -------
        list of matplotlib.lines.Line2D
            The curves: packets over time in s.
        """
        drawn = []
        for flow in flows or self._tcp.flows:
            steps = window(self._tcp.ds, flow)[name]
            drawn += steps.plot.step(x="time_s", where="post", label=f"flow {flow}", **options)
        return drawn

    def cwnd(self, *flows: int, **options: Any) -> list[Any]:
        """Draw the congestion windows; parameters as for calling it, without the name."""
        return self("cwnd", *flows, **options)

    def ssthresh(self, *flows: int, **options: Any) -> list[Any]:
        """Draw the slow start thresholds; parameters as for calling it, without the name."""
        return self("ssthresh", *flows, **options)


@xr.register_dataset_accessor("tcp")  # type: ignore[no-untyped-call]
class Tcp:
    """The TCP senders of a run: `ds.tcp`, once `simcore.metrics` is imported.

    Attributes
    ----------
    ds : xarray.Dataset
        The run.
    """

    def __init__(self, ds: xr.Dataset) -> None:
        self.ds = ds

    @property
    def flows(self) -> list[int]:
        """The numbers of the flows that are TCP's, from 1."""
        return [flow for flow in map(int, self.ds["flow"].values) if setup(self.ds, flow)["kind"] == "tcp"]

    @property
    def plot(self) -> TcpPlots:
        """Curves: `ds.tcp.plot.cwnd()`, or `ds.tcp.plot("inflation", 1)`."""
        return TcpPlots(self)

    def cwnd(self, flow: int) -> xr.DataArray:
        """The congestion window of a flow after each change, as `metrics.window` has it. Unit: packets."""
        return window(self.ds, flow)["cwnd"]

    def ssthresh(self, flow: int) -> xr.DataArray:
        """The slow start threshold of a flow after each change, as `metrics.window` has it. Unit: packets."""
        return window(self.ds, flow)["ssthresh"]
