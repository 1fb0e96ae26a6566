"""How the kernel's TCP is set: near the textbook, or as a distribution delivers it.

Names and values as in Linux, Documentation/networking/ip-sysctl.rst. A new namespace may have values that the host's
administrator changed, so both sets say every value that matters.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from simcore.network.states import LARGEST_PLAIN_WINDOW

LARGEST_BUFFER: Final = (1 << 31) - 1  # bytes; the kernel counts its own memory for a packet as well, so 2 * room
Sysctls = Mapping[str, int | str]  # net.ipv4.NAME


TEXTBOOK: Final[Sysctls] = {
    "tcp_timestamps": 0,
    "tcp_dsack": 0,
    "tcp_comp_sack_nr": 0,  # no ACK is held back to be merged with others
    "tcp_recovery": 0,  # no RACK (RFC 8985): three duplicate ACKs tell of a loss
    "tcp_early_retrans": 0,  # no tail loss probes (RFC 8985)
    "tcp_frto": 0,  # no detection of spurious timeouts (RFC 5682)
    "tcp_max_reordering": 3,  # the threshold of duplicate ACKs stays at three
    "tcp_no_metrics_save": 0,  # see `Host.prepare`: a route's limit of cwnd is only read beside saved metrics
    "tcp_moderate_rcvbuf": 0,
    "tcp_autocorking": 0,
    "tcp_fastopen": 0,
    "tcp_backlog_ack_defer": 0,
    "tcp_slow_start_after_idle": 0,
    "tcp_limit_output_bytes": 1 << 26,  # no limit on what waits below TCP
}
DELIVERED: Final[Sysctls] = {  # Linux 6.18, net/ipv4/tcp_ipv4.c, tcp_sk_init()
    "tcp_timestamps": 1,
    "tcp_window_scaling": 1,
    "tcp_sack": 1,
    "tcp_dsack": 1,
    "tcp_comp_sack_nr": 44,
    "tcp_recovery": 1,
    "tcp_early_retrans": 3,
    "tcp_frto": 2,
    "tcp_max_reordering": 300,
    "tcp_no_metrics_save": 0,
    "tcp_moderate_rcvbuf": 1,
    "tcp_autocorking": 1,
    "tcp_fastopen": 1,
    "tcp_backlog_ack_defer": 1,
    "tcp_slow_start_after_idle": 1,
    "tcp_limit_output_bytes": 4 << 20,
}


@dataclass(frozen=True)
class Settings:
    """A set of settings, by its name."""

    name: str
    sysctls: Sysctls
    is_textbook: bool  # the scenario decides of SACK, window scaling, initial window, ACKs and the bound of cwnd

    def of_flow(
        self, window_bytes: int, room_bytes: int, *, selective_acks: bool, ecn: bool, is_sender: bool
    ) -> dict[str, int | str]:
        """The sysctls of one host of a flow; a receiver agrees to SACK, window scaling and ECN if it is asked.

        Buffers have room for a window: by sysctls, as only root may set a socket's buffer above the system's limit.
        """
        room = f"4096 {min(2 * room_bytes, LARGEST_BUFFER)} {min(2 * room_bytes, LARGEST_BUFFER)}"
        own: dict[str, int | str] = {"tcp_ecn": 1 if ecn and is_sender else 2, "tcp_wmem": room}
        if self.is_textbook:
            own["tcp_rmem"] = room
            own["tcp_sack"] = int(selective_acks)
            own["tcp_window_scaling"] = int(window_bytes > LARGEST_PLAIN_WINDOW)
        return {**self.sysctls, **own}

    @property
    def option_bytes(self) -> int:
        """Bytes of options in every data segment: the timestamps of RFC 7323 take 12."""
        return 12 * int(self.sysctls["tcp_timestamps"])


NEAREST: Final = Settings("nearest", TEXTBOOK, is_textbook=True)
DEFAULT: Final = Settings("default", DELIVERED, is_textbook=False)
