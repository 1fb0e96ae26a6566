// One chart on a canvas: lines, marks, axes. `this.at` turns numbers into pixels, also for what the pointer asks.

const LEFT = 54, RIGHT = 22, TOP = 24, BOTTOM = 20;
const HEIGHTS = {throughput: 150, window: 170, queue: 120, sequence: 220};
const ACCEPTED = 0, DROPPED = 1, SENT_AGAIN = 2, PALE_LINE = 0.35;

function floats(view) {
  return new Float32Array(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

// Replace all bytes in a picture by numbers, once.
function unpack(node) {
  if (ArrayBuffer.isView(node)) return node instanceof DataView ? floats(node) : node;
  if (Array.isArray(node)) return node.map(unpack);
  if (node && typeof node === "object") return Object.fromEntries(Object.entries(node).map(([k, v]) => [k, unpack(v)]));
  return node;
}

function niceStep(span, count) {
  const raw = span / count, power = 10 ** Math.floor(Math.log10(raw));
  return power * [1, 2, 5, 10].find(step => step * power >= raw);
}

function ticks(low, high, count) {
  const step = niceStep(high - low, count), found = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) found.push(n * step);
  return {found, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9))};
}

// The lowest and highest number of a chart, over all runs that stand side by side.
function reach(charts) {
  let low = charts[0].packets ? Infinity : 0, high = -Infinity;
  const see = values => { for (const v of values) { if (v > high) high = v; if (v < low) low = v; } };
  for (const chart of charts) {
    for (const series of chart.series) see(series.y);
    for (const packets of chart.packets || []) see(packets.seq);
    if (chart.limit) high = Math.max(high, chart.limit.y);
    if (chart.top) high = chart.top;
  }
  if (!(high > low)) { low = Math.min(low, 0); if (low === Infinity) low = 0; high = low + 1; }
  return [low, charts[0].top ? high : high + 0.06 * (high - low)];
}

// The pen of a canvas on which nothing is drawn. Its size is set when it is another: that would lay out the page anew.
function cleared(canvas, width, height, ratio) {
  const size = [width, height].map(side => Math.floor(side * ratio)), pen = canvas.getContext("2d");
  if (size[0] !== canvas.width || size[1] !== canvas.height) [canvas.width, canvas.height] = size;
  pen.reset();
  pen.scale(ratio, ratio);
  return pen;
}

// Which points of a line decide how it looks: of each column of pixels the first, the lowest, the highest and the last
// (workbook.explore.thinning). A path takes a canvas without a graphics card longer than all else.
function decisive(x, y, pixels) {
  const kept = [];
  for (let i = 0, next; i < x.length; i = next) {
    const column = Math.floor(x[i] * pixels);
    let low = i, high = i;
    for (next = i + 1; next < x.length && Math.floor(x[next] * pixels) === column; next++) {
      if (y[next] < y[low]) low = next;
      if (y[next] > y[high]) high = next;
    }
    for (const k of [i, Math.min(low, high), Math.max(low, high), next - 1]) if (k !== kept.at(-1)) kept.push(k);
  }
  return kept;
}

class Chart {
  constructor(parent, name) {
    this.name = name;
    this.canvas = document.createElement("canvas");
    this.canvas.className = "bn-chart";
    this.canvas.style.height = HEIGHTS[name] + "px";
    this.canvas.setAttribute("role", "img");
    this.canvas.dataset.chart = name;
    this.steps = name === "window" || name === "sequence";  // has events to go through
    if (this.steps) this.canvas.tabIndex = 0;
    this.note = make("p", "bn-note");
    parent.append(this.canvas, this.note);
  }

  draw(data, run, span, theme, colours, range, width) {
    Object.assign(this, {data, run, span, theme, colours});
    const ratio = window.devicePixelRatio || 1, height = HEIGHTS[this.name];
    const pen = this.pen = cleared(this.canvas, width, height, ratio);
    this.box = {left: LEFT, right: width - RIGHT, top: TOP, bottom: height - BOTTOM};
    const {left, right, top, bottom} = this.box, [low, high] = range;
    const xs = (right - left) / span, ys = (bottom - top) / (high - low);
    this.pixels = xs * ratio;  // of the screen, in a second
    this.at = {x: t => left + t * xs, y: v => bottom - (v - low) * ys, time: px => (px - left) / xs};
    this.axes(low, high);
    pen.save();
    pen.beginPath(); pen.rect(left, top - 4, right - left, bottom - top + 8); pen.clip();
    if (data.limit) this.limit(data.limit);
    this.moments();
    if (this.looked) this.upright(this.looked.time - this.from, theme.text, []);
    if (this.ghost) this.shadow(this.ghost.charts.find(({name}) => name === data.name));
    for (const series of data.series) this.series(series);
    for (const changes of data.changes || []) this.reactions(changes);
    for (const packets of data.packets || []) this.packets(packets);
    for (const drops of data.drops || []) this.drops(drops);
    pen.restore();
    const hint = this.steps ? ". Arrow keys go from event to event" : "";
    this.canvas.setAttribute("aria-label", `${data.title}; ${run.title}${hint}`);
  }

  axes(low, high) {
    const {pen, theme, box, at, data} = this;
    pen.font = "11px system-ui, sans-serif"; pen.lineWidth = 1;
    pen.strokeStyle = theme.grid; pen.fillStyle = theme.quiet;
    const y = ticks(low, high, 4), x = ticks(this.from, this.from + this.span, (box.right - box.left) / 90);
    pen.textAlign = "right"; pen.textBaseline = "middle";
    for (const v of y.found) {
      pen.beginPath(); pen.moveTo(box.left, at.y(v)); pen.lineTo(box.right, at.y(v)); pen.stroke();
      pen.fillText(v.toFixed(y.digits), box.left - 6, at.y(v));
    }
    pen.textAlign = "center"; pen.textBaseline = "top";
    for (const t of x.found) {
      const px = at.x(t - this.from);
      pen.beginPath(); pen.moveTo(px, box.top); pen.lineTo(px, box.bottom); pen.stroke();
      pen.fillText(t.toFixed(x.digits) + " s", px, box.bottom + 5);
    }
    pen.textAlign = "left"; pen.textBaseline = "top";
    pen.fillStyle = theme.text; pen.font = "600 12px system-ui, sans-serif";
    pen.fillText(data.title, box.left, 4);
    const after = box.left + pen.measureText(data.title).width + 12;
    pen.fillStyle = theme.quiet; pen.font = "11px system-ui, sans-serif";
    const fits = after + pen.measureText(data.note).width < box.right;
    if (fits) pen.fillText(data.note, after, 5);
    this.note.textContent = fits ? "" : data.note;
  }

  colourOf(flow) {
    return this.theme.colour(flow ? this.run.flows[flow - 1].colour : this.colours.total);
  }

  limit({y, text}) {
    const {pen, theme, box, at} = this;
    pen.strokeStyle = pen.fillStyle = theme.quiet; pen.setLineDash([2, 4]); pen.lineWidth = 1;
    pen.beginPath(); pen.moveTo(box.left, at.y(y)); pen.lineTo(box.right, at.y(y)); pen.stroke(); pen.setLineDash([]);
    const below = at.y(y) < box.top + 12;
    pen.textAlign = "right"; pen.textBaseline = below ? "top" : "bottom";
    pen.fillText(text, box.right - 2, at.y(y) + (below ? 2 : -1));
  }

  // A line through all charts where a packet was lost or spared on purpose: there the futures part.
  moments() {
    for (const {x, named} of this.run.charts.flatMap(chart => chart.packets || []))
      for (let i = 0; i < x.length; i++) if (named[i]) this.upright(x[i], this.theme.named, [6, 3]);
  }

  upright(time, colour, dashes) {
    const {pen, at, box} = this;
    pen.strokeStyle = colour; pen.lineWidth = 1.2; pen.setLineDash(dashes);
    pen.beginPath(); pen.moveTo(at.x(time), box.top); pen.lineTo(at.x(time), box.bottom); pen.stroke();
    pen.setLineDash([]);
  }

  // Another run's lines, pale.
  shadow({series, packets}) {
    const {pen, at, run} = this;
    this.run = this.ghost;
    for (const line of series) this.series({...line, pale: true});
    pen.globalAlpha = PALE_LINE;
    for (const {flow, x, seq} of packets || []) {
      pen.fillStyle = this.colourOf(flow);
      for (let i = 0; i < x.length; i++) pen.fillRect(at.x(x[i]) - 1, at.y(seq[i]) - 1, 2, 2);
    }
    pen.globalAlpha = 1;
    this.run = run;
  }

  // What is dotted is the kernel's: drawn over the model's, so never filled.
  series({form, flow, x, y, dotted, pale}) {
    if (!x.length) return;
    const {pen, at, theme} = this, filled = (form === "area" || form === "bins") && !dotted && !pale;
    pen.strokeStyle = this.colourOf(flow); pen.lineJoin = "miter";
    pen.lineWidth = {bins: 1.6, steps: 1.5, dashed: 1.1, area: 0.8}[form];
    pen.globalAlpha = (form === "dashed" ? 0.7 : 1) * (pale ? PALE_LINE : 1);
    pen.setLineDash(form === "dashed" ? [5, 4] : dotted ? [0.1, 5] : []);
    if (dotted) { pen.lineCap = "round"; pen.lineWidth = 3.2; }
    pen.beginPath();
    if (filled) pen.moveTo(at.x(x[0]), at.y(0));
    let level = filled ? at.y(0) : at.y(y[0]);
    for (const i of decisive(x, y, this.pixels)) {
      const px = at.x(x[i]), py = at.y(y[i]);
      pen.lineTo(px, level);
      pen.lineTo(px, py);
      level = py;
    }
    pen.lineTo(this.box.right, level);
    if (filled) this.fill(form, theme);
    pen.stroke();
    pen.globalAlpha = 1; pen.setLineDash([]); pen.lineCap = "butt";
  }

  // Under the line: of bins so pale that those of several flows are seen through each other.
  fill(form, theme) {
    const {pen} = this;
    pen.lineTo(this.box.right, this.at.y(0));
    pen.fillStyle = form === "area" ? theme.area : pen.strokeStyle;
    pen.globalAlpha = form === "area" ? 1 : 0.13;
    pen.fill();
    pen.globalAlpha = 1;
  }

  reactions({x, before, cause}) {
    for (let i = 0; i < x.length; i++) {
      const name = this.causes[cause[i]];
      if (name === "fast_retransmit") this.triangle(this.at.x(x[i]), this.at.y(before[i]), this.colours[name]);
      if (name === "timeout") this.cross(this.at.x(x[i]), this.at.y(before[i]), 4, this.colours[name], 2);
    }
  }

  packets({flow, x, seq, fate, named}) {
    const {pen, at} = this, few = x.length < 400;
    pen.fillStyle = this.colourOf(flow);
    const size = few ? 4 : 2;
    let column, row;  // of the last dot: one at the same place would not be seen
    for (let i = 0; i < x.length; i++) if (fate[i] === ACCEPTED) {
      const px = at.x(x[i]), py = at.y(seq[i]);
      if (Math.round(px) === column && Math.round(py) === row) continue;
      [column, row] = [Math.round(px), Math.round(py)];
      pen.fillRect(px - size / 2, py - size / 2, size, size);
    }
    for (let i = 0; i < x.length; i++) {
      if (fate[i] === SENT_AGAIN) this.ring(at.x(x[i]), at.y(seq[i]), this.colourOf(flow));
      if (fate[i] === DROPPED) this.cross(at.x(x[i]), at.y(seq[i]), 3.5, this.colours.drop, 1.6);
      if (named[i]) this.ring(at.x(x[i]), at.y(seq[i]), this.theme.named, 8);
    }
  }

  drops({x}) {
    const y = this.data.limit ? this.at.y(this.data.limit.y) : this.box.top + 3;
    for (let i = 0; i < x.length; i++) this.cross(this.at.x(x[i]), y, 3, this.colours.drop, 1.5);
  }

  cross(x, y, size, colour, width) {
    const {pen} = this;
    pen.strokeStyle = this.theme.colour(colour); pen.lineWidth = width;
    pen.beginPath(); pen.moveTo(x - size, y - size); pen.lineTo(x + size, y + size);
    pen.moveTo(x + size, y - size); pen.lineTo(x - size, y + size); pen.stroke();
  }

  triangle(x, y, colour) {
    const {pen} = this;
    pen.fillStyle = this.theme.colour(colour);
    pen.beginPath(); pen.moveTo(x - 5, y - 8); pen.lineTo(x + 5, y - 8); pen.lineTo(x, y); pen.fill();
  }

  ring(x, y, colour, radius = 3) {
    this.pen.strokeStyle = colour; this.pen.lineWidth = 1.2;
    this.pen.beginPath(); this.pen.arc(x, y, radius, 0, 7); this.pen.stroke();
  }
}
