"""Other simulators, each a program of its own in programs/: it prints its data packets and its loop's CPU seconds."""

import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.loads import Load
from benchmarks.rounds import Missing, Sample
from workbook.paths import REPO

PROGRAMS: Final = Path(__file__).parent / "programs"
BUILD: Final = REPO.build / "benchmarks"
NS_PY: Final = "ns.py==0.4.3"
NS3_MODULES: Final = ("core", "network", "internet", "point-to-point", "applications")
PATIENCE_S: Final = 120


@dataclass(frozen=True)
class Program:
    """A simulator outside this process."""

    key: str
    title: str
    make: Callable[[], Sequence[str]]  # the command, without the load; raises Missing
    options: tuple[str, ...] = ()
    whole: bool = False  # count the whole process, from its start to its end
    slow: bool = False
    omits: Mapping[str, str] = field(default_factory=dict)

    def prepare(self) -> None:
        """Compile or install the program."""
        self.make()

    def sample(self, load: Load) -> Sample:
        """Run it once; raise Missing if it fails."""
        before = _children_cpu_s()
        words = run([*self.make(), *load.arguments(slow=self.slow), *self.options]).split()
        used = _children_cpu_s() - before
        return Sample(int(words[-2]), used if self.whole else float(words[-1]))


def _children_cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command: Sequence[str], given: str = "") -> str:
    """What a command prints; raise Missing with its last words if it fails."""
    try:
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired:
        raise Missing(f"gave no result within {PATIENCE_S} s") from None
    except (OSError, subprocess.CalledProcessError) as error:
        said = (getattr(error, "stderr", None) or str(error)).strip().splitlines()
        raise Missing(f"failed: {said[-1]}") from None
    return done.stdout


def ns2() -> list[str]:
    """ns-2 as it is installed; BUILD is there for its trace."""
    BUILD.mkdir(parents=True, exist_ok=True)
    return [_found("ns", "ns2"), str(PROGRAMS / "ns2.tcl")]


def ns3() -> list[str]:
    """A program with the ns-3 that is installed."""
    compiler = _found("g++", "g++ libns3-dev")
    try:
        run([compiler, "-std=c++17", "-E", "-include", "ns3/core-module.h", "-x", "c++", "/dev/null"])
    except Missing:
        raise Missing("not installed (Debian: libns3-dev)") from None
    libraries = [f"-lns3-{module}" for module in NS3_MODULES]
    return _compiled([compiler, "-std=c++17", "-O2"], "ns3.cc", libraries)


def bound() -> list[str]:
    """A loop in C."""
    return _compiled([_found("cc", "gcc"), "-O2"], "bound.c", [])


def ns_py() -> list[str]:
    """ns.py, in an environment of its own."""
    python = BUILD / "ns.py" / "bin" / "python"
    ready = BUILD / "ns.py" / NS_PY
    if not ready.exists():
        run([sys.executable, "-m", "venv", "--clear", str(BUILD / "ns.py")])
        run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "1", NS_PY])
        ready.touch()
    return [str(python), str(PROGRAMS / "nspy.py")]


def versions() -> dict[str, str | None]:
    """What the simulators and the compiler call themselves; None for those that aren't there."""
    asked = {
        "ns-2": lambda: run([_found("ns", "ns2")], given="puts [ns-version]\nexit\n"),
        "ns-3": lambda: run([_found("pkg-config", "pkg-config"), "--modversion", "ns3-core"]),
        "ns.py": lambda: run([ns_py()[0], "-c", "from importlib import metadata; print(metadata.version('ns.py'))"]),
        "cc": lambda: run([_found("cc", "gcc"), "--version"]).splitlines()[0].split()[-1],
    }
    return {name: _answer(ask) for name, ask in asked.items()}


def _answer(ask: Callable[[], str]) -> str | None:
    try:
        return ask().strip()
    except Missing:
        return None


def _found(command: str, packages: str) -> str:
    path = shutil.which(command)
    if path is None:
        raise Missing(f"not installed (Debian: {packages})")
    return path


def _compiled(compiler: Sequence[str], source: str, libraries: Sequence[str]) -> list[str]:
    """The program made from a source, made again whenever that is newer."""
    path, program = PROGRAMS / source, BUILD / source.partition(".")[0]
    if not program.exists() or program.stat().st_mtime < path.stat().st_mtime:
        BUILD.mkdir(parents=True, exist_ok=True)
        run([*compiler, "-o", str(program), str(path), *libraries])
    return [str(program)]


NS2: Final = Program("ns2", "ns-2", ns2)
NS2_LEAN: Final = Program("ns2-lean", "ns-2, no headers but TCP's", ns2, options=("lean",))
NS2_TRACED: Final = Program("ns2-traced", "ns-2, every event traced to a file", ns2, options=(str(BUILD / "ns2.tr"),))
NS2_WHOLE: Final = Program("ns2-whole", "ns-2, whole process", ns2, whole=True)
NS3: Final = Program("ns3", "ns-3", ns3, slow=True)
NS_PY_RUN: Final = Program(
    "nspy",
    "ns.py (SimPy)",
    ns_py,
    slow=True,
    omits={"2M-600s": "takes minutes, because it slows down as a run goes on"},
)
BOUND: Final = Program("bound", "C bound: the events alone", bound)
