"""The loads: greedy Reno flows over one link, described once for all simulators."""

from dataclasses import dataclass
from typing import Final

from simcore import Scenario

FIRST_START_S: Final = 0.1


@dataclass(frozen=True)
class Load:
    """Flows of 1000-byte packets over a link with 10 ms of delay; the i-th starts `stagger_s` after the one before."""

    key: str
    title: str
    flows: int
    rate_mbps: float
    buffer_packets: int
    window_packets: int
    stop_s: float
    end_s: float
    stagger_s: float = 0.0
    slow_end_s: float | None = None  # where a simulator that would take minutes stops

    delay_ms = 10.0
    packet_bytes = 1000

    def seconds(self, *, slow: bool) -> float:
        """How much of the load is simulated."""
        return self.slow_end_s if slow and self.slow_end_s else self.end_s

    def scenario(self, *, slow: bool = False) -> Scenario:
        """As a scenario of ours, with the TCP of the ns-2 that it is compared with."""
        flow = {
            "kind": "tcp",
            "variant": "reno",
            "packet_bytes": self.packet_bytes,
            "window_packets": self.window_packets,
            "stop_s": self.stop_s,
        }
        return Scenario.model_validate(
            {
                "name": self.key,
                "profile": "ns-2.35",
                "end_s": self.seconds(slow=slow),
                "bottleneck": {
                    "rate_mbps": self.rate_mbps,
                    "delay_ms": self.delay_ms,
                    "queue": "droptail",
                    "buffer_packets": self.buffer_packets,
                },
                "flows": [flow | {"start_s": FIRST_START_S + i * self.stagger_s} for i in range(self.flows)],
            }
        )

    def arguments(self, *, slow: bool = False) -> list[str]:
        """As the programs of `benchmarks/programs` are told it."""
        numbers = (
            self.flows,
            self.rate_mbps,
            self.delay_ms,
            self.buffer_packets,
            self.window_packets,
            self.packet_bytes,
            self.stagger_s,
            self.stop_s,
            self.seconds(slow=slow),
        )
        return [str(number) for number in numbers]


BASELINE: Final = Load("baseline", "2 flows at 2 Mb/s, 10 s", 2, 2.0, 20, 20, stop_s=10.0, end_s=10.5)
LOADS: Final = (
    Load("2M-60s", "2 flows at 2 Mb/s, 60 s", 2, 2.0, 20, 20, stop_s=60.0, end_s=60.5),
    Load("2M-600s", "2 flows at 2 Mb/s, 600 s", 2, 2.0, 20, 20, stop_s=600.0, end_s=600.5),
    Load("1G", "2 flows at 1 Gb/s, 20 s", 2, 1000.0, 1000, 4000, stop_s=20.0, end_s=20.0, slow_end_s=1.0),
    Load(
        "100-flows", "100 flows at 100 Mb/s, 20 s", 100, 100.0, 500, 64,
        stop_s=20.0, end_s=20.0, stagger_s=0.01, slow_end_s=5.0,
    ),
)  # fmt: skip
