// The page's address: the setting, what it is compared with, the part that is looked at, the moment, the packet. What is
// simulated anew is an entry of the history, so Back undoes it; a moment is none.

const SEEN = ["than", "view", "at", "packet", "story", "step", "bet"], SAME_HAND_MS = 900;

class Place {
  constructor(page) {
    Object.assign(this, {page, past: [], simulated: null, wrote: -Infinity, hand: null});
    for (const name of ["popstate", "hashchange"]) addEventListener(name, () => this.follow(location.hash));
  }

  get isReal() { return location.protocol !== "about:"; }  // srcdoc has no address

  // All words of a setting: values, not positions, so that it stays right when positions are added. Of the second level
  // it has what is not as usual.
  words({family, at, fates}) {
    const said = {flows: family}, {controls, start} = this.page.machine.families.get(family);
    for (const {name, values, further} of controls) if (!further || at[name] !== start[name]) said[name] = values[at[name]];
    for (const [flow, own] of Object.entries(fates)) for (const name of ["lost", "spared"])
      if (own[name].length) said[`${name}_${Number(flow) + 1}`] = own[name];
    return said;
  }

  // The words of the other setting that this one doesn't have.
  than() {
    const {setting, kept} = this.page, own = this.words(setting), other = this.words(kept);
    const differs = name => String(own[name]) !== String(other[name]) || /^(lost|spared)_/.test(name);
    const left = setting.family === kept.family ? Object.keys(other).filter(differs) : Object.keys(other);
    for (const {name, values, further} of this.page.family(kept).controls)
      if (further && name in own && !(name in other)) { other[name] = values[kept.at[name]]; left.push(name); }
    return linkOf(Object.fromEntries(left.map(name => [name, other[name]]))).slice(1) || "-";
  }

  // Once as what is simulated, once as all that is seen.
  get addresses() {
    const {setting, kept, view, moment, pointed} = this.page, said = this.words(setting);
    if (kept) said.than = this.than();
    Object.assign(said, this.page.telling.words);
    const simulated = linkOf(said);
    if (view) said.view = view.map(s => s.toFixed(5)).join("-");
    if (moment !== null) said.at = moment.toFixed(6);
    if (pointed) said.packet = [pointed.flow, pointed.number];
    return {simulated, all: linkOf(said)};
  }

  // A browser allows a few hundred changes in ten seconds: a slider's are written when it rests. What one hand does
  // with one control in one go is one entry.
  write(hand = null) {
    const {simulated, all} = this.addresses, isNew = this.simulated !== null && simulated !== this.simulated;
    const goesOn = hand !== null && hand === this.hand && performance.now() - this.wrote < SAME_HAND_MS;
    if (isNew && !goesOn) this.past.push(this.shown);
    if (isNew) Object.assign(this, {hand, wrote: performance.now()});
    if (this.isReal && location.hash !== all) history[isNew && !goesOn ? "pushState" : "replaceState"](null, "", all);
    Object.assign(this, {simulated, shown: all});
  }

  undo() {
    if (this.isReal) history.back();
    else if (this.past.length) this.follow(this.past.pop());
  }

  // Show what an address says.
  follow(hash) {
    if (hash === this.shown) return;
    const seen = this.read(hash);
    if (!seen) return;
    Object.assign(this, {simulated: null, hand: null});
    this.page.restore(seen);
  }

  read(hash) {
    const {page} = this, words = new URLSearchParams(hash.slice(1));
    if (hash.length < 2) return null;
    if ([...words.keys()].join() === "scenario") return this.seen(page.read(words.get("scenario"), "scenario"), {});
    const {than, view, at, packet} = Object.fromEntries(words), told = page.telling.read(words);
    if (told && !words.has("flows")) return {view: null, moment: null, pointed: null, ...structuredClone(page.telling.seen(told)), told};
    const setting = this.setting(words);
    if (!setting) return null;
    const kept = than === undefined ? null : this.kept(than, words);
    return this.seen(setting, {kept, view, at, packet, told});
  }

  // What is not about the setting, and cannot be, is left out.
  seen(setting, {kept = null, view = "", at, packet = "", told = null}) {
    const numbers = (text, sign) => text.split(sign).map(Number), [from, to] = numbers(view, "-"), [flow, number] = numbers(packet, ".");
    const isFlow = Number.isInteger(flow) && flow > 0 && flow <= this.page.machine.families.get(setting?.family)?.flows;
    return setting && {
      setting, kept, told, view: to > from ? [from, to] : null, moment: at !== undefined && Number(at) >= 0 ? Number(at) : null,
      pointed: isFlow && number > 0 ? {flow, number} : null,
    };
  }

  // The setting that is compared with: the words of this one, but for those that are said; no packets but its own.
  kept(than, words) {
    const other = new URLSearchParams(than === "-" ? "" : than), isOwn = name => !SEEN.includes(name) && !/^(lost|spared)_/.test(name);
    if (!other.has("flows") || other.get("flows") === words.get("flows"))
      for (const [name, value] of words) if (isOwn(name) && !other.has(name)) other.set(name, value);
    return this.setting(other);
  }

  setting(words) {
    const {page} = this, family = page.machine.families.get(words.get("flows"));
    if (!family) return page.refuse("The link names no number of flows that this page has.");
    const at = {}, fates = {}, known = ["flows", ...family.controls.map(({name}) => name), ...fateNames(family.flows), ...SEEN];
    for (const name of words.keys())
      if (!known.includes(name)) return page.refuse(`${name}: no such control; this page has ${known.join(", ")}.`);
    for (const {name, values, label} of family.controls) {
      const said = words.get(name);  // what a link leaves out is as the page begins
      at[name] = said === null ? family.start[name] : values.findIndex(value => String(value) === said);
      if (at[name] < 0) return page.refuse(`${label}: this page has no ${said}.`);
    }
    for (const name of fateNames(family.flows).filter(name => words.has(name))) {
      const [fate, flow] = name.split("_"), numbers = words.get(name).split(".").map(Number);
      if (!numbers.every(number => Number.isInteger(number) && number > 0)) return page.refuse(`${name}: packets count from 1.`);
      (fates[flow - 1] ||= {lost: [], spared: []})[fate] = numbers;
    }
    const text = family.refusal({at, fates});
    return text ? page.refuse(`${text}.`) : {family: family.name, at, fates};
  }
}
