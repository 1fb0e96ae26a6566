"""Profiles: which TCP was it?

Results of 2004 depend on the TCP of 2004. A profile is a named set of implementation facts; each field says what it
is, each value where it comes from. A scenario names its profile and may override any field.
"""

from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from simcore.rules.settings import Seconds


class Profile(BaseModel):
    """The facts of one TCP implementation. Windows in packets, sizes in bytes, times in seconds."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    name: str = Field(description="the profile these facts started from", examples=["ns-2.27"])
    stack: Literal["ns-2", "linux"] = Field(
        default="ns-2", description="whose rules of loss recovery and congestion control", examples=["linux"]
    )
    min_rto_s: Seconds = Field(description="least retransmission timeout before back-off", examples=[0.2])
    max_rto_s: float = Field(gt=0, le=1e6, description="greatest retransmission timeout", examples=[60])
    initial_rto_s: float = Field(
        gt=0, le=1e6, description="retransmission timeout before the first round-trip sample", examples=[3]
    )
    tick_s: float = Field(
        gt=0, le=10, description="granularity of the clock that measures round trips", examples=[0.01]
    )
    initial_window_packets: int = Field(ge=1, le=1000, description="cwnd once the SYN is acknowledged", examples=[10])
    lost_syn_window_packets: int = Field(
        ge=1,
        le=1000,
        description="the same if the SYN was lost once, and at most the one above; it is 1 if it was lost again",
        examples=[2],
    )
    header_bytes: int = Field(ge=0, le=1000, description="TCP and IP header, added to every data packet", examples=[40])
    syn_bytes: int = Field(ge=1, le=1500, description="size of the SYN, sequence number 0", examples=[40])
    syn_options: bool = Field(
        default=False,
        description="the SYN and its ACK have options, of 4 bytes each: the largest segment, SACK if that is used, and "
        "window scaling if the window has more than 65535 bytes",
        examples=[True],
    )
    ack_bytes: int = Field(ge=1, le=1500, description="size of an ACK", examples=[40])
    ack_delay_s: float = Field(gt=0, le=1, description="longest time that a delayed ACK is held back", examples=[0.1])
    syn_acknowledged_at_once: bool = Field(
        description="a receiver that delays ACKs answers the SYN at once", examples=[True]
    )
    limited_transmit: bool = Field(
        description="the first two duplicate ACKs release a new segment each (RFC 3042)", examples=[True]
    )
    whole_packet_cut: bool = Field(
        description="a loss halves the window as a whole number of packets", examples=[False]
    )
    flight_size_cut: bool = Field(
        description="a loss halves what is outstanding, not the window (RFC 5681, eq. 4)", examples=[True]
    )
    recovery_exit_marked: bool = Field(
        description="the ACK that ends fast recovery marks it as ended, so that later duplicate ACKs neither inflate "
        "nor cut the window again without a new loss",
        examples=[True],
    )
    cwnd_clamped: bool = Field(
        default=False, description="stack linux: cwnd never exceeds the receiver's window", examples=[True]
    )
    tail_loss_probes: bool = Field(
        default=False, description="stack linux: with SACK, a probe finds a lost tail (RFC 8985)", examples=[True]
    )
    most_quick_acks: int = Field(
        default=0,
        ge=0,
        le=1000,
        description="segments that a receiver which delays ACKs acknowledges at once at the start, after a segment "
        "that came twice and after a pause longer than a timeout, at most half of its window",
        examples=[16],
    )
    most_sack_blocks: int = Field(
        default=3,
        ge=1,
        le=4,
        description="SACK blocks that an ACK tells of at most (RFC 2018, section 3)",
        examples=[4],
    )
    sack_option_bytes: int = Field(
        default=0,
        ge=0,
        le=8,
        description="what an option with SACK blocks takes beside their 8 bytes each: kind, length and filling",
        examples=[4],
    )
    pushes_acknowledged: bool = Field(
        default=False,
        description="a receiver that delays ACKs acknowledges at once what the sender pushes (PSH), a segment in each "
        "half of its window",
        examples=[True],
    )

    def longest_timeout_s(self) -> float:
        """What the retransmission timeout is at most: the rules never let it fall below two ticks."""
        return max(self.max_rto_s, 2.0 * self.tick_s)


NS_2_27: Final = Profile(
    name="ns-2.27",
    min_rto_s=1.0,  # ns-2.27's default minrto_, as RFC 2988, section 2.4, asks
    max_rto_s=100000.0,  # ns-2.27's default maxrto_
    initial_rto_s=6.0,  # RFC 1122, section 4.2.3.1, as ns-2.27's rtxcur_init_
    tick_s=0.01,  # tcpTick_, changed from 0.1 s in 2002
    initial_window_packets=2,  # windowInit_, RFC 2581
    lost_syn_window_packets=1,  # bugfix_ss_; with windowInitOption_ 2, which is no default, it is windowInit_, 2
    header_bytes=40,  # tcpip_base_hdr_size_, 20 IP and 20 TCP
    syn_bytes=40,  # useHeaders_ and a SYN that carries no data
    ack_bytes=40,
    ack_delay_s=0.1,  # TCPSink/DelAck's interval_
    syn_acknowledged_at_once=False,
    limited_transmit=True,  # singledup_, RFC 3042
    whole_packet_cut=True,  # slowdown() halved int(window())
    flight_size_cut=False,
    recovery_exit_marked=False,  # the one-character bug of 2003-07-29 to 2005-07-13: `==` where `=` was meant
)

NS_2_35: Final = NS_2_27.model_copy(
    update={
        "name": "ns-2.35",
        "min_rto_s": 0.2,  # as Linux, since ns-2.28
        "max_rto_s": 60.0,
        "initial_rto_s": 3.0,  # RFC 2988, section 2.1
        "syn_acknowledged_at_once": True,  # SYN_immediate_ack_, added on 2010-04-03
        "whole_packet_cut": False,  # slowdown() halves windowd(), a double
        "recovery_exit_marked": True,  # repaired on 2005-07-13
    }
)

RFC: Final = Profile(
    name="rfc",
    min_rto_s=1.0,  # RFC 6298, section 2.4
    max_rto_s=60.0,  # RFC 6298, section 2.5: at least 60 s
    initial_rto_s=1.0,  # RFC 6298, section 2.1
    tick_s=0.001,  # RFC 6298, section 4: a granularity of 100 ms or finer
    initial_window_packets=10,  # RFC 6928, section 2
    lost_syn_window_packets=1,  # RFC 5681, section 3.1
    header_bytes=40,  # RFC 791 and RFC 9293, without options
    syn_bytes=40,
    ack_bytes=40,
    ack_delay_s=0.5,  # RFC 5681, section 4.2: less than 0.5 s at the most
    syn_acknowledged_at_once=True,
    limited_transmit=True,  # RFC 3042
    whole_packet_cut=False,
    flight_size_cut=True,  # RFC 5681, equation (4)
    recovery_exit_marked=True,  # RFC 6582, section 3.2, step 4
)

LINUX: Final = Profile(
    name="linux",
    stack="linux",
    min_rto_s=0.2,  # TCP_RTO_MIN, which bounds what is added to the smoothed round trip: tcp_rtt_estimator()
    max_rto_s=120.0,  # TCP_RTO_MAX
    initial_rto_s=1.0,  # TCP_TIMEOUT_INIT; RFC 6298, section 2.1
    tick_s=1e-6,  # tcp_rtt_estimator() counts microseconds
    initial_window_packets=10,  # TCP_INIT_CWND; RFC 6928, section 2
    lost_syn_window_packets=10,  # tcp_init_transfer(): 1 only if the SYN was lost twice
    header_bytes=40,  # RFC 791 and RFC 9293, without options
    syn_bytes=40,
    syn_options=True,  # tcp_syn_options(), without timestamps
    ack_bytes=40,
    ack_delay_s=0.04,  # TCP_DELACK_MIN
    syn_acknowledged_at_once=True,
    limited_transmit=True,  # what a duplicate ACK tells of is no longer under way; not used by its rules
    whole_packet_cut=True,  # tcp_reno_ssthresh() halves a whole number
    flight_size_cut=False,  # and cwnd, not what is under way
    recovery_exit_marked=True,  # tcp_try_undo_recovery()
    tail_loss_probes=True,  # tcp_early_retrans 3
    most_quick_acks=16,  # TCP_MAX_QUICKACKS
    most_sack_blocks=4,  # TCP_NUM_SACKS, without timestamps
    sack_option_bytes=4,  # TCPOLEN_SACK_BASE_ALIGNED
    pushes_acknowledged=True,  # forced_push(), tcp_cleanup_rbuf()
)

LINUX_NEAREST: Final = LINUX.model_copy(
    update={
        "name": "linux-nearest",  # as the engine `kernel` sets it (simcore.kernel.settings), near the textbook
        "cwnd_clamped": True,  # the route has `cwnd lock`
        "tail_loss_probes": False,  # tcp_early_retrans 0
    }
)

PROFILES: Final = {profile.name: profile for profile in (NS_2_27, NS_2_35, RFC, LINUX, LINUX_NEAREST)}
OVERRIDABLE: Final = tuple(name for name in Profile.model_fields if name != "name")
