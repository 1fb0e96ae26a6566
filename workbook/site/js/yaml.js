// Scenarios as YAML: written as simcore reads them, read as simcore writes them; of YAML only what they need.

function written(node, indent = "") {
  if (!node || typeof node !== "object") return ` ${JSON.stringify(node)}\n`;
  if (Array.isArray(node)) return node.length && typeof node[0] === "object"
    ? "\n" + node.map(item => `${indent}- ${written(item, indent + "  ").replace(/^\n\s*/, "")}`).join("")
    : ` ${JSON.stringify(node)}\n`;
  const lines = Object.entries(node).map(([name, value]) => `${indent}${name}:${written(value, indent + "  ")}`).join("");
  return indent ? `\n${lines}` : lines;
}

function parsed(text) {
  const lines = text.split(/\r?\n/).map((line, i) => ({at: i + 1, indent: line.search(/\S/), text: line.trim()}))
    .filter(({text}) => text && !text.startsWith("#") && text !== "---");
  if (lines[0]?.text.startsWith("{")) return JSON.parse(text);
  return block(lines, lines[0]?.indent ?? 0);
}

function block(lines, indent) {
  const isList = lines[0]?.text.startsWith("-"), found = isList ? [] : {};
  while (lines.length && lines[0].indent === indent && lines[0].text.startsWith("-") === isList) {
    const line = lines.shift();
    if (isList) {
      const rest = line.text.slice(1).trim();
      if (/^[\w.]+:(\s|$)/.test(rest)) {
        const inner = indent + line.text.indexOf(rest);
        lines.unshift({...line, indent: inner, text: rest});
        found.push(block(lines, inner));
      } else found.push(rest ? scalar(rest, line.at) : block(lines, lines[0].indent));
      continue;
    }
    const match = /^([\w.]+):\s*(.*)$/.exec(line.text);
    if (!match) throw new Error(`line ${line.at} is more YAML than this page reads`);
    const deeper = lines[0] && (lines[0].indent > indent || (lines[0].indent === indent && lines[0].text.startsWith("- ")));
    found[match[1]] = match[2] && !match[2].startsWith("#") ? scalar(match[2], line.at) : deeper ? block(lines, lines[0].indent) : null;
  }
  return found;
}

function scalar(text, at) {
  const plain = text.replace(/\s+#.*$/, "");
  if (/^[[{]/.test(plain)) return JSON.parse(plain.replace(/([{,]\s*)([\w.]+):/g, '$1"$2":').replace(/:\s*([A-Za-z][\w.-]*)/g,
    (whole, word) => ["true", "false", "null"].includes(word) ? whole : `: "${word}"`).replace(/([[,]\s*)([A-Za-z][\w.-]*)(?=\s*[,\]])/g, '$1"$2"'));
  if (/^[&*!|>]/.test(plain)) throw new Error(`line ${at} is more YAML than this page reads`);
  if (/^".*"$/.test(plain)) return JSON.parse(plain);
  if (/^'.*'$/.test(plain)) return plain.slice(1, -1).replaceAll("''", "'");
  if (plain === "true" || plain === "false") return plain === "true";
  if (plain === "null" || plain === "~") return null;
  return plain !== "" && !Number.isNaN(Number(plain)) ? Number(plain) : plain;
}
