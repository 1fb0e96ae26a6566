// What a page does with its stage: one time for it and for the charts, packets that are pointed at, what was and comes back.

const ROOM_AT = [0.42, 0.2];  // of the stage's width and height

class Staging {
  onStage(parent) {
    const show = (now, fall_s) => { this.stage.draw(now, fall_s); this.cursor?.move(now); this.telling.at(now); };
    this.stage = new Stage(parent);
    this.stage.drop = this.said.colours.drop;
    this.clock = new Clock(parent, {show, rests: () => this.rests(), isBusy: () => Boolean(this.tasks.work)});
    this.isStaged = !this.isFigure;
    const {canvas} = this.stage;
    canvas.onpointerdown = ({offsetX, offsetY}) => { this.aimed = this.stage.found(offsetX, offsetY); };
    canvas.onclick = event => this.tapped(event);
    canvas.onpointermove = ({offsetX, offsetY}) => { canvas.style.cursor = this.stage.found(offsetX, offsetY) ? "pointer" : ""; };
    canvas.onkeydown = event => this.pressed(event);
  }

  // Runs are there: the stage shows the moment of the clock in them.
  staged() {
    if (!this.isStaged) return;
    const {run, journeys} = this.runs.at(-1);
    const alike = this.runs.filter(each => each.run.flows.length === run.flows.length);
    this.stage.take(alike.map(each => each.journeys), run.flows.map((flow, i) => legend(run, flow, i, this.said)));
    this.clock.take(journeys, run.first_drop);
  }

  // It plays from the first picture on, unless a link says a moment, or who looks wants nothing to move.
  begin() {
    if (this.isFigure || this.moment !== null) return;
    if (this.telling.now) return this.telling.play();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) this.clock.waitAtADrop();
    else this.clock.start();
  }

  // The moment that is looked at; none while time passes.
  get moment() { return this.clock.isPlaying || !this.isRested ? null : this.clock.now; }

  rests() {
    this.isRested = true;
    if (this.place.shown) this.place.write();
  }

  // Show what an address said; one that cannot be shown leaves the setting, and what is said of it.
  restore({setting, kept, view, moment, pointed, told}) {
    Object.assign(this, {kept, view, pointed: null});
    this.card.close();
    this.telling.show(told);
    if (setting) this.take(setting); else this.tell();
    if (moment !== null) { this.clock.pause(); this.clock.now = moment; this.isRested = true; }
    this.draw();
    if (pointed && this.isStaged) this.point(pointed);
    this.place.write();
  }

  // Open the card of a packet that an address names.
  point({flow, number}) {
    const {run} = this, p = run.flows[flow - 1].offered[number - 1], fates = this.setting.fates[flow - 1];
    const fate = ["lost", "spared"].find(name => fates?.[name].includes(number)), was = fate && this.kept?.fates[flow - 1]?.[fate];
    if (p === undefined) return;
    this.open(p, null);
    if (this.kept && fate && !was?.includes(number)) this.answer(flow, number, fate);
  }

  // A packet's card, beside it or where it was pointed at.
  open(p, point) {
    const {run} = this;
    this.goesOn ||= this.clock.isPlaying;
    this.clock.pause();
    this.stage.marked = p;
    this.clock.seek(this.clock.now);
    this.card.open(run, p, point || this.besidePacket(p));
    const {flow, number} = nameOf(run, p);
    this.pointed = number && !run.packets.is_ack[p] ? {flow, number} : null;
    this.place.write();
  }

  // Where a packet is in the window; of one that is not under way any more, where the stage has room.
  besidePacket(p) {
    const {stage: {canvas}} = this, {left, top, width, height} = canvas.getBoundingClientRect();
    const {x, y} = this.stage.spotOf(p) || {x: ROOM_AT[0] * width, y: ROOM_AT[1] * height};
    return {x: left + x, y: top + y};
  }

  // The card is closed: what it held up goes on.
  closed() {
    Object.assign(this, {pointed: null});
    this.stage.marked = null;
    if (this.goesOn) this.clock.start(); else this.clock.seek(this.clock.now);
    this.goesOn = false;
    this.place.write();
  }

  // A packet that was there when the finger came down: who scrolls taps nothing.
  tapped({clientX, clientY}) {
    if (this.aimed) this.open(this.aimed.p, {x: clientX, y: clientY});
    else if (this.card.isOpen) this.card.close();
  }

  pressed(event) {
    const act = {" ": () => this.clock.toggle(), ArrowLeft: () => this.clock.step(-1), ArrowRight: () => this.clock.step(1),
      Enter: () => this.openNext()}[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // The packet that leaves the buffer next, or else any that is on its way.
  openNext() {
    const {waiting, spots} = this.stage, p = waiting?.[0] ?? spots[0]?.p;
    if (p === undefined) return;
    this.open(p, null);
    this.card.element.querySelector("button")?.focus();
  }

  // Something was pointed at in a chart: a packet has its card, an empty place is a moment.
  picked(what, point) {
    const time = what?.time ?? point?.time;
    if (this.isStaged && time !== undefined) {
      this.goesOn ||= Boolean(what) && this.clock.isPlaying;
      this.clock.pause();
      this.clock.seek(time);
    }
    if (!what) return true;
    this.card.point = point;
    if (what.kind !== "packet") return false;
    this.open(this.run.flows[what.flow - 1].offered[what.number - 1], point);
    return true;
  }

  // What would come of another fate, told when the run is there: two tasks, each of a few milliseconds.
  whatIf(packet, tell) {
    const setting = this.with(packet), text = this.family(setting).refusal(setting), now = this.run;
    if (text) return tell(`${text}.`);
    setTimeout(() => {
      const log = this.machine.run(setting.family, setting.at, setting.fates);
      setTimeout(() => tell(`If it is ${packet.fate}, ${differences(now, new Run(log))}.`));
    });
  }

  play(time = null) {
    const {view, run} = this;
    if (!this.isStaged) {
      this.isStaged = true;
      document.body.classList.add("bn-played");
      this.draw();
    }
    const moment = time ?? (view ? (view[0] + view[1]) / 2 : run.first_drop);
    this.clock.pause();
    this.clock.seek(moment - this.clock.fall_s);
    this.clock.start();
    document.getElementById("bn-stage").scrollIntoView({block: "nearest", behavior: "smooth"});
  }
}
