// A scenario's mapping as positions of the controls, or what they cannot say of it.

// The setting of a scenario's mapping, or the field that the family's controls cannot say: each control goes to where
// the least of the wanted fields are otherwise, and the least others are there, until none can do better.
function settingOf(family, wanted) {
  const fates = {}, flat = flattened(wanted), named = /^name$|_packets\.\d+$/;
  wanted.flows.forEach((flow, i) => {
    if (flow.lost_packets || flow.spared_packets) fates[i] = {lost: flow.lost_packets || [], spared: flow.spared_packets || []};
  });
  const differing = at => {
    const own = family.leaves(at), paths = new Set([...Object.keys(flat), ...Object.keys(own)]);
    return [...paths].filter(path => !named.test(path) && own[path] !== flat[path]);
  };
  const cost = paths => paths.reduce((sum, path) => sum + (path in flat ? 1e4 : 1), 0);
  let at = family.start, left = differing(at);
  for (let before = Infinity; left.length && cost(left) < before;) {
    before = cost(left);
    for (const {name, values} of family.controls) for (let k = 0; k < values.length; k++) {
      const paths = differing({...at, [name]: k});
      if (cost(paths) < cost(left)) [at, left] = [{...at, [name]: k}, paths];
    }
  }
  const [path] = left;
  if (path) return {problem: unsaid(path, flat[path], family.leaves(at)[path], family.says(path))};
  return {setting: {family: family.name, at, fates}, problem: family.refusal({at, fates})};
}

// The positions of a control: all names, of numbers the two next to the one that is wanted.
function offered(values, wanted) {
  if (typeof values[0] !== "number") return values.join(", ");
  return [values.findLast(value => value < wanted), values.find(value => value > wanted)].filter(value => value !== undefined).join(" and ");
}

// What this page cannot say of a field.
function unsaid(path, wanted, own, values) {
  if (wanted === undefined) return `${path} is missing; this page has ${own}`;
  const others = offered(values.filter(value => value !== wanted), wanted);
  return `${path}: ${wanted}: this page has ${others ? `only ${others}` : "no such field"}`;
}

function fateNames(flows) {
  return Array.from({length: flows}, (_, i) => [`lost_${i + 1}`, `spared_${i + 1}`]).flat();
}

function flattened(node, path = "", found = {}) {
  if (node && typeof node === "object") for (const [name, value] of Object.entries(node)) flattened(value, `${path}${name}.`, found);
  else found[path.slice(0, -1)] = node;
  return found;
}
