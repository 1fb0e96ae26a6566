// Stories: a question and a bet, the run, what came of it, free play. Each step is an entry of the history, so Back undoes it.

const BET = 1, WATCH = 2, REVEAL = 3, PLAY = 4, LEAD_MS = 1800;

class Telling {
  constructor(parent, page) {
    Object.assign(this, {parent, page, tales: page.said.tales || [], now: null, known: new Map()});
    parent.hidden = !this.tales.length;
  }

  // What a page begins with that is told nothing else: a front page with its story.
  get first() { return this.page.isDoor ? {name: this.tales[0].name, step: BET, bet: 0} : null; }

  get tale() { return this.now && this.tales.find(({name}) => name === this.now.name); }

  // What a link says of it: the story, the step, the bet.
  get words() {
    const {tale, now} = this;
    return tale ? {story: now.name, step: now.step, ...(now.bet ? {bet: now.bet} : {})} : {};
  }

  // What a link's words mean; nothing if they tell of no story that this page has.
  read(words) {
    const tale = this.tales.find(({name}) => name === words.get("story")), [step, bet] = ["step", "bet"].map(name => Number(words.get(name)));
    if (!tale) return null;
    const made = Number.isInteger(bet) && bet > 0 && bet <= tale.bets.length ? bet : 0;
    return {name: tale.name, step: made && [WATCH, REVEAL, PLAY].includes(step) ? step : BET, bet: made};
  }

  // What is seen at a step: the first run with the question; then the last, over the first.
  seen(now) {
    const {runs} = this.tales.find(({name}) => name === now.name), [first, ...others] = Object.values(runs);
    return now.step === BET ? {setting: first, kept: null} : {setting: others.at(-1), kept: first};
  }

  // All runs of the story, which are simulated once, and the moment at which it happens.
  get runs() {
    const {tale, page, known} = this, made = ([name, {family, at, fates}]) => [name, new Run(page.machine.run(family, at, fates))];
    if (!known.has(tale.name)) {
      const runs = Object.fromEntries(Object.entries(tale.runs).map(made));
      known.set(tale.name, {runs, moment: worth(tale.moment, runs)});
    }
    return known.get(tale.name).runs;
  }

  get moment() { return this.runs && this.known.get(this.now.name).moment; }

  begin(name) { this.go({name, step: BET, bet: 0}); }

  // To a step, with its runs, unless they are seen already. What came of it takes the place of the wait in the history.
  go(now) {
    const {page} = this, wasShown = this.now?.name === now.name && this.now.step !== BET && now.step !== BET;
    if (wasShown) {
      this.show(now);
      if (now.step === REVEAL) page.place.simulated = null;
      return page.place.write();
    }
    page.clock.pause();
    page.restore({...structuredClone(this.seen(now)), view: null, moment: null, pointed: null, told: now});
    this.play();
  }

  // From a little before the moment on; before the bet from the beginning.
  play() {
    const {clock} = this.page, isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const moment = this.now.step === BET ? this.page.run.first_drop : this.moment;
    clock.pause();
    clock.seek(isStill ? moment + 0.3 * clock.fall_s : Math.max(0, moment - 1e-3 * LEAD_MS / clock.slower));
    if (!isStill) clock.start();
  }

  // The clock is at a moment: once it has happened, it is told what came of it.
  at(now) {
    if (this.now?.step === WATCH && this.page.clock.isPlaying && now > this.moment + this.page.clock.fall_s) this.go({...this.now, step: REVEAL});
  }

  close() {
    this.show(null);
    this.page.tell();
    this.page.place.write();
  }

  show(now) {
    this.now = now;
    document.body.classList.toggle("bn-telling", Boolean(now));
    if (!this.tales.length) return;
    this.parent.replaceChildren(...(now ? this.step() : this.list()));
    if (now) document.querySelector("h1").textContent = this.tale.title;
  }

  // All stories, to choose one.
  list() {
    const row = make("div", "bn-tales");
    row.append(make("span", "bn-lead", `${NUMERALS[this.tales.length] ?? this.tales.length} stories`));
    for (const {name, title} of this.tales) row.append(button(title, "a story in a minute", () => this.begin(name)));
    return [row];
  }

  step() {
    const {tale, now} = this, text = make("div", "bn-text"), acts = make("div", "bn-acts");
    const place = this.tales.indexOf(tale) + 1, all = this.tales.length + this.page.said.further.length;
    const head = text.appendChild(make("p", "bn-place", `Story ${place} of ${all}`));
    if (!this.page.isDoor) head.append(button("All stories", "back to the stage alone", () => this.close()));
    [null, () => this.bet(text, acts), () => this.watch(text, acts), () => this.reveal(text, acts), () => this.free(text, acts)][now.step]();
    return [text, acts];
  }

  say(parent, text, kind = "") {
    const said = parent.appendChild(make("p", kind));
    text.split(/(\{\w+(?::\d)?\})/).forEach(part => {
      const [, name, digits] = /^\{(\w+)(?::(\d))?\}$/.exec(part) || [];
      said.append(name ? make("b", "", spoken(worth(this.tale.numbers[name], this.runs), Number(digits || 0))) : part.replace(/^ (?=%|ms|kb)/, "\u00a0"));
    });
    return said;
  }

  act(parent, text, now) {
    const made = parent.appendChild(button(text, "", () => this.go({...this.now, ...now})));
    made.removeAttribute("title");
    return made;
  }

  bet(text, acts) {
    this.say(text, this.tale.question);
    acts.append(make("span", "bn-lead", "Your bet:"));
    this.tale.bets.forEach(({says}, i) => this.act(acts, says, {step: WATCH, bet: i + 1}));
  }

  watch(text, acts) {
    this.say(text, this.tale.watch);
    acts.append(make("span", "bn-lead", `Your bet: ${this.tale.bets[this.now.bet - 1].says}`));
    this.act(acts, "What came of it?", {step: REVEAL}).classList.add("bn-main");
  }

  reveal(text, acts) {
    const {tale, now} = this, right = tale.bets.findIndex(({when}) => worth(when, this.runs)), isRight = right === now.bet - 1;
    const verdict = text.appendChild(make("p", isRight ? "bn-verdict bn-right" : "bn-verdict", isRight ? "You were right: " : "It came otherwise: "));
    verdict.append(make("b", "", tale.bets[right].says));
    this.say(text, tale.reveal);
    if (!isRight) acts.append(make("span", "bn-lead", `Your bet was: ${tale.bets[now.bet - 1].says}`));
    this.act(acts, "And now you", {step: PLAY}).classList.add("bn-main");
  }

  // On a front page what goes on is the explorer's.
  free(text, acts) {
    const {tale, tales, now, page: {isDoor, said}} = this, {book} = document.body.dataset;
    this.say(text, tale.play);
    acts.append(wayTo(book && book + tale.chapter.page, `${book ? "Read" : "More in"} the chapter \u201c${tale.chapter.title}\u201d`));
    const next = said.further[0] || tales[(tales.indexOf(tale) + 1) % tales.length];
    if (isDoor) acts.append(wayTo(`explore.html#${new URLSearchParams({story: now.name, step: PLAY, bet: now.bet})}`, "Play on in the explorer"));
    if (isDoor) acts.append(wayTo(`explore.html#story=${next.name}`, `Next: ${next.title}`, "bn-button bn-main"));
    else this.act(acts, `Next: ${next.title}`, {name: next.name, step: BET, bet: 0}).classList.add("bn-main");
  }
}

// A link, where there is something that it leads to.
function wayTo(address, text, look = "bn-chapter") {
  const way = make(address ? "a" : "span", look, text);
  if (address) way.href = address;
  return way;
}
