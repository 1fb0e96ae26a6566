// What a run is called, and what two of them have come to.

// "2 Mb/s, 10 ms, droptail of 20; 2 x reno; ns-2.27": workbook.explore.titles.
// Of a packet that the flow never has, nothing can be done.
function titleOf(run, fates, notes) {
  const told = (flow, number, name) => number > run.flows[flow - 1].offered.length ? `flow ${flow} has no packet ${number}`
    : `packet ${number} of flow ${flow} ${name}`;
  const named = Object.entries(fates).flatMap(([flow, own]) => ["lost", "spared"].flatMap(
    name => own[name].map(number => told(Number(flow) + 1, number, name))));
  return [...named, lineOf(run.mapping), ...(notes.length ? [notes.join(", ")] : [])].join("; ");
}

function lineOf({bottleneck, flows, profile}) {
  const kinds = flows.map(kindOf), counted = [...new Set(kinds)].map(kind => `${kinds.filter(k => k === kind).length} x ${kind}`);
  const room = bottleneck.buffer_packets ?? Math.max(1, Math.floor(bottleneck.buffer_bytes / flows[0].packet_bytes));
  const line = `${bottleneck.rate_mbps} Mb/s, ${bottleneck.delay_ms} ms, ${bottleneck.queue} of ${room}`;
  return `${line}; ${counted.join(" + ")}; ${profile}`;
}

// When the first event differs between two runs, the earlier of both; null if none does.
function parting(one, other) {
  const a = one.events, b = other.events, length = Math.max(a.s.length, b.s.length);
  for (let i = 0; i < length; i++)
    if (a.s[i] !== b.s[i] || a.uid[i] !== b.uid[i] || a.kind[i] !== b.kind[i] || a.link[i] !== b.link[i]) return Math.min(a.s[i] ?? Infinity, b.s[i] ?? Infinity);
  return null;
}

// What of goodput each flow has in the other run: more, less, or the same.
function differences(one, other) {
  return other.flows.map((flow, i) => {
    const more = Math.round(flow.goodput - one.flows[i].goodput);
    if (!more) return `flow ${i + 1} gets the same`;
    return `flow ${i + 1} ${more < 0 ? "loses" : "gains"} ${Math.abs(more)} kb/s`;
  }).join(", ");
}
