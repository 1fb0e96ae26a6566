// The engine in the page: what simcore exported becomes a world in the module's memory, which the module runs.

const FINISHED = 0n, CROWDED = 1n, MOST_EVENTS = 1n << 40n;
const PAGE_BYTES = 65536, MOST_BYTES = 1 << 30, TABLES = ["packets", "events", "updates"];
// A field of all records, each so many bytes after the last. A loop for each type is four times as fast as one for all; an
// integer of 64 bits is read as two halves, which is ten times as fast as a BigInt of it.
const READERS = {
  f8: (view, at, size, found) => { for (let i = 0; i < found.length; i++) found[i] = view.getFloat64(at + i * size, true); },
  i4: (view, at, size, found) => { for (let i = 0; i < found.length; i++) found[i] = view.getInt32(at + i * size, true); },
  i8: (view, at, size, found) => { for (let i = 0; i < found.length; i++)
    found[i] = view.getInt32(at + i * size + 4, true) * 2 ** 32 + view.getUint32(at + i * size, true); },
  u2: (view, at, size, found) => { for (let i = 0; i < found.length; i++) found[i] = view.getUint16(at + i * size, true); },
  u1: (view, at, size, found) => { for (let i = 0; i < found.length; i++) found[i] = view.getUint8(at + i * size); },
};
READERS.b1 = READERS.u1;

class Family {
  constructor(own, said) {
    const {of, tables, ...shared} = said.worlds[own.world];
    Object.assign(this, own, shared, {numbers: said.numbers, tables: of[own.name].map(i => tables[i])});
  }

  control(name) { return this.controls.find(control => control.name === name); }

  value(at, name) { return this.control(name)?.values[at[name]]; }

  // The position in a table for a flow. Controls that are turned together have classes of positions.
  index(table, at, flow) {
    return table.axes.reduce((index, {names, size, classes}) => {
      const own = names.map(name => name === "kind_*" ? `kind_${flow + 1}` : name);
      const place = own.reduce((place, name) => place * this.control(name).values.length + at[name], 0);
      return index * size + (classes ? classes[place] : place);
    }, 0);
  }

  // Where tables have what belongs to a setting: the table, the flow that it is about, the position.
  *found(tables, at) {
    for (const table of tables)
      for (let flow = 0; flow < (table.each ? this.flows : 1); flow++) yield [table, flow, this.index(table, at, flow)];
  }

  // Write the world of a setting into memory. Rows of further flows than there are lie behind those that are read.
  compose(at, memory) {
    const words = new BigUint64Array(memory.buffer), {template, numbers} = this;
    for (const [first, last, address] of this.spans)
      words.set(numbers.subarray(template + first, template + last), address / 8);
    for (const [address, from] of this.patch) words[address / 8] = numbers[from];
    for (const [table, flow, place] of this.found(this.tables, at))
      for (const [address, row, from] of table.words) words[(address + flow * row) / 8] = numbers[from + place];
  }

  // The leaves of its scenario: what a file would have, by path. Further links of the row are as the bottleneck.
  leaves(at) {
    const numbers = Object.fromEntries(this.paths.map((path, i) => [path, this.usual[i] || 0])), found = {};
    const telling = this.tables.filter(({leaves}) => leaves.length);
    for (const [table, flow, place] of this.found(telling, at)) for (const [path, from] of table.leaves)
      numbers[table.each ? path.replace("flows.0.", `flows.${flow}.`) : path] = Number(this.numbers[from + place]);
    for (const [path, number] of Object.entries(numbers)) {
      const flow = /^flows\.(\d+)\./.exec(path);
      if (number && (!flow || flow[1] < this.flows)) found[path] = this.values[number];
    }
    for (const path of Object.keys(found).filter(path => path.startsWith("bottleneck.")))
      for (let k = 1; k < (this.value(at, "links") || 1); k++) found[path.replace("bottleneck", `onward.${k - 1}`)] = found[path];
    return found;
  }

  mapping(at) { return grown(this.leaves(at)); }

  // All that a leaf may be.
  says(path) {
    const first = path.replace(/^flows\.\d+\./, "flows.0."), found = new Set([this.leaves(this.start)[path]]);
    for (const table of this.tables) for (const [own, from] of table.leaves) if (own === (table.each ? first : path)) {
      const count = table.axes.reduce((count, {size}) => count * size, 1);
      for (let k = 0; k < count; k++) found.add(this.values[Number(this.numbers[from + k])]);
    }
    const values = [...found].filter(value => value !== null && value !== undefined);
    return typeof values[0] === "number" ? values.sort((a, b) => a - b) : values;
  }

  // Why simcore refuses such a setting; undefined if it does not.
  refusal({at, fates}) {
    const kinds = Array.from({length: this.flows}, (_, k) => at[`kind_${k + 1}`]);
    for (const {at: wanted, fate, text} of this.refusals) {
      const flow = kinds.findIndex((kind, k) => (!fate || fates[k]?.[fate].length)
        && Object.entries(wanted).every(([name, position]) => (name === "kind_*" ? kind : at[name]) === position));
      if (flow >= 0) return text.replace("flows.0.", `flows.${flow}.`);
    }
    return undefined;
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
    this.families = new Map(said.families.map(family => [family.name, new Family(family, said)]));
    this.rows = {packets: 1 << 14, events: 1 << 16, updates: 1 << 14};
    const furthest = Math.max(...said.worlds.map(({end}) => end));
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
      const places = this.placed(family), mapping = family.mapping(at);
      if (this.last !== family.world) new Uint8Array(this.memory.buffer).fill(0, family.places, family.end);  // another layout's arrays
      this.last = family.world;
      family.compose(at, this.memory);
      this.fate(family, fates, mapping);
      const head = new BigInt64Array(this.memory.buffer, family.places);
      let k = 0;
      for (const {address} of places) head[k++] = BigInt(address);
      for (const {shape} of places) for (const length of shape) head[k++] = BigInt(length);
      const routes = this.routes(places);
      if (this.loop(family.places, family.places + 8 * places.length, MOST_EVENTS) === FINISHED)
        return {...this.told(places), mapping, routes, why: family.why};
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

  // By flow, of data and of ACKs: the first link, where they enter the row, where they leave it, the last.
  routes(places) {
    const array = name => places.find(each => each.name === name), {address, shape: [ways, length]} = array("paths");
    const ports = new BigInt64Array(this.memory.buffer, address, ways * length), view = new DataView(this.memory.buffer);
    const {size, fields} = this.said.types.flows;
    return Array.from({length: ways / 2}, (_, flow) => {
      const hop = name => view.getInt16(array("flows").address + flow * size + fields[name][1], true);
      const out = Array.from(ports.subarray(2 * flow * length, (2 * flow + 1) * length), Number).filter(port => port >= 0);
      const [entry, leaving] = [out[hop("entry_hop")], out[hop("leaving_hop")]];
      return {out: [out[0], entry, leaving, out.at(-1)], back: [out.at(-1) + 1, leaving + 1, entry + 1, out[0] + 1]};
    });
  }

  // The log and the totals, as columns.
  told(places) {
    const view = new DataView(this.memory.buffer), {types} = this.said;
    const place = name => places.find(array => array.name === name).address;
    const column = (name, field, rows) => {
      const [type, offset] = types[name].fields[field], {size} = types[name], found = new Float64Array(rows);
      READERS[type](view, place(name) + offset, size, found);
      return found;
    };
    const run = field => column("run", field, 1)[0], flows = places.find(array => array.name === "flows").shape[0];
    const all = (name, rows, fields) => Object.fromEntries(fields.map(field => [field, column(name, field, rows)]));
    return {
      packets: all("packets", run("uid"), ["flow", "bytes", "seq", "is_ack", "repeated"]),
      events: all("events", run("event"), ["s", "uid", "link", "kind"]),
      updates: all("updates", run("update"), ["s", "cwnd", "ssthresh", "inflation", "flow", "cause"]),
      totals: {
        ...all("flows", flows, ["sent", "dropped", "received_bytes"]),
        ...all("tcp", flows, ["fast_retransmits", "timeouts"]),
      },
    };
  }
}
