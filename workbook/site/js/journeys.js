// What is on its way at a moment of a run: what the stage shows of it.

// Wires between hosts and routers often take no time. They are drawn, so packets are seen on them for so many
// transmissions: before they reach the bottleneck, and after they have left it.
const SEEN_ON_WIRES = 2, RATE_OVER = 50;

// How many numbers of a sorted list are not beyond a limit.
function countUpTo(sorted, limit) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= limit) low = middle + 1; else high = middle;
  }
  return low;
}

class Journeys {
  constructor(run) {
    const {packets, mapping} = run, each = make => run.flows.map(flow => make(flow));
    Object.assign(this, {run, packets, end: mapping.end_s, drops: [], dropTimes: [], room: roomOf(run)});
    this.packet_s = packets.bytes.reduce((most, bytes) => Math.max(most, bytes), 1) * 8e-6 / mapping.bottleneck.rate_mbps;
    this.lost = new Float64Array(packets.flow.length).fill(NaN);
    this.flights = each(() => ({s: [], value: [], sent: -1, acknowledged: -1}));
    this.received = each(() => ({s: [], bytes: [0]}));
    this.windows = run.flows.map((flow, i) => flow.tcp ? windowsOf(run.updates, i + 1) : null);
  }

  // In steps, between which whoever asks may see to other things.
  static *made(run) {
    const own = new Journeys(run);
    yield;
    own.follow();
    yield;
    own.spans();
    yield;
    return own;
  }

  // All that happened, in its order: what was lost, sent, acknowledged and received.
  follow() {
    const {run: {events: {s, uid, kind, link}, routes}, packets: {flow, is_ack, seq, bytes}} = this;
    for (let i = 0; i < uid.length; i++) {
      const p = uid[i], f = flow[p] - 1, {out, back} = routes[f];
      if (kind[i] === LOST) this.loses(p, s[i]);
      else if (is_ack[p]) { if (kind[i] === RECEIVED && link[i] === back[3]) this.flies(f, s[i], "acknowledged", seq[p]); }
      else if (kind[i] === ENQUEUED && link[i] === out[0]) this.flies(f, s[i], "sent", seq[p]);
      else if (kind[i] === RECEIVED && link[i] === out[3]) this.receives(f, s[i], bytes[p]);
    }
  }

  // Data alone falls out of the stage.
  loses(p, s) {
    this.lost[p] = s;
    if (!this.packets.is_ack[p]) { this.drops.push(p); this.dropTimes.push(s); }
  }

  // A sender's packets without an ACK: of each time when this changed, how many.
  flies(flow, s, name, seq) {
    const own = this.flights[flow];
    own[name] = Math.max(own[name], seq);
    own.s.push(s); own.value.push(Math.max(own.sent - own.acknowledged, 0));
  }

  // What arrived until when.
  receives(flow, s, bytes) {
    const own = this.received[flow];
    own.s.push(s); own.bytes.push(own.bytes.at(-1) + bytes);
  }

  // When each packet is first and last to be seen, and in which order. Most are sent in the order of their numbers.
  spans() {
    const {sent, enqueued, received, arrived} = this.run, seen = SEEN_ON_WIRES * this.packet_s, count = sent.length, order = [];
    const [begin, until] = [this.begin, this.until] = [new Float64Array(count), new Float64Array(count)];
    let longest = 0;
    for (let p = 0; p < count; p++) {
      begin[p] = enqueued[p] - seen < sent[p] ? enqueued[p] - seen : sent[p];
      const there = arrived[p] >= 0 ? Math.max(arrived[p], received[p] + seen) : this.end;
      until[p] = this.lost[p] >= 0 ? this.lost[p] : there;
      if (until[p] - begin[p] > longest) longest = until[p] - begin[p];
      if (begin[p] >= -1) order.push(p);
    }
    this.order = order.sort((a, b) => begin[a] - begin[b]);
    this.begins = Float64Array.from(this.order, p => begin[p]);
    this.longest = longest;
  }

  // The packets that are under way, the first sent first.
  under(now) {
    const found = [];
    for (let i = countUpTo(this.begins, now) - 1; i >= 0 && this.begins[i] >= now - this.longest; i--)
      if (this.until[this.order[i]] > now) found.push(this.order[i]);
    return found.reverse();
  }

  // On which leg a packet is, and how far: 0 to the router, 1 over the link, 2 to the host; null while it waits.
  leg(p, now) {
    const {enqueued, dequeued, received} = this.run, part = (from, to) => to > from ? Math.min((now - from) / (to - from), 1) : 1;
    if (!(now >= enqueued[p])) return [0, part(this.begin[p], enqueued[p])];
    if (!(now >= dequeued[p])) return null;
    if (!(now >= received[p])) return [1, part(dequeued[p], Number.isNaN(received[p]) ? dequeued[p] + this.cross : received[p])];
    return [2, part(received[p], this.until[p])];
  }

  // How long the link takes, for packets that never came over it.
  get cross() { return this.packet_s + 1e-3 * this.run.mapping.bottleneck.delay_ms; }

  // What waits at the bottleneck, the next to leave first.
  waiting(under, now) {
    const {enqueued, dequeued} = this.run, leaves = p => Number.isNaN(dequeued[p]) ? Infinity : dequeued[p];
    return under.filter(p => !this.packets.is_ack[p] && now >= enqueued[p] && !(now >= dequeued[p]))
      .sort((a, b) => leaves(a) === leaves(b) ? enqueued[a] - enqueued[b] : leaves(a) - leaves(b));
  }

  // The packets that fall, each with how far it has.
  falling(now, fall_s) {
    const found = [];
    for (let i = countUpTo(this.dropTimes, now) - 1; i >= 0 && this.dropTimes[i] > now - fall_s; i--)
      found.push([this.drops[i], (now - this.dropTimes[i]) / fall_s]);
    return found;
  }

  inFlight(flow, now) { return valueAt(this.flights[flow], "value", now) ?? 0; }

  window(flow, now) {
    const own = this.windows[flow];
    return {cwnd: valueAt(own, "cwnd", now) ?? 0, ssthresh: valueAt(own, "ssthresh", now) ?? 0, most: own.most};
  }

  // In kb/s, over the last transmissions.
  rate(flow, now) {
    const {s, bytes} = this.received[flow], over = RATE_OVER * this.packet_s;
    return 8e-3 * (bytes[countUpTo(s, now)] - bytes[countUpTo(s, now - over)]) / over;
  }

  // When something is to be seen again; now, if something is.
  nextBusy(now, fall_s) {
    if (this.under(now).length || this.falling(now, fall_s).length) return now;
    return this.begins[countUpTo(this.begins, now)] ?? this.end;
  }
}

function valueAt(column, name, now) { return column[name][countUpTo(column.s, now) - 1]; }

function windowsOf({s, flow, cwnd, ssthresh}, number) {
  const own = [...s.keys()].filter(i => flow[i] === number), take = column => own.map(i => column[i]);
  const found = {s: take(s), cwnd: take(cwnd), ssthresh: take(ssthresh)};
  return {...found, most: found.cwnd.reduce((a, b) => Math.max(a, b), 1)};
}

// How many may wait; where a queue has no limit in packets, how many did.
function roomOf({mapping: {bottleneck}, queue}) {
  const most = bottleneck.queue === "droptail" ? bottleneck.buffer_packets - 1 : queue.y.reduce((a, b) => Math.max(a, b), 1);
  return Math.max(most || 1, 1);
}
