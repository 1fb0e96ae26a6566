// Words and numbers: the table of a run, and what is said about a change or a packet.

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function button(text, hint, act) {
  const element = make("button", "bn-button", text);
  element.type = "button"; element.title = hint;
  element.onclick = act;
  return element;
}

function tableOf(run, theme) {
  const table = make("table", "bn-numbers"), head = table.createTHead().insertRow();
  head.append(make("td"));
  for (const flow of run.flows) {
    const cell = head.appendChild(make("th")), swatch = cell.appendChild(make("span", "bn-swatch"));
    swatch.style.background = theme.colour(flow.colour);
    flow.name.split(/(?<=[a-z])(?=[A-Z])/).forEach(part => cell.append(part, make("wbr")));  // "High", "Speed TCP 1"
  }
  const body = table.createTBody();
  for (const row of run.rows) {
    if (row.values.every(value => value === "")) continue;
    const line = body.insertRow();
    line.dataset.row = row.name;
    line.append(make("th", "", row.unit ? `${row.name}, ${row.unit}` : row.name));
    for (const value of row.values) line.append(make("td", "", value));
  }
  const caption = table.createCaption();
  for (const [name, value] of run.together) caption.append(make("span", "bn-fact", `${name}: ${value}`));
  return table;
}

function packets(number) {
  return number.toFixed(2).replace(/\.?0+$/, "");
}

function sayChange(change, run, element) {
  const moved = Math.abs(change.after - change.before) < 5e-4 ? `cwnd stays at ${packets(change.after)}`
    : `cwnd ${packets(change.before)} \u2192 ${packets(change.after)}`;
  const inflated = change.inflation ? `, inflated by ${change.inflation}` : "";
  element.append(make("strong", "", change.title));
  element.append(make("span", "bn-what",
    `${run.flows[change.flow - 1].name} at ${change.time.toFixed(4)} s: ${moved}${inflated}; ` +
    `ssthresh ${packets(change.ssthresh)}`));
  element.append(make("p", "", change.rule), make("p", "bn-source", change.source));
}

function sayPacket(packet, run, element) {
  const fate = ["The queue accepted it.", "It was dropped.", "It was sent before, and the queue accepted it."];
  element.append(make("strong", "", `Segment ${packet.seq}`));
  element.append(make("span", "bn-what",
    `${run.flows[packet.flow - 1].name}, its packet number ${packet.number} at the bottleneck, ` +
    `at ${packet.time.toFixed(4)} s. ${fate[packet.fate]}`));
}
