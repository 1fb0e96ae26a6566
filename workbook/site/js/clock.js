// The page's time: one for the stage and the charts. Where nothing is on its way it runs faster, and says so.

const SPEEDS = [1, 5, 10, 20, 50, 100, 200, 500, 2000], TRANSMISSION_MS = 200, QUIET_MS = 900, FIRST_DROP_MS = 2600, RESTED_MS = 250;

class Clock {
  // `show` draws a moment; `rests` is told when time stands still. While the page `isBusy` with another run, time waits for it.
  constructor(parent, {show, rests, isBusy}) {
    Object.assign(this, {show, rests, isBusy, now: null, end: 0, isPlaying: false, slower: null, last: null});
    this.bar = parent.appendChild(make("div", "bn-clock"));
    this.play = this.bar.appendChild(button("Pause", "space bar", () => this.toggle()));
    this.play.classList.add("bn-play");
    this.bar.append(button("\u25c0", "one packet's time back", () => this.step(-1)), button("\u25b6", "one packet's time on", () => this.step(1)));
    this.bar.children[1].setAttribute("aria-label", "Step back");
    this.bar.children[2].setAttribute("aria-label", "Step on");
    this.scrub = this.bar.appendChild(Object.assign(make("input", "bn-scrub"), {type: "range", min: 0, step: 1}));
    this.scrub.setAttribute("aria-label", "Moment");
    this.scrub.oninput = () => { this.pause(); this.seek(Number(this.scrub.value) / 1e4); };
    this.scrub.onchange = () => this.rests();
    this.said = this.bar.appendChild(make("output", "bn-time"));
    this.speeds();
  }

  speeds() {
    const select = this.speed = this.bar.appendChild(make("select", "bn-button"));
    select.setAttribute("aria-label", "Speed");
    for (const slower of SPEEDS) select.append(new Option(slower === 1 ? "real time" : `${slower}\u00d7 slower`, slower));
    select.onchange = () => { this.slower = this.chosen = Number(select.value); this.seek(this.now); };
  }

  // The run's time. The first time it begins a little before the first drop, so that this is soon seen.
  take(journeys, firstDrop) {
    const {packet_s, end} = journeys, usual = 1e-3 * TRANSMISSION_MS / packet_s;
    Object.assign(this, {journeys, end});
    this.slower = this.chosen ?? SPEEDS.reduce((a, b) => Math.abs(Math.log(b / usual)) < Math.abs(Math.log(a / usual)) ? b : a);
    this.speed.value = this.slower;
    this.scrub.max = Math.round(1e4 * end);
    this.scrub.step = Math.max(1, Math.round(1e4 * packet_s / 8));
    this.first = firstDrop;
    if (this.now === null) this.now = Math.max(journeys.begins[0] ?? 0, firstDrop - 1e-3 * FIRST_DROP_MS / this.slower);
    this.seek(this.now);
  }

  get fall_s() { return 1e-3 * FALL_MS / this.slower; }

  // A moment that tells something, for who wants nothing to move.
  waitAtADrop() {
    this.seek(this.first + 0.3 * this.fall_s);
    this.pause();
  }

  seek(time) {
    this.now = Math.max(0, Math.min(this.end, time));
    this.scrub.value = Math.round(1e4 * this.now);
    const text = `${this.now.toFixed(4)} s`;
    this.said.textContent = this.isQuiet && this.isPlaying ? `${text}, quiet: faster` : text;
    this.scrub.setAttribute("aria-valuetext", text);
    this.show(this.now, this.fall_s);
  }

  step(by) {
    this.pause();
    this.seek(this.now + by * this.journeys.packet_s);
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.rests(), RESTED_MS);  // a key that is held down steps thirty times in a second
  }

  toggle() {
    if (this.isPlaying) return this.pause();
    if (this.now >= this.end) this.seek(this.journeys.begins[0] ?? 0);
    this.start();
  }

  start() {
    if (this.isPlaying) return;
    Object.assign(this, {isPlaying: true, last: null});
    this.play.textContent = "Pause";
    requestAnimationFrame(ms => this.tick(ms));
    this.rests();
  }

  pause() {
    if (!this.isPlaying && this.play.textContent === "Play") return;
    this.isPlaying = false;
    this.play.textContent = "Play";
    this.seek(this.now);
    this.rests();
  }

  tick(ms) {
    if (!this.isPlaying) return;
    if (this.isBusy()) return this.again(null);
    const passed = this.last === null ? 0 : Math.min(ms - this.last, 100);
    const next = this.journeys.nextBusy(this.now, this.fall_s), own = 1e-3 * passed / this.slower;
    if (next > this.now && !this.isQuiet) this.hurry = Math.max(own, (next - this.now) * 16 / QUIET_MS);
    this.isQuiet = next > this.now;
    this.seek(this.isQuiet ? Math.min(next, this.now + Math.max(own, this.hurry * passed / 16)) : this.now + own);
    if (this.now >= this.end) this.pause(); else this.again(ms);
  }

  again(last) {
    this.last = last;
    requestAnimationFrame(ms => this.tick(ms));
  }
}
