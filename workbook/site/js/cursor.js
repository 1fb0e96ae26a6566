// The clock's moment as a line in each chart, with a handle. Who drags it, or along a chart's times, moves the clock.

class Cursor {
  constructor(explore, clock) {
    Object.assign(this, {explore, clock, lines: new Map()});
    explore.root.addEventListener("pointerdown", event => this.grasped(event), true);
  }

  // After the charts were drawn: they may be others, or elsewhere.
  place() {
    for (const [chart, line] of this.lines) if (!chart.canvas.isConnected) { line.remove(); this.lines.delete(chart); }
    for (const chart of this.charts) {
      if (!this.lines.has(chart)) this.lines.set(chart, this.line(chart));
      const {canvas, box} = chart, line = this.lines.get(chart);
      Object.assign(line.style, {top: `${canvas.offsetTop + box.top}px`, height: `${box.bottom - box.top}px`});
      line.left = canvas.offsetLeft;
    }
    this.move(this.clock.now);
  }

  // None where nothing plays: in a figure whose stage nobody has asked for.
  get charts() { return ((this.clock.journeys && this.explore.columns.at(-1)?.charts) || []).filter(chart => chart.box); }

  line(chart) {
    const line = make("div", "bn-now");
    line.ariaHidden = "true";
    chart.canvas.after(line);
    return line;
  }

  move(now) {
    for (const [chart, line] of this.lines) {
      const time = now - chart.from, isSeen = time >= 0 && time <= chart.span;
      line.style.visibility = isSeen ? "" : "hidden";
      if (isSeen) line.style.transform = `translateX(${line.left + chart.at.x(time)}px)`;
    }
  }

  // A drag begins on a handle or on a chart's times.
  grasped(event) {
    const chart = this.charts.find(({canvas}) => canvas === event.target) || [...this.lines].find(([, line]) => line === event.target)?.[0];
    if (!chart || event.button) return;
    const {top, left} = chart.canvas.getBoundingClientRect(), isBelow = event.clientY - top > chart.box.bottom - 2;
    if (event.target === chart.canvas && !isBelow) return;
    event.stopPropagation();
    event.preventDefault();
    this.drag(chart, left, event);
  }

  drag(chart, left, {target, pointerId, clientX}) {
    const {clock} = this, follow = x => clock.seek(chart.from + Math.max(0, Math.min(chart.at.time(x - left), chart.span)));
    const ended = new AbortController(), until = {signal: ended.signal}, end = () => { ended.abort(); clock.rests(); };
    clock.pause();
    target.setPointerCapture(pointerId);
    follow(clientX);
    target.addEventListener("pointermove", moved => { moved.stopImmediatePropagation(); follow(moved.clientX); }, {...until, capture: true});
    target.addEventListener("pointerup", end, until);
    target.addEventListener("pointercancel", end, until);
  }
}
