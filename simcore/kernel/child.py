"""The process of one run on the kernel: it reads what to run, and writes pickled messages, the Outcome last.

A process of its own, as it is in namespaces and can't leave them again; when it ends, they end. See `start`.
"""

import ctypes
import gc
import json
import os
import pickle
import platform
import signal
import sys
from collections.abc import Callable
from typing import Any, Final

import cloudpickle
import numpy as np

from simcore.kernel.host import check_namespace
from simcore.kernel.network import KernelNetwork
from simcore.kernel.real_time import RealTime
from simcore.kernel.recorder import KernelRecorder
from simcore.kernel.settings import DEFAULT, NEAREST, Settings
from simcore.kernel.start import BEGINS
from simcore.results.log import EngineUnavailableError, Outcome, Recording
from simcore.rules.congestion.registry import CONTROLS
from simcore.scenario.loading import scenario_from

SETTINGS: Final = {settings.name: settings for settings in (NEAREST, DEFAULT)}
PR_SET_PDEATHSIG: Final = 1  # Linux, include/uapi/linux/prctl.h


def main(errno: int) -> None:
    """Run what standard input asks for, if namespaces could be entered."""
    request = json.load(sys.stdin)

    def tell(message: object) -> None:
        pickle.dump(message, sys.stdout.buffer)
        sys.stdout.buffer.flush()

    try:
        check_namespace(errno)
        _end_with(request["parent"])
        tell(run(request, tell))
    except EngineUnavailableError as error:
        tell(error)


def run(asked: dict[str, Any], tell: Callable[[object], None]) -> Outcome:
    """Run a scenario until its end, or until Ctrl-C."""
    CONTROLS.update(cloudpickle.loads(bytes.fromhex(asked["controls"])))
    scenario, settings = scenario_from(asked["scenario"]), SETTINGS[asked["settings"]]
    env, log = RealTime(), KernelRecorder(Recording(*asked["recording"]))
    network = KernelNetwork(scenario, log, env, settings)
    signal.signal(signal.SIGINT, lambda *_: env.stop())
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])  # see `engine`
    gc.disable()  # its pauses would be lateness
    tell(BEGINS)
    env.begin()
    until_s = scenario.end_s
    try:
        for percent in range(1, 101):
            env.run(until=scenario.end_s * percent / 100 if percent < 100 else scenario.end_s)
            tell(env.now)
    except KeyboardInterrupt:
        until_s = env.now
    scheduled = "real-time" if os.sched_getscheduler(0) == os.SCHED_FIFO else "ordinary"
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))  # what is left to do must not keep other runs waiting
    attributes = _told(settings, env, log) | {"kernel_scheduling": scheduled}
    return network.outcome(until_s)._replace(attributes=attributes)


def _told(settings: Settings, env: RealTime, log: KernelRecorder) -> dict[str, Any]:
    """What the Dataset says of the kernel, and of how well we kept time."""
    late_us = 1e6 * np.asarray(env.lateness_s or [0.0])
    return {
        "kernel": f"{platform.system()} {platform.release()}",
        "kernel_settings": settings.name,
        "kernel_sysctls": json.dumps(dict(settings.sysctls)),
        "lateness_median_us": float(np.median(late_us)),
        "lateness_p99_us": float(np.percentile(late_us, 99)),
        "lateness_max_us": float(late_us.max()),
        "clock_origin_s": env.origin_s,
        "stamped_by_clock_packets": sum(log.packet_by_clock),
        "window_causes": "inferred from TCP_INFO",
    }


def _end_with(parent: int) -> None:
    """Be killed when the process that started this one ends, in whatever way."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(1)
