// The stage: the network, and what is on its way at the clock's moment. Behind it, pale, the run that was.

const FALL_MS = 1400, PALE = 0.3, TAP_PX = 34;

class Stage {
  constructor(parent) {
    this.canvas = parent.appendChild(make("canvas", "bn-network"));
    this.canvas.setAttribute("role", "img");
    this.canvas.tabIndex = 0;
    Object.assign(this, {runs: [], spots: [], marked: null, size: null});
    this.watch();
  }

  watch() {
    new ResizeObserver(() => { this.size = null; this.draw(); }).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { this.size = null; this.draw(); });
  }

  // The runs, the newest last, and what their flows are called.
  take(runs, legends) {
    Object.assign(this, {runs, legends, size: null});
    const names = legends.map(({name}) => name).join(" and ");
    this.canvas.setAttribute("aria-label", `Packets of ${names} on their way through a router with a buffer. `
      + "Space plays and pauses, arrow keys step, Enter opens a packet.");
  }

  get now() { return this.runs.at(-1); }

  measure() {
    const {clientWidth: width, clientHeight: height} = this.canvas;
    if (!width || !this.now) return false;
    this.size = {width, height};
    this.theme = themeOf(this.canvas);
    this.network = new Network(width, height, this.legends.length);
    this.colours = this.legends.map(({colour}) => this.theme.colour(colour));
    return true;
  }

  draw(at = this.at, fall_s = this.fall_s) {
    Object.assign(this, {at, fall_s, spots: []});
    if (at === undefined || !this.size && !this.measure()) return;
    const {width, height} = this.size;
    this.pen = cleared(this.canvas, width, height, Math.min(window.devicePixelRatio || 1, 2));
    this.wires();
    for (const run of this.runs) {
      this.pen.globalAlpha = run === this.now ? 1 : PALE;
      this.onTheirWay(run);
    }
    this.pen.globalAlpha = 1;
    this.router();
    this.legends.forEach((_, flow) => { this.sender(flow); this.receiver(flow); });
    this.buffer();
    this.falls();
    this.ring();
  }

  wires() {
    const {pen, network, theme} = this;
    pen.strokeStyle = theme.dark ? "#3a3f47" : "#d9d7ce"; pen.lineCap = "round";
    pen.lineWidth = 7 * network.unit;
    pen.beginPath();
    this.legends.forEach((_, flow) => { for (const leg of [0, 2]) network.wire(pen, ...network.ends(flow, leg)); });
    pen.stroke();
    pen.strokeStyle = theme.dark ? "#4a505a" : "#cfcabe"; pen.lineWidth = 19 * network.unit;
    pen.beginPath(); network.wire(pen, network.left, network.right); pen.stroke();
  }

  // Squares are data, dots are ACKs.
  onTheirWay(journeys) {
    const {at, network} = this, under = journeys.under(at);
    this.waiting = journeys.waiting(under, at);
    for (const p of under) {
      const leg = journeys.leg(p, at), isAck = journeys.packets.is_ack[p], flow = journeys.packets.flow[p] - 1;
      if (!leg) continue;
      const [x, y] = network.place(flow, isAck, ...leg);
      if (isAck) this.dot(x, y, flow); else this.packet(x, y, flow);
      if (journeys === this.now) this.spots.push({p, x, y});
    }
    if (journeys !== this.now) this.level = this.waiting.length;
  }

  packet(x, y, flow, size = this.network.square) {
    const {pen} = this;
    pen.fillStyle = this.colours[flow];
    pen.beginPath(); pen.roundRect(x - size / 2, y - size / 2, size, size, size / 5); pen.fill();
    pen.strokeStyle = this.theme.dark ? "#16181c" : "#fff"; pen.lineWidth = 1; pen.stroke();
  }

  dot(x, y, flow) {
    this.pen.fillStyle = this.colours[flow];
    this.pen.beginPath(); this.pen.arc(x, y, 4 * this.network.unit, 0, 7); this.pen.fill();
  }

  router() {
    const {pen, network: {left, right, router}, theme} = this;
    pen.fillStyle = theme.dark ? "#e8e6df" : "#1d2433";
    for (const [[x, y], size] of [[left, router], [right, 0.8 * router]]) {
      pen.beginPath(); pen.roundRect(x - size, y - size, 2 * size, 2 * size, size / 3.5); pen.fill();
    }
  }

  // A word; never smaller than can be read.
  word(text, x, y, colour, {weight = "", align = "center", size = this.network.text} = {}) {
    const {pen} = this;
    pen.font = `${weight} ${size}px system-ui, sans-serif`; pen.fillStyle = colour;
    pen.textAlign = align; pen.textBaseline = "middle";
    pen.fillText(text, x, y);
  }

  // A sender's window as a gauge: the ring is full at the greatest of the run, its mark is ssthresh.
  sender(flow) {
    const {network, theme, at, colours} = this, [x, y] = network.sender(flow), {radius} = network, isTcp = this.now.windows[flow];
    const {cwnd, ssthresh, most} = isTcp ? this.now.window(flow, at) : {cwnd: 1, ssthresh: 0, most: 1};
    this.pen.fillStyle = theme.dark ? "#16181c" : "#fff";
    this.pen.beginPath(); this.pen.arc(x, y, radius, 0, 7); this.pen.fill();
    this.arc(x, y, 0, 1, theme.dark ? "#3a3f47" : "#e6e3da");
    if (isTcp) this.arc(x, y, 0, Math.min(1, cwnd / most), colours[flow], PALE + 0.1);
    this.arc(x, y, 0, isTcp ? Math.min(1, this.now.inFlight(flow, at) / most) : 1, colours[flow]);
    if (isTcp && ssthresh < most) this.arc(x, y, ssthresh / most - 0.008, ssthresh / most + 0.008, theme.text);
    if (radius > 0.9 * network.text) this.word(isTcp ? Math.floor(cwnd) : "UDP", x, y, theme.text,
      {weight: "700", size: Math.max(LEAST_TEXT_PX, (isTcp ? 0.62 : 0.46) * radius)});
    this.saidOfSender(flow, x, y, isTcp);
  }

  saidOfSender(flow, x, y, isTcp) {
    const {network, theme, at} = this, {radius, text, hasWords, hasFlights} = network;
    const under = isTcp ? `${this.now.inFlight(flow, at)} in flight` : "as fast as told";
    if (hasWords) this.word(this.legends[flow].name, x, y - radius - 0.9 * text, this.colours[flow], {weight: "600"});
    if (hasFlights) this.word(under, x, y + radius + 0.9 * text, theme.quiet, {size: Math.max(LEAST_TEXT_PX, 0.9 * text)});
  }

  arc(x, y, from, to, colour, alpha = 1) {
    const {pen, network: {radius}} = this, width = Math.max(2, 0.2 * radius), turn = part => 2 * Math.PI * part - Math.PI / 2;
    if (to <= from) return;
    pen.globalAlpha = alpha; pen.lineCap = "butt"; pen.strokeStyle = colour; pen.lineWidth = width;
    pen.beginPath(); pen.arc(x, y, radius - width / 2, turn(from), turn(to)); pen.stroke();
    pen.globalAlpha = 1;
  }

  receiver(flow) {
    const {pen, network} = this, [x, y] = network.receiver(flow), {radius, text, hasWords} = network;
    pen.fillStyle = this.colours[flow];
    pen.beginPath(); pen.arc(x, y, 0.62 * radius, 0, 7); pen.fill();
    if (!hasWords) return;
    const kbps = `${Math.round(this.now.rate(flow, this.at))} kb/s`;
    this.word(kbps, Math.min(x, network.width - 2.8 * text), y - 0.62 * radius - 0.9 * text, this.colours[flow], {weight: "600"});
  }

  // The buffer as a column on the router: the next packet to leave at its foot.
  buffer() {
    const {pen, network, theme, waiting, now} = this, {left: [x], foot, unit, square} = network, room = Math.max(now.room, waiting.length);
    const high = network.slot(room), wide = 1.9 * square, top = foot - room * high;
    pen.fillStyle = theme.dark ? "#22262d" : "#fff"; pen.strokeStyle = theme.dark ? "#5b6270" : "#c9c5ba"; pen.lineWidth = 1.2 * unit;
    pen.beginPath(); pen.rect(x - wide / 2 - 2, top - 2, wide + 4, room * high + 4); pen.fill(); pen.stroke();
    waiting.forEach((p, place) => {
      const y = foot - (place + 1) * high;
      pen.fillStyle = this.colours[now.packets.flow[p] - 1];
      pen.fillRect(x - wide / 2, y + 0.06 * high, wide, Math.max(0.86 * high, 0.5));
      this.spots.push({p, x, y: y + high / 2});
    });
    if (this.runs.length > 1 && this.level !== waiting.length) this.levelThatWas(x, foot - this.level * high, wide);
    this.saidOfBuffer(x, top - 2 - 0.9 * network.text, waiting.length);
  }

  levelThatWas(x, y, wide) {
    const {pen} = this;
    pen.strokeStyle = this.theme.quiet; pen.lineWidth = 1.5; pen.setLineDash([4, 3]);
    pen.beginPath(); pen.moveTo(x - 0.75 * wide, y); pen.lineTo(x + 0.75 * wide, y); pen.stroke();
    pen.setLineDash([]);
  }

  saidOfBuffer(x, y, length) {
    const isFull = length >= this.now.room, colour = isFull ? this.theme.colour(this.drop) : this.theme.quiet;
    this.word(isFull ? `buffer full: ${length}` : `buffer ${length} of ${this.now.room}`, x, y, colour, {weight: isFull ? "600" : ""});
  }

  // Drops fall out of the column, to the left; the newest is named.
  falls() {
    const {pen, network, now} = this, {left: [x], foot, square, unit, height} = network;
    const top = foot - network.slot(now.room) * now.room;
    for (const [place, [p, age]] of now.falling(this.at, this.fall_s).entries()) {
      const px = x - 2 * square - 95 * unit * age, py = top + square + (0.97 * height - top) * age * age;
      pen.globalAlpha = 1 - 0.75 * age;
      pen.save(); pen.translate(px, py); pen.rotate(-2.4 * age);
      this.packet(0, 0, now.packets.flow[p] - 1, 1.15 * square);
      pen.strokeStyle = this.theme.colour(this.drop); pen.lineWidth = 2.5; pen.stroke();
      pen.restore();
      if (!place && age < 0.5 && !network.isSmall) this.word("dropped", px - 1.4 * square, py, this.theme.colour(this.drop), {weight: "700", align: "right"});
      pen.globalAlpha = 1;
      this.spots.push({p, x: px, y: py});
    }
  }

  // Around the packet whose card is open.
  ring() {
    const spot = this.spots.find(({p}) => p === this.marked), {pen, network: {square}} = this;
    if (!spot) return;
    pen.strokeStyle = this.theme.colour(this.drop); pen.lineWidth = 2.5;
    pen.beginPath(); pen.arc(spot.x, spot.y, 1.15 * square, 0, 7); pen.stroke();
  }

  // The packet nearest to a point; data before ACKs.
  found(x, y, reach = TAP_PX) {
    let best = null;
    for (const spot of this.spots) {
      const far = Math.hypot(spot.x - x, spot.y - y) + (this.now.packets.is_ack[spot.p] ? 14 : 0);
      if (far < reach && (!best || far < best.far)) best = {...spot, far};
    }
    return best;
  }

  spotOf(p) { return this.spots.find(spot => spot.p === p); }
}
