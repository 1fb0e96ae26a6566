// The widget: charts of one or two runs, the numbers above, what is pointed at below. Where the model says `overlay`, the
// runs share their charts: the last is drawn over the others, which are pale, and the numbers are below.

class Explore {
  constructor(model, root) {
    Object.assign(this, {model, root, columns: [], picked: null});
    root.classList.add("bn-explore");
    root.dataset.lmSuppressShortcuts = "true";  // JupyterLab leaves the arrow keys to the charts
    this.status = root.appendChild(make("div", "bn-status"));
    this.status.setAttribute("aria-live", "polite");
    this.charts = root.appendChild(make("div", "bn-charts"));
    this.runs = root.appendChild(make("div", "bn-runs"));
    this.tip = root.appendChild(make("div", "bn-tip"));
    this.said = root.appendChild(make("div", "bn-said"));
    this.said.setAttribute("aria-live", "polite");
    this.player = root.appendChild(make("div", "bn-player"));
    const listen = (name, act) => { model.on(`change:${name}`, act); this.ends.push(() => model.off(`change:${name}`, act)); };
    this.ends = [];
    listen("picture", () => this.taken());
    listen("status", () => this.tell());
    listen("answer", () => this.answer(model.get("answer")));
    listen("page", () => this.play());
    this.watch();
    this.tell(); this.taken(); this.play();
  }

  // What is asked for is about the picture that is seen: another version of the setting may be on its way.
  send(told) {
    this.model.send({...told, version: this.picture?.version});
  }

  // Say what came of a click, beside it.
  answer(text) {
    this.said.replaceChildren(make("p", "", text));
  }

  watch() {
    const seen = new ResizeObserver(() => requestAnimationFrame(() => this.resized()));
    seen.observe(this.root);
    const themed = new MutationObserver(() => this.draw());
    themed.observe(document.body, {attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "class"]});
    const scheme = matchMedia("(prefers-color-scheme: dark)"), redraw = () => this.draw();
    scheme.addEventListener("change", redraw);
    this.ends.push(() => seen.disconnect(), () => themed.disconnect(), () => scheme.removeEventListener("change", redraw));
  }

  tell() {
    const {text, state} = this.model.get("status");
    this.status.textContent = text || "";
    this.status.dataset.state = state || "";
  }

  taken() {
    for (const _ of this.taking());
  }

  // Take the model's picture, in steps, as those of drawing.
  *taking() {
    const picture = this.model.get("picture");
    if (!picture.runs) return;
    const titles = picture.runs.map(run => run.title).join("\n");
    if (titles !== this.titles) this.said.replaceChildren();  // it was said of other runs
    this.titles = titles;
    this.picture = unpack(picture);
    yield* this.drawing();
  }

  layOut() {
    const wanted = this.picture.runs;
    if (this.columns.length === wanted.length) return;
    this.runs.replaceChildren();
    this.charts.replaceChildren();
    this.columns = wanted.map((run, place) => {
      const column = this.runs.appendChild(make("div", "bn-run"));
      const head = column.appendChild(make("div", "bn-title")), table = column.appendChild(make("div", "bn-table"));
      table.setAttribute("role", "group");
      table.setAttribute("aria-label", "Numbers of this run");
      if (this.model.overlay && place < wanted.length - 1) return {column, head, table, charts: []};
      const parent = () => this.model.overlay ? this.charts.appendChild(make("div", "bn-frame")) : column;
      const charts = run.charts.map(chart => new Chart(parent(), chart.name));
      charts.forEach(chart => this.listenTo(chart, place));
      return {column, head, table, charts, plane: new Plane(parent())};
    });
  }

  draw() {
    for (const _ of this.drawing());
  }

  // Between the steps, each a chart or the numbers, whoever draws may see to other things.
  *drawing() {
    if (!this.picture) return;
    if (!this.root.clientWidth) { this.width = 0; return; }  // scrolled away: drawn when it is seen again
    this.layOut();
    const {runs, from_s, to_s, colours} = this.picture, theme = themeOf(this.root);
    const causes = this.model.get("causes"), usual = this.model.get("usual");
    this.root.classList.toggle("bn-dark", theme.dark);
    const ranges = runs[0].charts.map((_, i) => reach(runs.map(run => run.charts[i])));
    const widest = planeReach(runs);
    const width = this.columns.at(-1).charts[0].canvas.clientWidth;  // of each; to ask again after each chart would lay out the page as often
    for (const [place, {head, table, charts, plane}] of this.columns.entries()) {
      const run = runs[place];
      head.textContent = run.title;
      table.classList.remove("bn-tight");
      table.replaceChildren(tableOf(run, theme));
      if (table.scrollWidth > table.clientWidth) table.classList.add("bn-tight");
      table.tabIndex = table.scrollWidth > table.clientWidth ? 0 : -1;  // the keyboard can scroll what does not fit
      for (const [i, chart] of charts.entries()) {
        yield;
        Object.assign(chart, {causes, usual, from: from_s, ghost: this.model.overlay && place > 0 ? runs[0] : null});
        for (const changes of run.charts[i].changes || []) changes.from = from_s;
        chart.draw(run.charts[i], run, to_s - from_s, theme, colours, ranges[i], width);
      }
      if (!plane) continue;
      yield;
      plane.draw(run, theme, colours, widest);
    }
    if (runs.length > 1) this.level();
    this.root.dataset.drawn = performance.now();
  }

  // Runs beside each other begin at one height, however many lines their titles have.
  level() {
    const heads = this.columns.map(({head}) => head);
    for (const head of heads) head.style.minHeight = "";
    const highest = Math.max(...heads.map(head => head.offsetHeight)), beside = heads[0]?.offsetTop === heads.at(-1)?.offsetTop;
    for (const head of heads) head.style.minHeight = beside ? `${highest}px` : "";
  }

  resized() {
    if (!this.columns.length) this.draw();  // it was not to be seen before
    const chart = this.columns.at(-1)?.charts[0];
    if (!chart || !chart.canvas.clientWidth) return;
    const width = chart.canvas.clientWidth - LEFT - RIGHT;
    if (Math.abs(width - (this.width || 0)) < 2) return;
    this.width = width;
    this.draw();
    this.send({do: "resize", pixels: Math.round(width * (window.devicePixelRatio || 1))});
  }

  listenTo(chart, place) {
    const {canvas} = chart;
    let from = null;
    canvas.onpointerdown = event => { from = event.offsetX; canvas.setPointerCapture(event.pointerId); };
    canvas.onpointermove = event => {
      if (from !== null && Math.abs(event.offsetX - from) > 4) this.band(chart, from, event.offsetX);
      else this.point(chart, event);
    };
    canvas.onpointerup = event => {
      const start = from;
      from = null;
      if (start === null) return;
      if (Math.abs(event.offsetX - start) > 4) this.zoom(chart, start, event.offsetX);
      else this.pick(found(chart, event.offsetX, event.offsetY), chart, place, this.pointOf(event, chart));
    };
    canvas.onpointerleave = () => { this.tip.style.display = "none"; };
    canvas.ondblclick = () => this.send({do: "whole"});
    canvas.onkeydown = event => this.step(event, chart, place);
    canvas.onblur = () => { chart.looked = null; };
  }

  // Where in the window, and at which time of the run.
  pointOf({clientX: x, clientY: y, offsetX}, chart) {
    return {x, y, time: this.picture.from_s + chart.at.time(offsetX)};
  }

  // The arrow keys go from event to event, Home and End to the first and the last; Enter leads to what can be done there.
  step(event, chart, place) {
    const {key} = event, all = events(chart), last = all.length - 1, at = chart.looked?.at;
    if (key === "Enter") return this.said.querySelector("button")?.focus();
    const next = {ArrowRight: at === undefined ? 0 : at + 1, ArrowLeft: at === undefined ? last : at - 1, Home: 0, End: last}[key];
    if (next === undefined) return;
    event.preventDefault();
    const what = all[next];
    if (!what) return this.answer(all.length ? "There is no further event in this chart." : "Nothing was lost or cut here.");
    chart.looked = {at: next, time: what.time};
    this.draw();
    const {left, top} = chart.canvas.getBoundingClientRect();
    this.pick(what, chart, place, {x: left + chart.at.x(what.time - chart.from), y: top + chart.box.top});
  }

  band(chart, from, to) {
    this.draw();
    chart.pen.fillStyle = "#5b8def44";
    chart.pen.fillRect(Math.min(from, to), TOP, Math.abs(to - from), chart.box.bottom - TOP);
  }

  zoom(chart, from, to) {
    const start = this.picture.from_s, times = [from, to].map(px => start + Math.max(0, chart.at.time(px)));
    this.send({do: "zoom", from_s: Math.min(...times), to_s: Math.min(Math.max(...times), this.picture.to_s)});
  }

  point(chart, event) {
    const what = found(chart, event.offsetX, event.offsetY), {tip} = this;
    chart.canvas.style.cursor = what ? "pointer" : "crosshair";
    if (!what) { tip.style.display = "none"; return; }
    tip.replaceChildren();
    (what.kind === "change" ? sayChange : sayPacket)(what, chart.run, tip);
    const here = this.root.getBoundingClientRect(), wide = 340;
    tip.style.display = "block";
    tip.style.left = Math.max(0, Math.min(event.clientX - here.left + 14, here.width - wide - 8)) + "px";
    tip.style.top = event.clientY - here.top + 18 + "px";
  }

  // What is under the pointer is told; a model that has a place for it is asked to, and for what is under it elsewhere.
  pick(what, chart, place, point) {
    if (this.model.picked?.(what, point)) return;
    if (!what) return;
    this.said.replaceChildren();
    const {said} = this, send = (action, more) => () => this.send({do: action, run: place, ...more});
    (what.kind === "change" ? sayChange : sayPacket)(what, chart.run, said);
    const row = said.appendChild(make("div", "bn-buttons")), packet = {flow: what.flow, number: what.number};
    if (what.kind === "change") {
      for (const [text, hint, step] of [["\u25c0 before", "the event before this one", -1], ["after \u25b6", "the next event", 1]])
        row.append(button(text, hint, () => this.pick(neighbour(chart, what, step), chart, place)));
    } else if (what.fate === DROPPED) {
      row.append(button("Spare this packet", "the same run, but the queue accepts it", send("fate", {...packet, fate: "spared"})));
    } else {
      row.append(button("Drop this packet", "the same run, but this packet is lost", send("fate", {...packet, fate: "lost"})));
    }
    row.append(button("Play the packets here", "an animation of this moment", send("play", {time_s: what.time})));
  }

  play() {
    const page = this.model.get("page");
    this.player.replaceChildren();
    if (!page) return;
    const frame = this.player.appendChild(document.createElement("iframe"));
    frame.title = "The packets on their way";
    frame.srcdoc = page;
    frame.onload = () => { frame.style.height = frame.contentDocument.documentElement.scrollHeight + 16 + "px"; };
    this.player.append(button("Close", "close the animation", () => this.send({do: "close"})));
  }

  end() {
    this.ends.forEach(end => end());
  }
}

// What a notebook's widget is asked for.
function render({model, el}) {
  const root = el.appendChild(make("div")), explore = new Explore(model, root), address = new Address(model, root);
  return () => { explore.end(); address.end(); };
}
