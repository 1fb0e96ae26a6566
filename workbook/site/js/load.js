// What a page begins with: all other scripts, the engine and the tables are packed, which makes it half as long.

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

// The scripts become one of the page's own, which has `begin`.
async function load(engine, own) {
  const shared = exported(await unpacked(engine)), script = document.createElement("script");
  script.textContent = shared.script;
  document.head.append(script);
  begin(shared, exported(await unpacked(own)));
}
