// The controls: choices and sliders of positions. Each says its value in words, also to a screen reader.

class Panel {
  constructor(parent, ask) {
    Object.assign(this, {parent, ask, shown: null, rows: new Map()});
  }

  // A window is of TCP, a rate of its own of UDP.
  show(family, at, mapping) {
    if (this.shown !== family.name) this.layOut(family);
    const kinds = mapping.flows.map(flow => flow.kind), needs = {window_packets: "tcp", udp_rate_mbps: "udp"};
    for (const {name} of family.controls) this.rows.get(name).show(at[name], !needs[name] || kinds.includes(needs[name]));
  }

  layOut(family) {
    this.shown = family.name;
    this.rows.clear();
    this.parent.replaceChildren();
    for (const control of family.controls)
      this.rows.set(control.name, control.texts.length ? this.choice(control) : this.slider(control));
  }

  row(control) {
    const row = this.parent.appendChild(make("div", "bn-control")), label = row.appendChild(make("label", "", control.label));
    label.htmlFor = `bn-${control.name}`;
    return row;
  }

  choice(control) {
    const row = this.row(control), select = row.appendChild(make("select"));
    select.id = `bn-${control.name}`;
    control.texts.forEach((text, i) => { select.append(new Option(text, i)); });
    select.onchange = () => this.ask(control.name, Number(select.value));
    return {show: position => { select.value = position; }};
  }

  slider(control) {
    const row = this.row(control), input = row.appendChild(make("input")), output = row.appendChild(make("output"));
    Object.assign(input, {type: "range", id: `bn-${control.name}`, min: 0, max: control.values.length - 1, step: 1});
    output.htmlFor = input.id;
    input.oninput = () => this.ask(control.name, Number(input.value));
    return {show: (position, applies) => {
      const text = `${control.values[position]} ${control.unit}`;
      input.value = position; output.textContent = text;
      input.setAttribute("aria-valuetext", text);
      row.hidden = !applies;
    }};
  }
}
