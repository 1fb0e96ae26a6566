// What lies under the pointer: a change of a window, or a packet. The nearest within a few pixels wins.

const REACH_PX = 9;

function changeAt(chart, px, py) {
  let best = null;
  for (const changes of chart.data.changes || []) for (let i = 0; i < changes.x.length; i++) {
    const dx = chart.at.x(changes.x[i]) - px;
    if (Math.abs(dx) > REACH_PX) continue;
    const dy = Math.min(Math.abs(chart.at.y(changes.cwnd[i]) - py), Math.abs(chart.at.y(changes.before[i]) - py));
    const event = !chart.usual.includes(changes.cause[i]);
    const far = Math.hypot(dx, 0.3 * dy) - (event ? 6 : 0);
    if (!best || far < best.far) best = {far, changes, i};
  }
  return best && changeFrom(chart, best.changes, best.i);
}

function changeFrom(chart, changes, i) {
  const [title, rule, source] = chart.run.flows[changes.flow - 1].why[changes.cause[i]];
  return {
    kind: "change", changes, i, flow: changes.flow, time: changes.from + changes.x[i], title, rule, source,
    before: changes.before[i], after: changes.cwnd[i], ssthresh: changes.ssthresh[i], inflation: changes.inflation[i],
  };
}

function packetAt(chart, px, py) {
  let best = null;
  for (const packets of chart.data.packets || []) for (let i = 0; i < packets.x.length; i++) {
    const far = Math.hypot(chart.at.x(packets.x[i]) - px, chart.at.y(packets.seq[i]) - py) - 3 * (packets.fate[i] > 0);
    if (far < REACH_PX && (!best || far < best.far)) best = {far, packets, i};
  }
  return best && packetFrom(chart, best.packets, best.i);
}

function packetFrom(chart, packets, i) {
  return {
    kind: "packet", flow: packets.flow, time: chart.from + packets.x[i], seq: packets.seq[i], number: packets.number[i],
    fate: packets.fate[i],
  };
}

// What the keyboard reaches: changes that are more than growth, packets that were dropped or sent again; as they came.
function events(chart) {
  const each = (lists, is, from) => (lists || []).flatMap(list => [...list.x.keys()].filter(i => is(list, i)).map(i => from(chart, list, i)));
  return [
    ...each(chart.data.changes, ({cause}, i) => !chart.usual.includes(cause[i]), changeFrom),
    ...each(chart.data.packets, ({fate}, i) => fate[i] !== ACCEPTED, packetFrom),
  ].sort((one, other) => one.time - other.time);
}

function found(chart, px, py) {
  return chart.name === "window" ? changeAt(chart, px, py) : chart.name === "sequence" ? packetAt(chart, px, py) : null;
}

// The next change of the same sender that is more than growth, for the buttons beside an explanation.
function neighbour(chart, change, step) {
  const {changes} = change;
  for (let i = change.i + step; i >= 0 && i < changes.x.length; i += step)
    if (!chart.usual.includes(changes.cause[i])) return changeFrom(chart, changes, i);
  return null;
}
