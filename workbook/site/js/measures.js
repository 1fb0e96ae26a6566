// What a story computes of its runs: formulas as trees of named measures. workbook.site.formulas has the same for Python.

const SIGNS = {
  "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b,
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b, and: (...each) => each.every(Boolean),
};
const OF_FLOWS = {
  goodput_kbps: flow => flow.goodput, throughput_kbps: flow => flow.throughput, sent: flow => flow.sent, dropped: flow => flow.dropped,
  timeouts: flow => flow.timeouts, fast_retransmits: flow => flow.fast, latency_ms: flow => flow.latency,
};
const OF_RUNS = {
  used_percent: run => run.utilisation(run.flows.reduce((sum, {bytes}) => sum + bytes, 0)),
  rate_kbps: run => 1e3 * run.mapping.bottleneck.rate_mbps,
  first_drop_s: run => run.drops[0]?.s ?? Infinity,
};
const OF_PAIRS = {parts_s: (one, other) => parting(one, other) ?? Infinity};

// What a formula comes to: a number, or whether it holds. `runs` are by their names.
function worth(tree, runs) {
  if (!Array.isArray(tree)) return tree;
  const [head, ...rest] = tree;
  if (head in SIGNS) return SIGNS[head](...rest.map(each => worth(each, runs)));
  if (head in OF_FLOWS) return OF_FLOWS[head](runs[rest[0]].flows[rest[1] - 1]);
  return (OF_RUNS[head] || OF_PAIRS[head])(...rest.map(name => runs[name]));
}

// A number as a text has it: 9,049 or 10.8.
function spoken(value, digits) {
  const [whole, part] = shown(Math.abs(value), digits).split("."), sign = value < 0 && Number(shown(-value, digits)) ? "-" : "";
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (part ? `.${part}` : "");
}
