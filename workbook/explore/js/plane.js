// The phase plane of two TCP flows: the windows against each other, with the fairness line and the capacity line.

// Pixels: the canvas, and in it the square with the same scale on both axes. Words stand to its right.
const PLANE = [590, 340], PLANE_LEFT = 54, PLANE_TOP = 26, PLANE_SIDE = 274;

// The greatest window or capacity, over all runs that stand side by side.
function planeReach(runs) {
  let high = 1;
  for (const {plane} of runs) if (plane) {
    for (const values of [plane.x, plane.y]) for (const v of values) if (v > high) high = v;
    if (plane.capacity) high = Math.max(high, 0.6 * plane.capacity);
  }
  return 1.06 * high;
}

class Plane {
  constructor(parent) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "bn-plane";
    this.canvas.setAttribute("role", "img");
    this.canvas.dataset.chart = "plane";
    parent.append(this.canvas);
  }

  draw(run, theme, colours, high) {
    const {canvas} = this, data = run.plane, ratio = window.devicePixelRatio || 1;
    canvas.style.display = data ? "block" : "none";
    if (!data) return;
    const pen = this.pen = cleared(canvas, ...PLANE, ratio), scale = PLANE_SIDE / high;
    Object.assign(this, {theme, high, x: v => PLANE_LEFT + v * scale, y: v => PLANE_TOP + PLANE_SIDE - v * scale});
    this.axes(run);
    pen.save();
    pen.beginPath(); pen.rect(PLANE_LEFT, PLANE_TOP, PLANE_SIDE, PLANE_SIDE); pen.clip();
    this.rule([0, 0], [high, high], theme.quiet, [5, 4]);
    if (data.capacity) this.rule([0, data.capacity], [data.capacity, 0], theme.colour(colours.drop), [2, 4]);
    this.path(data, theme.colour(run.flows[0].colour), theme.colour(run.flows[1].colour));
    pen.restore();
    this.legend(data, run, colours);
    canvas.setAttribute("aria-label", `cwnd of ${run.flows[1].name} against cwnd of ${run.flows[0].name}; ${run.title}`);
  }

  axes(run) {
    const {pen, theme, high, x, y} = this, {found, digits} = ticks(0, high, 4);
    pen.font = "11px system-ui, sans-serif"; pen.strokeStyle = theme.grid; pen.fillStyle = theme.quiet; pen.lineWidth = 1;
    for (const v of found) {
      pen.beginPath(); pen.moveTo(x(0), y(v)); pen.lineTo(x(high), y(v)); pen.moveTo(x(v), y(0)); pen.lineTo(x(v), y(high));
      pen.stroke();
      pen.textAlign = "right"; pen.textBaseline = "middle"; pen.fillText(v.toFixed(digits), x(0) - 6, y(v));
      pen.textAlign = "center"; pen.textBaseline = "top"; pen.fillText(v.toFixed(digits), x(v), y(0) + 5);
    }
    pen.fillText(`cwnd of ${run.flows[0].name} in packets`, PLANE_LEFT + PLANE_SIDE / 2, y(0) + 22);
    pen.save(); pen.translate(12, PLANE_TOP + PLANE_SIDE / 2); pen.rotate(-Math.PI / 2);
    pen.fillText(`cwnd of ${run.flows[1].name} in packets`, 0, 0); pen.restore();
    pen.textAlign = "left"; pen.fillStyle = theme.text; pen.font = "600 12px system-ui, sans-serif";
    pen.fillText("Phase plane: one window against the other", PLANE_LEFT, 6);
  }

  rule([x0, y0], [x1, y1], colour, dashes) {
    const {pen, x, y} = this;
    pen.strokeStyle = colour; pen.lineWidth = 1.2; pen.setLineDash(dashes);
    pen.beginPath(); pen.moveTo(x(x0), y(y0)); pen.lineTo(x(x1), y(y1)); pen.stroke(); pen.setLineDash([]);
  }

  // The way of both windows; a dot where the view begins, a square where it ends.
  path(data, begin, end) {
    const {pen, x, y} = this, last = data.x.length - 1;
    if (last < 0) return;
    pen.strokeStyle = begin; pen.lineWidth = 1; pen.lineJoin = "round";
    pen.beginPath(); pen.moveTo(x(data.x[0]), y(data.y[0]));
    for (let i = 1; i <= last; i++) pen.lineTo(x(data.x[i]), y(data.y[i]));
    pen.stroke();
    pen.fillStyle = begin; pen.beginPath(); pen.arc(x(data.x[0]), y(data.y[0]), 4, 0, 7); pen.fill();
    pen.fillStyle = end; pen.fillRect(x(data.x[last]) - 4, y(data.y[last]) - 4, 8, 8);
  }

  legend(data, run, colours) {
    const {pen, theme} = this, left = PLANE_LEFT + PLANE_SIDE + 18, lines = [
      [theme.quiet, "- -  fair: both windows are the same"],
      data.capacity && [theme.colour(colours.drop), `\u00b7 \u00b7  link and buffer hold ${data.capacity.toFixed(1)} packets`],
      [theme.colour(run.flows[0].colour), "\u25cf  where the view begins"],
      [theme.colour(run.flows[1].colour), "\u25a0  where it ends"],
      [theme.quiet, "Growth moves along the diagonal,"],
      [theme.quiet, "a cut towards the origin."],
    ].filter(Boolean);
    pen.font = "11px system-ui, sans-serif"; pen.textAlign = "left"; pen.textBaseline = "top";
    lines.forEach(([colour, text], i) => { pen.fillStyle = colour; pen.fillText(text, left, PLANE_TOP + 18 * i); });
  }
}
