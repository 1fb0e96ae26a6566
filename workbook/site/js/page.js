// The page: a setting in its address, the panel, and the charts, for which it stands where Jupyter's widget would.

const WHERE = "workbook run";

class Page {
  constructor(said, machine) {
    Object.assign(this, {said, machine, listeners: {}, state: {causes: said.causes, page: "", status: {}, picture: {}}});
    Object.assign(this, {kept: null, view: null, version: 0});
    const panel = document.getElementById("bn-panel");
    const moved = (name, position) => ({...this.setting, at: {...this.setting.at, [name]: position}});
    this.panel = new Panel(panel, {
      ask: (name, position) => this.become(moved(name, position)), slide: (name, position) => this.follow(moved(name, position)),
    });
    panel.onchange = () => { this.tasks.finish(); this.link(); };
    this.marks = new Marks(document.getElementById("bn-marks"), said.marks);
    this.setting = this.addressed() || said.start;
    this.bars();
    this.explore = new Explore(this, document.getElementById("bn-charts"));
    this.tasks = new Tasks(this.explore.root, () => this.steps());
    this.tell();
    this.draw();
    this.link();
    window.addEventListener("hashchange", () => { const found = this.addressed(); if (found) this.become(found); });
  }

  // What a widget's model has.
  get(name) { return this.state[name]; }
  set(name, value) { this.state[name] = value; (this.listeners[`change:${name}`] || []).forEach(act => act()); }
  on(name, act) { (this.listeners[name] ||= []).push(act); }
  off(name, act) { this.listeners[name] = (this.listeners[name] || []).filter(other => other !== act); }
  send(told) {
    if (told.version !== undefined && told.version !== this.version) return;  // of a picture that is outdated
    if (told.do === "zoom" && told.to_s - told.from_s > 1e-3) { this.view = [told.from_s, told.to_s]; this.draw(); }
    if (told.do === "whole") { this.view = null; this.draw(); }
    if (told.do === "fate") this.fate(told);
    if (told.do === "play") this.set("page", playerOf(this.runs[told.run].run, told.time_s, this.said));
    if (told.do === "close") this.set("page", "");
  }

  family(setting) { return this.machine.families.get(setting.family); }

  // Show a setting, unless simcore refuses it.
  become(setting) {
    if (!this.take(setting)) return false;
    this.draw();
    this.link();
    return true;
  }

  // Show the settings that a slider comes by.
  follow(setting) {
    if (this.take(setting)) this.tasks.inTurn();
  }

  // The controls say a setting; if simcore refuses it, say why, and leave everything as it is.
  take(setting) {
    const text = this.family(setting).refusal(setting);
    this.refusal = text ? {text: `${text}.`, state: "wrong"} : null;
    if (text) this.set("status", this.refusal);
    else Object.assign(this, {setting, version: this.version + 1});
    this.tell();
    return !text;
  }

  tell() {
    const {family, at} = this.setting, own = this.family(this.setting);
    this.panel.show(own, at, own.mapping(at));
    this.count.value = family;
  }

  // One packet lost or spared: the run as it was stays beside it.
  fate({run, flow, number, fate}) {
    const before = run === 0 && this.kept ? this.kept : this.setting, fates = structuredClone(before.fates);
    const own = fates[flow - 1] ||= {lost: [], spared: []};
    for (const name of ["lost", "spared"]) own[name] = own[name].filter(other => other !== number);
    own[fate] = [...own[fate], number].sort((a, b) => a - b);
    const kept = this.kept;
    this.kept = before;
    if (this.become({...before, fates})) this.answer(flow, number, fate);
    else this.kept = kept;
  }

  answer(flow, number, fate) {
    const [one, other] = this.runs.map(({run}) => run), s = parting(one, other);
    const says = s === null ? "Both runs are the same." : `Alike until ${s.toFixed(4)} s. ${differences(one, other)}`;
    this.explore.answer(`Packet ${number} of flow ${flow} ${fate}. ${says}`);
  }

  draw() {
    this.version += 1;
    this.tasks.atOnce();
  }

  // From the setting to what is seen.
  *steps() {
    const {version} = this, settings = this.kept ? [this.kept, this.setting] : [this.setting], runs = [];
    const view = this.view, named = this.named();
    try {
      for (const setting of settings) {
        const log = this.machine.run(setting.family, setting.at, setting.fates);
        yield;
        const run = new Run(log);
        runs.push({title: titleOf(run.mapping, setting.fates, this.notes(setting, run.mapping)), run});
        yield;
      }
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      this.set("status", {text: `${error.message} ${WHERE}`, state: "wrong"});
      return;
    }
    const end = Math.max(...runs.map(({run}) => run.mapping.end_s));
    const picture = {...pictureOf(runs, view || [0, end], this.said, named), version};
    yield;
    this.runs = runs;
    this.state.picture = picture;
    yield* this.explore.taking();
    this.marks.show(runs.at(-1).run);
    this.keep.setAttribute("aria-pressed", String(Boolean(this.kept)));
    this.set("status", this.refusal || {text: "The packet-exact engine runs in this page.", state: "ready"});
  }

  // The run of the setting that the controls say, also while its picture is under way.
  get run() {
    this.tasks.finish();
    return this.runs.at(-1).run;
  }

  // The address says the setting. A browser allows a few hundred changes of it in ten seconds: a slider's, when it rests.
  link() {
    const address = this.address(this.setting);
    if (location.protocol !== "about:" && location.hash !== address) history.replaceState(null, "", address);  // srcdoc has none
  }

  // What the second level adds to a title.
  notes(setting, mapping) {
    const applies = applying(mapping);
    return this.family(setting).controls.filter(control => control.further && applies(control))
      .map(({name, notes}) => notes[setting.at[name]]).filter(Boolean);
  }

  named() {
    const named = {};
    for (const {fates} of [this.setting, this.kept].filter(Boolean)) for (const [flow, {lost, spared}] of Object.entries(fates))
      named[Number(flow) + 1] = [...named[Number(flow) + 1] || [], ...lost, ...spared];
    return named;
  }

  // The whole setting as a link: values, not positions, so that it stays right when positions are added. Of the second
  // level it has what is not as usual.
  address({family, at, fates}) {
    const said = {flows: family}, {controls, start} = this.machine.families.get(family);
    for (const {name, values, further} of controls) if (!further || at[name] !== start[name]) said[name] = values[at[name]];
    for (const [flow, own] of Object.entries(fates)) for (const name of ["lost", "spared"])
      if (own[name].length) said[`${name}_${Number(flow) + 1}`] = own[name];
    return linkOf(said);
  }

  addressed() {
    if (location.hash.length < 2) return null;
    const words = new URLSearchParams(location.hash.slice(1)), family = this.machine.families.get(words.get("flows"));
    if ([...words.keys()].join() === "scenario") return this.read(words.get("scenario"), "scenario");
    if (!family) return this.refuse("The link names no number of flows that this page has.");
    const at = {}, fates = {}, known = ["flows", ...family.controls.map(({name}) => name), ...fateNames(family.flows)];
    for (const name of words.keys())
      if (!known.includes(name)) return this.refuse(`${name}: no such control; this page has ${known.join(", ")}.`);
    for (const {name, values, label} of family.controls) {
      const said = words.get(name);  // what a link leaves out is as the page begins
      at[name] = said === null ? family.start[name] : values.findIndex(value => String(value) === said);
      if (at[name] < 0) return this.refuse(`${label}: this page has no ${said}.`);
    }
    for (const name of fateNames(family.flows).filter(name => words.has(name))) {
      const [fate, flow] = name.split("_"), numbers = words.get(name).split(".").map(Number);
      if (!numbers.every(number => Number.isInteger(number) && number > 0)) return this.refuse(`${name}: packets count from 1.`);
      (fates[flow - 1] ||= {lost: [], spared: []})[fate] = numbers;
    }
    const text = family.refusal({at, fates});
    return text ? this.refuse(`${text}.`) : {family: family.name, at, fates};
  }

  refuse(text) {
    this.refusal = {text: `${text} Not approximated: ${WHERE} mine.yaml simulates any scenario.`, state: "wrong"};
    this.set("status", this.refusal);
    return null;
  }

  // The setting of a scenario's text, if the controls can say all of it.
  read(text, name) {
    let wanted;
    try { wanted = parsed(text); } catch (error) { return this.refuse(`${name}: ${error.message}.`); }
    const families = [...this.machine.families.values()], family = families.find(({flows}) => flows === wanted?.flows?.length);
    if (!family) return this.refuse(`${name}: flows: this page has ${families.map(({flows}) => flows).join(", ")} of them.`);
    const {setting, problem} = settingOf(family, wanted);
    return problem ? this.refuse(`${name}: ${problem}.`) : setting;
  }

  // A scenario from a file.
  loaded(text, name) {
    const setting = this.read(text, name);
    if (!setting) return;
    this.view = null;
    this.become(setting);
  }

  bars() {
    const top = document.getElementById("bn-top"), add = (tag, label, act) => top.appendChild(Object.assign(make(tag, "bn-button", label), act));
    const start = top.appendChild(make("select", "bn-button"));
    start.setAttribute("aria-label", "Start from");
    start.append(new Option("Start from ...", ""));
    this.said.cases.forEach(({title}, i) => start.append(new Option(title, i)));
    start.hidden = !this.said.cases.length;
    start.onchange = () => { if (start.value) { this.view = null; this.become(structuredClone(this.said.cases[start.value].setting)); } };
    this.count = top.appendChild(make("select", "bn-button"));
    this.count.setAttribute("aria-label", "Flows");
    for (const {name, flows} of this.machine.families.values()) this.count.append(new Option(flows === 1 ? "1 flow" : `${flows} flows`, name));
    this.count.hidden = this.machine.families.size < 2;
    this.count.onchange = () => this.become(this.resized(this.count.value));
    this.keep = add("button", "Keep and compare", {type: "button", onclick: () => { this.kept = this.kept ? null : this.setting; this.draw(); }});
    add("button", "Play the packets", {type: "button", onclick: () => this.play()});
    add("button", "Whole run", {type: "button", onclick: () => this.send({do: "whole"})});
    add("button", "Save as YAML", {type: "button", onclick: () => this.save()});
    if (!this.said.cases.length) return;  // a figure, which stays with its case
    const file = add("input", "", {type: "file", accept: ".yaml,.yml,.json"});
    file.setAttribute("aria-label", "Load a scenario");
    file.onchange = async () => { if (file.files[0]) this.loaded(await file.files[0].text(), file.files[0].name); };
  }

  // More or fewer flows: what both have stays.
  resized(name) {
    const family = this.machine.families.get(name), at = {...family.start};
    for (const key of Object.keys(at)) if (key in this.setting.at) at[key] = this.setting.at[key];
    return {family: name, at, fates: {}};
  }

  play() {
    const {run, view} = this;
    this.set("page", playerOf(run, view ? (view[0] + view[1]) / 2 : run.first_drop, this.said));
  }

  save() {
    const text = written(this.run.mapping), link = make("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "text/yaml"}));
    link.download = "my-own.yaml";
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

// "2 Mb/s, 10 ms, droptail of 20; 2 x reno; ns-2.27": workbook.explore.titles.
function titleOf({bottleneck, flows, profile}, fates, notes) {
  const kinds = flows.map(kindOf), counted = [...new Set(kinds)].map(kind => `${kinds.filter(k => k === kind).length} x ${kind}`);
  const room = bottleneck.buffer_packets ?? Math.max(1, Math.floor(bottleneck.buffer_bytes / flows[0].packet_bytes));
  const line = `${bottleneck.rate_mbps} Mb/s, ${bottleneck.delay_ms} ms, ${bottleneck.queue} of ${room}`;
  const named = Object.entries(fates).flatMap(([flow, own]) => ["lost", "spared"].flatMap(
    name => own[name].map(number => `packet ${number} of flow ${Number(flow) + 1} ${name}`)));
  return [...named, `${line}; ${counted.join(" + ")}; ${profile}`, ...(notes.length ? [notes.join(", ")] : [])].join("; ");
}

// When the first event differs between two runs; null if none does.
function parting(one, other) {
  const a = one.events, b = other.events, length = Math.max(a.s.length, b.s.length);
  for (let i = 0; i < length; i++)
    if (a.s[i] !== b.s[i] || a.uid[i] !== b.uid[i] || a.kind[i] !== b.kind[i] || a.link[i] !== b.link[i]) return a.s[i] ?? b.s[i];
  return null;
}

function differences(one, other) {
  const told = other.flows.map((flow, i) => {
    const more = Math.round(flow.goodput - one.flows[i].goodput);
    return `flow ${i + 1} ${more < 0 ? "loses" : "gains"} ${Math.abs(more)} kb/s of goodput`;
  });
  return `In the end ${told.join(", ")}.`;
}

// The setting of a scenario's mapping, or the field that the family's controls cannot say: each control goes to where
// the least of the wanted fields are otherwise, and the least others are there, until none can do better.
function settingOf(family, wanted) {
  const fates = {}, flat = flattened(wanted), named = /^name$|_packets\.\d+$/;
  wanted.flows.forEach((flow, i) => {
    if (flow.lost_packets || flow.spared_packets) fates[i] = {lost: flow.lost_packets || [], spared: flow.spared_packets || []};
  });
  const differing = at => {
    const own = family.leaves(at), paths = new Set([...Object.keys(flat), ...Object.keys(own)]);
    return [...paths].filter(path => !named.test(path) && own[path] !== flat[path]);
  };
  const cost = paths => paths.reduce((sum, path) => sum + (path in flat ? 1e4 : 1), 0);
  let at = family.start, left = differing(at);
  for (let before = Infinity; left.length && cost(left) < before;) {
    before = cost(left);
    for (const {name, values} of family.controls) for (let k = 0; k < values.length; k++) {
      const paths = differing({...at, [name]: k});
      if (cost(paths) < cost(left)) [at, left] = [{...at, [name]: k}, paths];
    }
  }
  const [path] = left;
  if (path) return {problem: unsaid(path, flat[path], family.leaves(at)[path], family.says(path))};
  return {setting: {family: family.name, at, fates}, problem: family.refusal({at, fates})};
}

// The positions of a control: all names, of numbers the two next to the one that is wanted.
function offered(values, wanted) {
  if (typeof values[0] !== "number") return values.join(", ");
  return [values.findLast(value => value < wanted), values.find(value => value > wanted)].filter(value => value !== undefined).join(" and ");
}

// What this page cannot say of a field.
function unsaid(path, wanted, own, values) {
  if (wanted === undefined) return `${path} is missing; this page has ${own}`;
  const others = offered(values.filter(value => value !== wanted), wanted);
  return `${path}: ${wanted}: this page has ${others ? `only ${others}` : "no such field"}`;
}

function fateNames(flows) {
  return Array.from({length: flows}, (_, i) => [`lost_${i + 1}`, `spared_${i + 1}`]).flat();
}

function flattened(node, path = "", found = {}) {
  if (node && typeof node === "object") for (const [name, value] of Object.entries(node)) flattened(value, `${path}${name}.`, found);
  else found[path.slice(0, -1)] = node;
  return found;
}

async function begin(engine, own) {
  const shared = exported(await unpacked(engine)), said = {...shared, ...exported(await unpacked(own))};
  const bytes = new Uint8Array(shared.numbers.buffer, shared.numbers.byteOffset + 8 * said.module.at, said.module.length);
  window.workbook = new Page(said, new Machine(await WebAssembly.compile(bytes), said));
}
