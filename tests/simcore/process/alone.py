"""A host alone with us: its port leads onto a link at whose far end we collect what it sends."""

from collections.abc import Callable
from math import inf

from simpy.events import Event

from simcore.network import topology
from simcore.network.states import segment_bytes, sink_state, tcp_state
from simcore.process.clock import Environment, Mailbox, Timer
from simcore.process.link import Link
from simcore.process.packet import Packet
from simcore.process.port import Port
from simcore.process.receiver import Receiver, ReceiverPlan
from simcore.process.recorder import Recorder
from simcore.process.router import Router
from simcore.process.sender import SenderPlan, TcpSender
from simcore.results.log import ENQUEUED, EVERYTHING
from simcore.rules.mrg32k3a import seeded
from simcore.scenario.flows import TcpFlow
from simcore.scenario.profiles import NS_2_35

Action = Callable[[], object]


def after(event: Event, action: Action) -> None:
    """Do something when an event happens."""

    def call(_: Event) -> None:
        action()

    event.callbacks.append(call)


class Stage:
    """The port has 1 Mb/s, the link a delay of 10 ms, the only flow is number 1."""

    def __init__(self, buffer_packets: int = 100, **flow: object) -> None:
        given = {"variant": "reno", "packet_bytes": 960, "window_packets": 20, "start_s": 1.0, "stop_s": 100.0}
        self.flow = TcpFlow.model_validate({"kind": "tcp"} | given | flow)
        self.env = Environment()
        self.log = Recorder(EVERYTHING)
        link = Link(self.env, self.log, 0, 0.01)
        self.port = Port(self.env, self.log, link, topology.Port(1e6, 0.01, buffer_packets))
        self.arrived: list[Packet] = []
        link.far_end[1] = self.arrived.append

    def sender(self) -> TcpSender:
        """A sender of the flow."""
        state = tcp_state(self.flow, NS_2_35, boot_s=0.0)
        sizes = segment_bytes(self.flow, NS_2_35)
        plan = SenderPlan(1, self.flow, state, sizes, seeded(1))
        return TcpSender(self.env, self.log, self.port, plan)

    def receiver(self) -> Receiver:
        """A receiver of the flow."""
        plan = ReceiverPlan(1, sink_state(self.flow, NS_2_35), ack_bytes=40)
        return Receiver(self.env, self.log, self.port, plan)

    def router(self) -> Router:
        """A router whose only way is the port."""
        router = Router(self.env)
        router.next_hop[1] = self.port
        return router

    def puts(self, inbox: Mailbox, *seqs: int, at_s: float) -> None:
        """Packets with these numbers arrive at one instant, in this order."""

        def put_all() -> None:
            for seq in seqs:
                inbox.put(self.packet(seq))

        self.at(at_s, put_all)

    def at(self, at_s: float, action: Action) -> None:
        """Do something at a time that is to come."""
        alarm = Timer(self.env, Mailbox(self.env))
        alarm.start(at_s - self.env.now)
        assert alarm.pending is not None
        after(alarm.pending, action)

    def packet(self, seq: int) -> Packet:
        """A packet that comes from elsewhere."""
        uid = self.log.packet_made(1, seq, 40, is_ack=True, repeated=False)
        return Packet(uid, 1, seq, 40)

    def sent(self, until_s: float = inf) -> list[tuple[float, int]]:
        """Run, and return what was put into the port: at which second, and the number."""
        self.env.run(until=until_s)
        log = self.log.log()
        rows = zip(log.event_s, log.event_kind, log.event_uid, strict=True)
        return [(round(s, 6), log.packet_seq[uid]) for s, kind, uid in rows if kind == ENQUEUED]
