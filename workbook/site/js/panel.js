// The controls: choices and sliders of positions. Each says its value in words, also to a screen reader.

class Panel {
  // A choice is asked for; a slider slides, and its value is chosen when it rests.
  constructor(parent, {ask, slide}) {
    Object.assign(this, {parent, ask, slide, shown: null, rows: new Map()});
  }

  // A control that needs a field of the scenario is hidden without it: a window is of TCP, a rate of its own of UDP.
  show(family, at, mapping) {
    if (this.shown !== family.name) this.layOut(family, at);
    const applies = applying(mapping);
    for (const control of family.controls) this.rows.get(control.name).show(at[control.name], applies(control));
    const changed = family.controls.filter(({name, further}) => further && at[name] !== family.start[name]).length;
    if (this.summary) this.summary.textContent = changed ? `More (${changed} changed)` : "More";
  }

  layOut(family, at) {
    const wasOpen = this.further?.open, controls = family.controls.filter(({further}) => further);
    this.shown = family.name;
    this.rows.clear();
    this.parent.replaceChildren();
    this.further = this.summary = null;
    for (const control of family.controls) if (!control.further) this.add(control, this.parent);
    if (!controls.length) return;
    this.further = this.parent.appendChild(make("details", "bn-further"));
    this.summary = this.further.appendChild(make("summary", "", "More"));
    this.further.open = wasOpen ?? controls.some(({name}) => at[name] !== family.start[name]);
    for (const control of controls) this.add(control, this.further);
  }

  add(control, parent) {
    const row = this.row(control, parent);
    const how = control.texts.length ? this.choice : typeof control.values[0] === "boolean" ? this.box : this.slider;
    const show = how.call(this, control, row);
    this.rows.set(control.name, {show: (position, applies) => { show(position); row.hidden = !applies; }});
  }

  row(control, parent) {
    const row = parent.appendChild(make("div", "bn-control")), label = row.appendChild(make("label", "", control.label));
    label.htmlFor = `bn-${control.name}`;
    return row;
  }

  choice(control, row) {
    const select = row.appendChild(make("select"));
    select.id = `bn-${control.name}`;
    control.texts.forEach((text, i) => { select.append(new Option(text, i)); });
    select.onchange = () => this.ask(control.name, Number(select.value));
    return position => { select.value = position; };
  }

  box(control, row) {
    const input = row.appendChild(make("input"));
    Object.assign(input, {type: "checkbox", id: `bn-${control.name}`});
    row.classList.add("bn-box");
    input.onchange = () => this.ask(control.name, control.values.indexOf(input.checked));
    return position => { input.checked = control.values[position]; };
  }

  slider(control, row) {
    const input = row.appendChild(make("input")), output = row.appendChild(make("output"));
    Object.assign(input, {type: "range", id: `bn-${control.name}`, min: 0, max: control.values.length - 1, step: 1});
    output.htmlFor = input.id;
    input.oninput = () => this.slide(control.name, Number(input.value));
    return position => {
      const text = `${control.values[position]} ${control.unit}`;
      input.value = position; output.textContent = text;
      input.setAttribute("aria-valuetext", text);
    };
  }
}

// Whether a control moves anything in a scenario.
function applying(mapping) {
  const paths = new Set(Object.keys(flattened(mapping)).flatMap(path => [path, path.replace(/^flows\.\d+/, "flows.*")]));
  return ({needs}) => !needs.length || needs.some(path => paths.has(path));
}
