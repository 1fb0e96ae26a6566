// What the source prints of this case: numbers to hit by turning the sliders.

const WARM_UP_S = 10;

// What is measured of a run, as chapters measure it; `flow` is undefined where it is about all of them.
const MEASURED = {
  "Sent": (run, flow) => flow.sent,
  "Dropped": (run, flow) => flow.dropped,
  "Share of the bytes": (run, flow) => 100 * flow.bytes / run.flows.reduce((sum, other) => sum + other.bytes, 0),
  // Segments of data that arrived, each once, of those that the link could have sent: workbook.chapters.competing_tahoe.packets.
  "Part of the link": (run, {different}) => {
    const segment_s = 8e-6 * Math.max(...run.packets.bytes) / run.mapping.bottleneck.rate_mbps;
    return 100 * different * segment_s / run.mapping.end_s;
  },
  "Link in use after 10 s": run => run.usedAfter(WARM_UP_S),
  // The first packet of a burst that a memory has no room for tells how large it is: workbook.chapters.large_fat.memory.
  "Memory": (run, {said, offered}) => {
    const first = offered.findIndex(p => run.dropped[p]), held = first < 0 ? offered.length : first;
    return held * said.packet_bytes * (1 - run.mapping.bottleneck.rate_mbps / said.rate_mbps) / 1e6;
  },
};

class Marks {
  constructor(parent, marks) {
    Object.assign(this, {parent, marks});
    parent.hidden = !marks.length;
  }

  // What the run gives beside what the source prints.
  show(run) {
    if (!this.marks.length) return;
    const found = this.marks.map(({flow, row}) => MEASURED[row](run, run.flows[flow - 1]));
    const hit = this.marks.map(({said, hit}, i) => hit ? hit[0] <= found[i] && found[i] <= hit[1] : said === found[i]), all = hit.every(Boolean);
    const list = make("ul", "bn-marks");
    this.marks.forEach(({flow, row, said, unit, hit: counts}, i) => {
      const item = list.appendChild(make("li", hit[i] ? "bn-hit" : "")), of = flow ? `flow ${flow} ` : "";
      const now = hit[i] ? " \u2713" : `; now ${counts ? found[i].toPrecision(3) : found[i]}`;
      item.append(`${of}${row.toLowerCase()} `, make("strong", "", `${said} ${unit}`), now);
    });
    const text = all ? "Found: with this setting the engine gives every one of the source's numbers."
      : `\u201c${this.marks[0].source}\u201d prints these numbers. Can you find the setting?`;
    this.parent.replaceChildren(make("p", "", text), list);
    this.parent.dataset.hit = String(all);
  }
}
