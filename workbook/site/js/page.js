// The page: a setting in its address, the panel, and the charts, for which it stands where Jupyter's widget would.

const WHERE = "workbook run";

const FLOWS_SAID = ["One sender has a link of its own", "Two senders share one link", "Three senders share one link", "Four senders share one link",
  "Five senders share one link"];
const NUMERALS = ["No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

class Page extends Staging {
  constructor(said, machine) {
    super();
    Object.assign(this, {said, machine, listeners: {}, state: {causes: said.causes, usual: said.usual, page: "", status: {}, picture: {}}});
    Object.assign(this, {kept: null, view: null, pointed: null, version: 0, overlay: true});
    [this.isFigure, this.isDoor] = ["bn-figure", "bn-door"].map(name => document.body.classList.contains(name));
    const panel = document.getElementById("bn-panel");
    const moved = (name, position) => ({...this.setting, at: {...this.setting.at, [name]: position}});
    this.panel = new Panel(panel, {
      ask: (name, position) => this.become(moved(name, position)), slide: (name, position) => this.follow(moved(name, position)),
    });
    panel.onchange = ({target}) => { this.tasks.finish(); this.place.write(target.id); };
    this.marks = new Marks(document.getElementById("bn-marks"), said.marks);
    this.telling = new Telling(document.getElementById("bn-tale"), this);
    this.place = new Place(this);
    this.bars();
    this.onStage(document.getElementById("bn-stage"));
    this.explore = new Explore(this, document.getElementById("bn-charts"));
    this.card = new Card(this.explore.said, this);
    this.cursor = new Cursor(this.explore, this.clock);
    this.tasks = new Tasks(this.explore.root, () => this.steps());
    this.setting = said.start;
    this.restore(this.place.read(location.hash) || {setting: null, kept: null, view: null, moment: null, pointed: null, told: this.telling.first});
    this.begin();
  }

  // What a widget's model has.
  get(name) { return this.state[name]; }
  set(name, value) { this.state[name] = value; (this.listeners[`change:${name}`] || []).forEach(act => act()); }
  on(name, act) { (this.listeners[name] ||= []).push(act); }
  off(name, act) { this.listeners[name] = (this.listeners[name] || []).filter(other => other !== act); }
  send(told) {
    if (told.version !== undefined && told.version !== this.version) return;  // of a picture that is outdated
    if (told.do === "zoom" && told.to_s - told.from_s > 1e-3) this.look([told.from_s, told.to_s]);
    if (told.do === "whole") this.look(null);
    if (told.do === "fate") this.fate(told);
    if (told.do === "play") this.play(told.time_s);
  }

  look(view) {
    this.view = view;
    this.draw();
    this.place.write();
  }

  family(setting) { return this.machine.families.get(setting.family); }

  // Show a setting, unless simcore refuses it.
  become(setting) {
    if (!this.take(setting)) return false;
    this.draw();
    this.place.write();
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
    document.getElementById("bn-open").textContent = `Settings: ${lineOf(own.mapping(at))}`;
    this.starts.value = this.cases.get(linkOf(this.place.words(this.setting))) ?? "";
    if (!this.isFigure && !this.telling.now) document.querySelector("h1").textContent = `${FLOWS_SAID[own.flows - 1]}. Tap a packet to lose it.`;
  }

  // A setting in which a packet meets another fate.
  with({flow, number, fate}, setting = this.setting) {
    const fates = structuredClone(setting.fates), own = fates[flow - 1] ||= {lost: [], spared: []};
    for (const name of ["lost", "spared"]) own[name] = own[name].filter(other => other !== number);
    own[fate] = [...own[fate], number].sort((a, b) => a - b);
    return {...setting, fates};
  }

  // One packet lost or spared: the run as it was stays beside it.
  fate({run, flow, number, fate}) {
    const before = run === 0 && this.kept ? this.kept : this.setting, {kept} = this;
    this.kept = before;
    this.pointed = {flow, number};
    if (!this.take(this.with({flow, number, fate}, before))) { this.kept = kept; return this.card.answer(`${this.refusal.text} `); }
    this.draw();
    this.answer(flow, number, fate);
    this.place.write();
  }

  answer(flow, number, fate) {
    const [one, other] = this.runs.map(({run}) => run), s = parting(one, other);
    const says = s === null ? "Both runs are the same." : `Alike until ${s.toFixed(4)} s. In the end ${differences(one, other)}.`;
    const why = s === null ? "" : reactionOf(other, flow, s, legend(other, other.flows[flow - 1], flow - 1, this.said), this.said.causes);
    this.card.answer(`Packet ${number} of flow ${flow} ${fate}. ${says}${why}`);
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
        runs.push({title: titleOf(run, setting.fates, this.notes(setting, run.mapping)), run});
        yield;
        if (this.isStaged) runs.at(-1).journeys = yield* Journeys.made(run);
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
    this.staged();
    yield;
    this.state.picture = picture;
    yield* this.explore.taking();
    yield;
    this.cursor.place();
    this.marks.show(runs.at(-1).run);
    this.keep.setAttribute("aria-pressed", String(Boolean(this.kept)));
    this.set("status", this.refusal || {text: "The packet-exact engine runs in this page.", state: "ready"});
  }

  // The run of the setting that the controls say, also while its picture is under way.
  get run() {
    this.tasks.finish();
    return this.runs.at(-1).run;
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
    const [top, acts, open] = ["top", "acts", "open"].map(name => document.getElementById(`bn-${name}`));
    open.onclick = () => {  // the sheet is over the page's lower part: what the controls change is to be seen above it
      open.ariaExpanded = String(open.parentElement.classList.toggle("bn-opened"));
      if (open.ariaExpanded === "true") this.explore.root.scrollIntoView();
    };
    const add = (tag, label, act) => acts.appendChild(Object.assign(make(tag, "bn-button", label), act));
    const start = this.starts = top.appendChild(make("select", "bn-button"));
    this.cases = new Map(this.said.cases.map(({setting}, i) => [linkOf(this.place.words(setting)), String(i)]));
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
    this.keep = add("button", "Keep and compare", {type: "button", onclick: () => { this.kept = this.kept ? null : this.setting; this.look(this.view); }});
    add("button", "Play the packets", {type: "button", onclick: () => this.play()});
    add("button", "Whole run", {type: "button", onclick: () => this.send({do: "whole"})});
    add("button", "Save as YAML", {type: "button", onclick: () => this.save()});
    if (!this.said.cases.length) return;  // a figure or a front page, which stays with its case
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

  save() {
    const text = written(this.run.mapping), link = make("a");
    link.href = URL.createObjectURL(new Blob([text], {type: "text/yaml"}));
    link.download = "my-own.yaml";
    link.click();
    URL.revokeObjectURL(link.href);
  }
}

async function begin(shared, own) {
  const said = {...shared, ...own};
  const bytes = new Uint8Array(shared.numbers.buffer, shared.numbers.byteOffset + 8 * said.module.at, said.module.length);
  window.workbook = new Page(said, new Machine(await WebAssembly.compile(bytes), said));
}
