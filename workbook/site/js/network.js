// Where everything stands on the stage: hosts, wires, link, buffer; in pixels.

// Parts of the stage's width and height.
const SENDERS_AT = 0.14, ROUTERS_AT = [0.37, 0.67], RECEIVERS_AT = 0.87, LINK_AT = 0.62, LEAST_TEXT_PX = 12;

class Network {
  constructor(width, height, flows) {
    const unit = Math.max(0.72, Math.min(width / 1050, height / 400, 2)), isSmall = width < 560;
    Object.assign(this, {width, height, unit, isSmall, square: (isSmall ? 17 : 15) * unit});
    this.text = Math.max(LEAST_TEXT_PX, 13 * unit);
    const [top, bottom] = [0.2 * height, Math.min(0.87 * height, height - 34 * unit - 1.6 * this.text)], gap = flows > 1 ? (bottom - top) / (flows - 1) : height;
    this.rows = Array.from({length: flows}, (_, i) => flows > 1 ? top + i * gap : LINK_AT * height);
    this.radius = Math.min((isSmall ? 32 : 34) * unit, 0.33 * gap);
    this.hasWords = gap - 2 * this.radius > 1.6 * this.text;
    this.hasFlights = gap - 2 * this.radius > 3.4 * this.text;
    this.left = [ROUTERS_AT[0] * width, LINK_AT * height];
    this.right = [ROUTERS_AT[1] * width, LINK_AT * height];
    this.router = 21 * unit;
    this.foot = this.left[1] - this.router - 5 * unit;
    this.head = 2.4 * this.text;
  }

  sender(flow) { return [(this.isSmall ? 0.15 : SENDERS_AT) * this.width, this.rows[flow]]; }

  receiver(flow) { return [(this.isSmall ? 0.86 : RECEIVERS_AT) * this.width, this.rows[flow]]; }

  // The ends of a leg, as data goes: to the router, over the link, to the host.
  ends(flow, leg) {
    return [[this.sender(flow), this.left], [this.left, this.right], [this.right, this.receiver(flow)]][leg];
  }

  // Where something is that has gone so far on a leg. ACKs go the other way, below the wire.
  place(flow, isAck, leg, part) {
    const [from, to] = this.ends(flow, isAck ? 2 - leg : leg), t = isAck ? 1 - part : part, s = 1 - t;
    const bend = 3 * s * t * t + t * t * t;  // of a curve that is level at both ends
    const along = 1.5 * s * s * t + 1.5 * s * t * t + t * t * t;
    return [from[0] + (to[0] - from[0]) * along, from[1] + (to[1] - from[1]) * bend + (isAck ? this.beside : 0)];
  }

  get beside() { return 15 * this.unit; }

  wire(pen, from, to) {
    const middle = (from[0] + to[0]) / 2;
    pen.moveTo(...from);
    pen.bezierCurveTo(middle, from[1], middle, to[1], ...to);
  }

  // How high one waiting packet is.
  slot(room) { return Math.min(16 * this.unit, (this.foot - this.head) / room); }
}
