// The card: what is known of a packet or of a window's change, beside the finger, and what would come of a loss.

const CARD_GAP_PX = 22, CARD_EDGE_PX = 8;

class Card {
  // Its element is where the charts say what was pointed at.
  constructor(element, page) {
    Object.assign(this, {element, page, point: null, shown: null});
    element.classList.add("bn-card");
    new MutationObserver(() => this.filled()).observe(element, {childList: true, subtree: true, characterData: true});
    addEventListener("resize", () => this.place());
    addEventListener("keydown", event => { if (event.key === "Escape" && this.isOpen) this.close(); });
  }

  get isOpen() { return this.element.childElementCount > 0; }

  close() { this.element.replaceChildren(); }

  // Also when other runs are shown, of which it said nothing.
  gone() {
    Object.assign(this, {shown: null, wasOpen: false});
    this.page.closed();
  }

  // What is said is said beside the point, however long it is; and can be closed.
  filled() {
    if (!this.isOpen) return this.wasOpen && this.gone();
    this.wasOpen = true;
    if (!this.element.querySelector(".bn-close")) {
      const close = this.element.appendChild(button("", "close", () => this.close()));
      close.classList.add("bn-close");
      close.setAttribute("aria-label", "Close");
    }
    this.place();
  }

  // To the right of the point, or to its left; inside the window.
  place() {
    const {element} = this, {offsetWidth: width, offsetHeight: height} = element;
    const {x, y} = this.point || {x: innerWidth / 2 - CARD_GAP_PX, y: innerHeight / 2};
    const right = x + CARD_GAP_PX, left = right + width > innerWidth - CARD_EDGE_PX ? x - CARD_GAP_PX - width : right;
    const within = (at, size, all) => Math.max(CARD_EDGE_PX, Math.min(at, all - size - CARD_EDGE_PX));
    element.style.left = `${within(left, width, innerWidth)}px`;
    element.style.top = `${within(y - height / 3, height, innerHeight)}px`;
  }

  // A packet of a run: what became of it, and what the run would be otherwise.
  open(run, p, point) {
    const {element, page} = this, {flow, number} = nameOf(run, p);
    Object.assign(this, {point, shown: {flow, number, p}});
    element.replaceChildren(make("strong", "", run.packets.is_ack[p] ? `ACK of flow ${flow}` : `Packet ${number} of flow ${flow}`));
    element.append(make("span", "bn-what", journeyOf(run, p)));
    if (run.packets.is_ack[p] || !number) return;
    const said = element.appendChild(make("p", "bn-whatif", "\u2026")), fate = run.dropped[p] ? "spared" : "lost";
    element.appendChild(make("div", "bn-buttons")).append(this.act({flow, number, fate}));
    page.whatIf({flow, number, fate}, text => { if (this.shown?.p === p) said.textContent = text; });
  }

  act({flow, number, fate}) {
    const [text, hint] = {lost: ["Lose it", "the same run, but this packet is lost"], spared: ["Spare it", "the same run, but the queue accepts it"]}[fate];
    const act = button(text, hint, () => this.page.send({do: "fate", flow, number, fate}));
    act.classList.add("bn-act");
    return act;
  }

  // What came of it; undo is Back.
  answer(text) {
    const [what, ...more] = text.split(". "), row = make("div", "bn-buttons");
    this.element.replaceChildren(make("strong", "", `${what}. `), make("p", "", more.join(". ")), row);
    row.append(button("Undo", "as Back does", () => this.page.place.undo()), make("span", "bn-source", "Pale: the run that was."));
  }
}

// Which of its flow's packets at the bottleneck it is, from 1; 0 if it never came there.
function nameOf(run, p) {
  const flow = run.packets.flow[p];
  return {flow, number: run.flows[flow - 1].offered.indexOf(p) + 1};
}

function journeyOf(run, p) {
  const {sent, enqueued, dequeued, arrived, packets} = run, at = time => `${time.toFixed(4)} s`, ms = time => `${(1e3 * time).toFixed(1)} ms`;
  if (packets.is_ack[p]) return `The receiver has all up to segment ${packets.seq[p]}. Sent at ${at(sent[p])}.`;
  const begins = `Segment ${packets.seq[p]}${packets.repeated[p] ? ", sent again" : ""}, at the router at ${at(enqueued[p])}`;
  if (run.dropped[p]) return `${begins}. It was dropped.`;
  const waits = dequeued[p] > enqueued[p] ? `, waits ${ms(dequeued[p] - enqueued[p])}` : "";
  return `${begins}${waits}${arrived[p] >= 0 ? `, arrives at ${at(arrived[p])}` : ""}.`;
}

// By which rule a sender reacted first after a moment, and where that stands.
function reactionOf(run, flow, from_s, legend, causes) {
  const {s, cause, flow: flows} = run.updates, telling = ["fast_retransmit", "timeout", "congestion_echo"];
  for (let i = 0; i < s.length; i++) if (flows[i] === flow && s[i] >= from_s && telling.includes(causes[cause[i]])) {
    const [title, , source] = legend.why[cause[i]];
    return ` ${title} at ${s[i].toFixed(3)} s (${source.split(";")[0]}).`;
  }
  return "";
}
