// The engine in the page: what simcore exported becomes a world in the module's memory, which the module runs.

const FINISHED = 0n, CROWDED = 1n, MOST_EVENTS = 1n << 40n;
const PAGE_BYTES = 65536, MOST_BYTES = 1 << 30, TABLES = ["packets", "events", "updates"];
// Of a record's field; an integer of 64 bits is read as two halves, which is ten times as fast as a BigInt of it.
const READERS = {
  f8: (view, at) => view.getFloat64(at, true), i4: (view, at) => view.getInt32(at, true), u1: (view, at) => view.getUint8(at),
  i8: (view, at) => view.getInt32(at + 4, true) * 2 ** 32 + view.getUint32(at, true),
  u2: (view, at) => view.getUint16(at, true), b1: (view, at) => view.getUint8(at),
};

// Bytes that were packed with gzip and written as base64.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// What the exporter wrote: a length, that many bytes of JSON, and numbers of 8 bytes each.
function exported(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const said = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  return {...said, numbers: new BigUint64Array(buffer, 8 + Math.ceil(length / 8) * 8)};
}

class Family {
  constructor(said, numbers) {
    Object.assign(this, said, {numbers});
    this.positions = new Map(this.controls.map(control => [control.name, new Map(control.values.map((v, i) => [v, i]))]));
  }

  control(name) { return this.controls.find(control => control.name === name); }

  value(at, name) { return this.control(name)?.values[at[name]]; }

  // The position in a table for a flow: each axis is a control; those of random numbers know kinds of kinds.
  index(table, at, flow) {
    return table.axes.reduce((index, axis) => {
      const name = axis === "kind_*" ? `kind_${flow + 1}` : axis, position = at[name];
      return table.about && axis.startsWith("kind_") ? index * this.drawers.size + this.drawers.of[position]
        : index * this.control(name).values.length + position;
    }, 0);
  }

  // Write the world of a setting into memory; return the leaves of its scenario: what a file would have, by path.
  compose(at, memory) {
    const words = new BigUint64Array(memory.buffer), leaves = {}, {template, numbers} = this;
    for (const [first, last, address] of this.spans)
      words.set(numbers.subarray(template + first, template + last), address / 8);
    this.leaves.forEach((path, i) => { leaves[path] = this.usual[i]; });
    for (const table of this.tables) for (let flow = 0; flow < (table.each ? this.flows : 1); flow++) {
      let from = table.at + this.index(table, at, flow);
      for (const [address, row] of table.words) { words[(address + flow * row) / 8] = numbers[from]; from += table.size; }
      for (const path of table.leaves) {
        leaves[path.replace("flows.0.", table.each ? `flows.${flow}.` : "flows.0.")] = Number(numbers[from]);
        from += table.size;
      }
    }
    return Object.fromEntries(Object.entries(leaves).filter(([, k]) => k).map(([path, k]) => [path, this.said[k]]));
  }
}

// A scenario as a mapping, of the leaves by path.
function grown(leaves) {
  const root = {};
  for (const [path, value] of Object.entries(leaves)) {
    let node = root;
    const names = path.split("."), last = names.pop();
    names.forEach((name, i) => { node = node[name] ??= /^\d+$/.test(names[i + 1] ?? last) ? [] : {}; });
    node[last] = value;
  }
  return root;
}

class TooLarge extends Error {}

class Machine {
  constructor(module, said) {
    Object.assign(this, {module, said});
    this.families = new Map(said.families.map(family => [family.name, new Family(family, said.numbers)]));
    this.rows = {packets: 1 << 14, events: 1 << 16, updates: 1 << 14};
    const furthest = Math.max(...said.families.map(family => family.end));
    this.memory = new WebAssembly.Memory({initial: Math.ceil(furthest / PAGE_BYTES)});
    const env = {
      __linear_memory: this.memory, fmod: (a, b) => a % b,  // exact by ECMA-262, as C's
      __stack_pointer: new WebAssembly.Global({value: "i32", mutable: true}, said.stack),
    };
    this.loop = new WebAssembly.Instance(module, {env}).exports[said.entry];
  }

  // Simulate. `fates` are packets lost or spared on purpose, by flow from 0: {lost: [...], spared: [...]}.
  run(name, at, fates) {
    const family = this.families.get(name);
    for (;;) {
      const places = this.placed(family);
      if (this.last !== family) new Uint8Array(this.memory.buffer).fill(0, family.places, family.end);  // another family's arrays
      this.last = family;
      const mapping = grown(family.compose(at, this.memory));
      this.fate(family, fates, mapping);
      const head = new BigInt64Array(this.memory.buffer, family.places);
      let k = 0;
      for (const {address} of places) head[k++] = BigInt(address);
      for (const {shape} of places) for (const length of shape) head[k++] = BigInt(length);
      if (this.loop(family.places, family.places + 8 * places.length, MOST_EVENTS) === FINISHED)
        return {...this.told(places), mapping, route: family.route, why: family.why};
      this.more();
    }
  }

  // Where the arrays lie: the log, which is as long as it has to be, behind all others.
  placed(family) {
    let end = Math.ceil(family.end / 16) * 16;
    const places = family.arrays.map(array => {
      if (!TABLES.includes(array.name)) return array;
      const at = {...array, address: end, shape: [this.rows[array.name]]};
      end += Math.ceil(at.shape[0] * this.said.types[array.name].size / 16) * 16;
      return at;
    });
    const missing = end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE_BYTES));
    return places;
  }

  more() {
    for (const name of TABLES) this.rows[name] *= 4;
    if (this.rows.events * this.said.types.events.size > MOST_BYTES / 2)
      throw new TooLarge("This run has more packets than a page has room for; the command line has more.");
  }

  fate(family, fates, mapping) {
    const {size, fields} = this.said.types.impairments, {address} = family.arrays.find(a => a.name === "impairments");
    const memory = new BigInt64Array(this.memory.buffer);
    Object.entries(fates).forEach(([flow, named]) => Object.entries(named).forEach(([name, numbers]) => {
      if (!numbers.length) return;
      const first = (address + flow * size + fields[name][1]) / 8;
      numbers.forEach((number, i) => { memory[first + i] = BigInt(number); });
      memory[first + numbers.length] = 0n;
      mapping.flows[flow][`${name}_packets`] = numbers;
    }));
  }

  // The log and the totals, as columns.
  told(places) {
    const view = new DataView(this.memory.buffer), {types} = this.said;
    const place = name => places.find(array => array.name === name).address;
    const column = (name, field, rows) => {
      const [type, offset] = types[name].fields[field], {size} = types[name], read = READERS[type];
      const found = new Float64Array(rows), start = place(name) + offset;
      for (let i = 0; i < rows; i++) found[i] = read(view, start + i * size);
      return found;
    };
    const run = field => column("run", field, 1)[0], flows = places.find(array => array.name === "flows").shape[0];
    const all = (name, rows, fields) => Object.fromEntries(fields.map(field => [field, column(name, field, rows)]));
    return {
      packets: all("packets", run("uid"), ["flow", "bytes", "seq", "is_ack", "repeated"]),
      events: all("events", run("event"), ["s", "uid", "link", "kind"]),
      updates: all("updates", run("update"), ["s", "cwnd", "ssthresh", "inflation", "flow", "cause"]),
      totals: all("flows", flows, ["sent", "dropped", "received_bytes", "fast_retransmits", "timeouts"]),
    };
  }
}
