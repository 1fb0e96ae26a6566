// What the source prints of this case: numbers to hit by turning the sliders.

class Marks {
  constructor(parent, marks) {
    Object.assign(this, {parent, marks});
    parent.hidden = !marks.length;
  }

  // What the run gives beside what the source prints.
  show(run) {
    if (!this.marks.length) return;
    const found = this.marks.map(({flow, row}) => run.flows[flow - 1][row.toLowerCase()]);
    const hit = this.marks.map(({said}, i) => said === found[i]), all = hit.every(Boolean);
    const list = make("ul", "bn-marks");
    this.marks.forEach(({flow, row, said}, i) => {
      const item = list.appendChild(make("li", hit[i] ? "bn-hit" : ""));
      item.append(`flow ${flow} ${row.toLowerCase()} `, make("strong", "", `${said} packets`),
        hit[i] ? " \u2713" : `; now ${found[i]}`);
    });
    const text = all ? "Found: with this setting the engine gives every one of the source's numbers."
      : `\u201c${this.marks[0].source}\u201d prints these numbers. Can you find the setting?`;
    this.parent.replaceChildren(make("p", "", text), list);
    this.parent.dataset.hit = String(all);
  }
}
