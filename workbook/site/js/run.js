// A run's log as tables and numbers, by the definitions of simcore.results and simcore.metrics; a test compares them.

const ENQUEUED = 0, LEFT_QUEUE = 1, LOST = 2, RECEIVED = 3, KBIT_PER_BYTE = 8e-3;

class Run {
  constructor(log) {
    Object.assign(this, log);
    this.follow();
    this.flows = this.mapping.flows.map((flow, i) => this.flow(flow, i + 1));
  }

  // Each packet's journey, and the queue.
  follow() {
    const {uid, kind, link, s} = this.events, count = this.packets.flow.length;
    const times = () => new Float64Array(count).fill(NaN);
    Object.assign(this, {sent: times(), enqueued: times(), dequeued: times(), received: times(), arrived: times()});
    this.dropped = new Uint8Array(count);
    this.drops = [];
    const queue = {x: [], y: []};
    let level = 0, before = -1;  // the last event at the queue
    for (let i = 0; i < uid.length; i++) {
      const p = uid[i], way = this.routes[this.packets.flow[p] - 1], here = link[i];
      if (here === 0 && kind[i] <= RECEIVED) {
        const refused = kind[i] === LOST && before >= 0 && kind[before] === ENQUEUED && uid[before] === p;
        if (refused) { queue.x.pop(); queue.y.pop(); level -= 1; }
        else if (kind[i] !== RECEIVED) { level += kind[i] === ENQUEUED ? 1 : -1; queue.x.push(s[i]); queue.y.push(level); }
        if (kind[i] === LOST) this.drops.push({flow: this.packets.flow[p], s: s[i]});
        before = i;
      }
      const [first, entry, leaving, last] = this.packets.is_ack[p] ? way.back : way.out;
      if (kind[i] === ENQUEUED && here === first) this.sent[p] = s[i];
      if (kind[i] === ENQUEUED && here === entry) this.enqueued[p] = s[i];
      if (kind[i] === LEFT_QUEUE && here === entry) this.dequeued[p] = s[i];
      if (kind[i] === RECEIVED && here === leaving) this.received[p] = s[i];
      if (kind[i] === RECEIVED && here === last) this.arrived[p] = s[i];
      if (kind[i] === LOST && here >= entry && here <= leaving) this.dropped[p] = 1;
    }
    this.queue = queue;
  }

  // One flow: its packets in the order of arrival, and what is made of them.
  flow(said, number) {
    const {packets, arrived, sent, enqueued} = this, own = [], offered = [];
    for (let p = 0; p < packets.flow.length; p++) if (packets.flow[p] === number && !packets.is_ack[p]) {
      offered.push(p);
      if (!Number.isNaN(arrived[p])) own.push(p);
    }
    own.sort((a, b) => arrived[a] - arrived[b]);
    const times = own.map(p => arrived[p]), sizes = own.map(p => packets.bytes[p]), seen = new Set();
    let useful = 0, late = 0;
    own.forEach((p, i) => {
      if (!seen.has(packets.seq[p])) { seen.add(packets.seq[p]); useful += sizes[i]; }
      late += 1e3 * (times[i] - sent[p]);
    });
    const stop = Math.min(said.stop_s, this.mapping.end_s), busy = Math.max(stop, times.at(-1) ?? stop) - said.start_s;
    const at = name => this.totals[name][number - 1], tcp = said.kind === "tcp";
    const first = offered.filter(p => !Number.isNaN(enqueued[p])).sort((a, b) => enqueued[a] - enqueued[b]);
    return {
      said, tcp, times, sizes, offered: first, bytes: at("received_bytes"), different: seen.size - Number(seen.has(0)),
      throughput: KBIT_PER_BYTE * at("received_bytes") / busy, goodput: KBIT_PER_BYTE * useful / busy,
      sent: at("sent"), dropped: at("dropped"), loss: 100 * at("dropped") / Math.max(at("sent"), 1),
      latency: times.length ? late / times.length : NaN,
      fast: tcp ? at("fast_retransmits") : NaN, timeouts: tcp ? at("timeouts") : NaN,
    };
  }

  get first_drop() { return this.drops[0]?.s ?? Math.min(...this.mapping.flows.map(flow => flow.start_s)); }

  // Rows of numbers, and what all flows did together: as workbook.explore.numbers.
  numbers() {
    const rows = [
      ["Throughput", "kb/s", "throughput", 0], ["Goodput", "kb/s", "goodput", 0], ["Sent", "packets", "sent", 0],
      ["Dropped", "packets", "dropped", 0], ["Loss", "%", "loss", 2], ["Latency", "ms", "latency", 1],
      ["Fast retransmits", "", "fast", 0], ["Timeouts", "", "timeouts", 0],
    ].map(([name, unit, key, digits]) => ({name, unit, values: this.flows.map(flow => shown(flow[key], digits))}));
    return {rows, together: this.together()};
  }

  together() {
    const rates = this.flows.map(flow => flow.throughput), sum = values => values.reduce((a, b) => a + b, 0);
    const all = sum([...this.totals.received_bytes]), squares = sum(rates.map(rate => rate ** 2));
    const found = [["Link in use", `${shown(this.utilisation(all), 1)} %`]];
    if (rates.length > 1) found.push(["Fairness (Jain)", shown(sum(rates) ** 2 / (rates.length * squares), 3)]);
    return found;
  }

  // In percent, by what came over the bottleneck after a time: as workbook.chapters.many_flows leaves out the beginning.
  usedAfter(from_s) {
    const {end_s, bottleneck} = this.mapping;
    let bytes = 0;
    for (let p = 0; p < this.received.length; p++)
      if (!this.packets.is_ack[p] && this.received[p] > from_s) bytes += this.packets.bytes[p];
    return 100 * KBIT_PER_BYTE * bytes / (end_s - from_s) / (1e3 * bottleneck.rate_mbps);
  }

  // From the first start to the last flow's end, as simcore.metrics.utilisation_percent.
  utilisation(bytes) {
    const {flows, end_s, bottleneck} = this.mapping;
    const last = this.flows.map(({said, times}) => Math.max(Math.min(said.stop_s, end_s), times.at(-1) ?? 0));
    const span = Math.max(...last) - Math.min(...flows.map(flow => flow.start_s));
    return 100 * KBIT_PER_BYTE * bytes / span / (1e3 * bottleneck.rate_mbps);
  }
}

// A number as Python writes it: of two that are equally near, the even one.
function shown(value, digits) {
  if (Number.isNaN(value)) return "";
  const scaled = value * 10 ** digits, whole = Math.floor(scaled);
  return scaled - whole === 0.5 && Number.isInteger(scaled * 2) ? ((whole + whole % 2) / 10 ** digits).toFixed(digits) : value.toFixed(digits);
}
