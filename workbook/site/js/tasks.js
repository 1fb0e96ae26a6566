// Work in steps. Each is a task of its own, between which the browser sees to the hand and to the screen.

class Tasks {
  // `steps` begins the work: it yields after each step. Meanwhile the element is said to be busy.
  constructor(element, steps) {
    const {port1, port2} = new MessageChannel();
    Object.assign(this, {element, steps, port: port2, work: null, isAskedFor: false});
    port1.onmessage = () => this.step();
  }

  // All steps now, in one task; what was under way is abandoned.
  atOnce() {
    this.isAskedFor = false;
    this.begin(null);
    for (const _ of this.steps());
  }

  // One after another. What is asked for while a picture is under way is begun when that is there, the newest alone: were
  // it abandoned instead, a quick hand would see no picture.
  inTurn() {
    this.isAskedFor = true;
    if (!this.work) this.next();
  }

  // What is left of it now: the hand is at rest, and waits.
  finish() {
    while (this.work) {
      for (const _ of this.work);
      this.next();
    }
  }

  next() {
    this.begin(this.isAskedFor ? this.steps() : null);
    this.isAskedFor = false;
    if (this.work) this.port.postMessage(null);
  }

  begin(work) {
    this.work = work;
    this.element.setAttribute("aria-busy", String(work !== null));
  }

  step() {
    if (!this.work) return;  // it was abandoned, or finished
    if (this.work.next().done) this.next();
    else this.port.postMessage(null);
  }
}
