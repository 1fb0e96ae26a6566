// A run as the picture that the charts draw: what workbook.explore.picture makes in Python, with every point.

function pictureOf(runs, view, said, named) {
  return {
    from_s: view[0], to_s: view[1], colours: said.colours,
    runs: runs.map(({title, run}) => ({
      title, ...run.numbers(), flows: run.flows.map((flow, i) => legend(run, flow, i, said)),
      charts: [throughputChart, windowChart, queueChart, sequenceChart].map(chart => chart(run, view, named, said)),
      plane: planeOf(run, view, said),
    })),
  };
}

function kindOf(flow) { return flow.kind === "tcp" ? flow.variant : flow.source; }

// Name, colour, and why its window may change: by the number of the cause.
function legend(run, flow, i, said) {
  const flows = run.mapping.flows, kind = flows[i].kind, place = flows.slice(0, i).filter(f => f.kind === kind).length;
  const shades = said.shades[kind], usual = said.why[run.mapping.profile]?.[kindOf(flows[i])] || [];
  return {
    name: `${said.titles[kindOf(flows[i])]} ${i + 1}`, colour: shades[place % shades.length],
    why: run.why[kindOf(flows[i])] || usual.map(number => said.reasons[number]),
  };
}

// Numbers as the charts take them, each of its place: Float32Array.from takes ten times as long.
function filled(length, number) {
  const found = new Float32Array(length);
  for (let i = 0; i < length; i++) found[i] = number(i);
  return found;
}

// The points within the view, and one on either side.
function within({x, y}, [from, to]) {
  let first = 0, last = x.length;
  while (first < x.length && x[first] < from) first++;
  while (last > first && x[last - 1] > to) last--;
  first = Math.max(first - 1, 0); last = Math.min(last + 1, x.length);
  return {x: filled(last - first, i => x[first + i] - from), y: filled(last - first, i => y[first + i])};
}

function throughputChart(run, view, named, said) {
  const rate = 1e3 * run.mapping.bottleneck.rate_mbps, told = said.charts.throughput, width = binWidth(run, view, said.bins);
  const series = run.flows.map((flow, i) => ({form: "bins", flow: i + 1, ...seenBins(binsOf(run, flow, width), view)}));
  return {...told, title: `${told.title}, bins of ${width} s`, series, limit: {y: rate, text: "the link's rate"}, top: 1.15 * rate};
}

// How long bins are, and what a flow delivers in them: workbook.explore.bins.
function binWidth(run, [from, to], {widths, most, packets}) {
  const largest = run.packets.bytes.reduce((a, b) => Math.max(a, b), 0);
  const least = Math.max((to - from) / most, packets * KBIT_PER_BYTE * largest / (1e3 * run.mapping.bottleneck.rate_mbps));
  return widths.find(width => width >= least) ?? widths.at(-1);
}

function binsOf({mapping: {end_s}}, {times, sizes}, width) {
  const count = Math.max(1, Math.ceil(end_s / width - 1e-9)), x = Array.from({length: count}, (_, k) => width * k), y = x.map(() => 0);
  times.forEach((s, i) => { y[Math.min(Math.floor(s / width + 1e-9), count - 1)] += KBIT_PER_BYTE * sizes[i]; });
  x.push(end_s);
  return {x, y: [...y.map((bits, k) => bits / (x[k + 1] - x[k])), 0]};
}

// Those of the view, from the one in which it begins on.
function seenBins({x, y}, [from, to]) {
  const first = Math.max(countUpTo(x, from) - 1, 0), last = countUpTo(x, to) + 1, own = x.slice(first, last);
  return {x: filled(own.length, i => own[i] - from), y: filled(own.length, i => y[first + i])};
}

function windowChart(run, view, named, said) {
  const windows = run.flows.map((flow, i) => flow.tcp && windowOf(run, i + 1, view)).filter(Boolean);
  const line = (form, key) => windows.map(w => ({form, flow: w.flow, x: w.x, y: w[key]}));
  return {...said.charts.window, series: [...line("steps", "cwnd"), ...line("dashed", "ssthresh")], changes: windows};
}

function windowOf(run, number, [from, to]) {
  const {s, flow, cwnd, ssthresh, inflation, cause} = run.updates, own = [];
  for (let i = 0; i < s.length; i++) if (flow[i] === number) own.push(i);
  let first = own.findIndex(i => s[i] >= from), last = own.length;
  if (first < 0) first = own.length;
  while (last > first && s[own[last - 1]] > to) last--;
  first = Math.max(first - 1, 0);
  const shown = own.slice(first, Math.min(last + 1, own.length)), take = column => filled(shown.length, k => column[shown[k]]);
  const before = filled(shown.length, k => cwnd[own[Math.max(first + k - 1, 0)]]);
  return {
    flow: number, x: filled(shown.length, k => s[shown[k]] - from), before, cwnd: take(cwnd), ssthresh: take(ssthresh),
    inflation: take(inflation), cause: take(cause),
  };
}

function queueChart(run, view, named, said) {
  const {bottleneck} = run.mapping, chart = {
    ...said.charts.queue, series: [{form: "area", flow: 0, ...within(run.queue, view)}],
    drops: run.flows.map((_, i) => ({flow: i + 1, x: Float32Array.from(
      run.drops.filter(d => d.flow === i + 1 && d.s >= view[0] && d.s <= view[1]), d => d.s - view[0])})),
  };
  return bottleneck.queue === "droptail" ? {...chart, limit: {y: bottleneck.buffer_packets - 1, text: "full"}} : chart;
}

function sequenceChart(run, [from, to], named, said) {
  const {seq, repeated} = run.packets, packets = run.flows.map((flow, i) => {
    const kept = [], chosen = new Set(named[i + 1]);  // places in the order of arrival
    flow.offered.forEach((p, k) => { if (run.enqueued[p] >= from && run.enqueued[p] <= to) kept.push(k); });
    const take = value => filled(kept.length, k => value(flow.offered[kept[k]]));
    return {
      flow: i + 1, x: take(p => run.enqueued[p] - from), seq: take(p => seq[p]), number: filled(kept.length, k => kept[k] + 1),
      fate: take(p => run.dropped[p] ? DROPPED : repeated[p] ? SENT_AGAIN : ACCEPTED),
      named: filled(kept.length, k => chosen.has(kept[k] + 1) ? 1 : 0),
    };
  });
  return {...said.charts.sequence, series: [], packets};
}

// Both windows against each other at each change of either, and what link and buffer hold (workbook.plots.plane).
function planeOf(run, [from, to], said) {
  if (run.flows.length !== 2 || !run.flows.every(flow => flow.tcp)) return null;
  const {s, flow, cwnd} = run.updates, now = [null, null], x = [], y = [], times = [];
  for (let i = 0; i < s.length; i++) {
    now[flow[i] - 1] = cwnd[i];
    if (now.includes(null)) continue;
    if (times.at(-1) === s[i]) { times.pop(); x.pop(); y.pop(); }
    times.push(s[i]); x.push(now[0]); y.push(now[1]);
  }
  if (now.includes(null)) return null;
  const inside = values => new Float32Array(values.filter((_, i) => times[i] >= from && times[i] < to));
  return {x: inside(x), y: inside(y), capacity: capacity(run.mapping, said.header_bytes)};
}

function capacity({bottleneck, flows}, header) {
  if (bottleneck.queue !== "droptail") return null;
  const bits = 8 * (flows[0].packet_bytes + header), rate = 1e6 * bottleneck.rate_mbps;
  return rate * (2e-3 * bottleneck.delay_ms + (bits + 8 * header) / rate) / bits + bottleneck.buffer_packets;
}
