"""The player's page: HTML, style and script, with `__CONTENT__` where the scenes go."""

PAGE = r"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>The simulation, packet by packet</title>
<style>
  body { font: 14px "DejaVu Sans", Verdana, sans-serif; margin: 8px; color: #333; background: #fff; max-width: 900px }
  h1 { font-size: 16px; margin: 2px 0 6px }
  canvas { width: 100%; display: block }
  .controls { display: flex; gap: 8px; align-items: center; margin: 6px 0 }
  .controls input { flex: 1 }
  button, select { font: inherit }
  #clock { font-variant-numeric: tabular-nums; min-width: 8em; text-align: right }
  #said { color: #5c5c5c; min-height: 1.3em }
</style>
<h1></h1>
<div class="controls">
  <label>Scene <select id="scene"></select></label>
  <label>Speed <select id="speed">
    <option value="500">500 times slower</option><option value="200">200 times slower</option>
    <option value="50">50 times slower</option><option value="20">20 times slower</option>
    <option value="5">5 times slower</option><option value="1">as it was</option>
  </select></label>
</div>
<canvas id="network" width="1800" height="760" role="img" aria-label="packets on the links of the network"></canvas>
<canvas id="queue" width="1800" height="260" role="img" aria-label="packets waiting at the bottleneck"></canvas>
<div class="controls">
  <button id="play" title="space bar">Play</button>
  <button id="back" title="one packet's time back (left arrow)">&#9664;|</button>
  <button id="step" title="one packet's time on (right arrow)">|&#9654;</button>
  <input id="scrub" type="range" min="0" value="0" step="100" aria-label="time">
  <span id="clock"></span>
</div>
<div id="said"></div>
<script>
const content = __CONTENT__;
const PACKET_US = content.packet_us, FALL_US = 27 * PACKET_US, TALL = Math.min(28, 310 / content.room);
const by = id => document.getElementById(id);
const net = by("network").getContext("2d"), chart = by("queue").getContext("2d");
let scene, now = 0, playing = false, last = null;

function load(number) {
  const found = content.scenes[number];
  const packets = found.rows.map(([flow, ack, sent, access, wait, link, exit]) =>
    ({flow, ack, t: [sent, sent + access, sent + access + wait, sent + access + wait + link,
      sent + access + wait + link + exit], lost: access >= 0 && wait < 0, gone: access < 0}));
  const changes = [];
  for (const p of packets) if (!p.ack && !p.gone && !p.lost)
    changes.push([p.t[1], 1], [p.t[2], -1]);
  changes.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  let level = 0;
  const steps = changes.map(([when, step]) => [when, level += step]);
  const drops = packets.filter(p => p.lost && !p.ack).map(p => ({when: p.t[1], flow: p.flow}));
  scene = {...found, packets, steps, drops};
  by("scrub").max = found.length_us;
  seek(0);
}

function X(x) { return x * 180; }
function Y(y) { return 740 - y * 700; }

function disc(place, label, colour, square) {
  net.fillStyle = colour;
  net.beginPath();
  if (square) net.rect(X(place[0]) - 26, Y(place[1]) - 26, 52, 52); else net.arc(X(place[0]), Y(place[1]), 28, 0, 7);
  net.fill();
  net.fillStyle = "#fff"; net.font = "bold 26px sans-serif"; net.textAlign = "center"; net.textBaseline = "middle";
  net.fillText(label, X(place[0]), Y(place[1]));
}

function line(a, b, width, colour) {
  net.strokeStyle = colour; net.lineWidth = width;
  net.beginPath(); net.moveTo(X(a[0]), Y(a[1])); net.lineTo(X(b[0]), Y(b[1])); net.stroke();
}

function drawNetwork() {
  net.clearRect(0, 0, 1800, 760);
  const [left, right] = content.routers;
  line(left, right, 12, "#c9c9c9");
  for (const flow of content.flows) { line(flow.ends[0], left, 4, "#dcdcdc"); line(right, flow.ends[1], 4, "#dcdcdc"); }
  const waiting = [];
  for (const p of scene.packets) {
    if (p.t[0] > now) break;
    if (p.gone || p.t[0] < now - content.longest_us) continue;
    const ends = content.flows[p.flow].ends;
    const way = p.ack ? [ends[1], right, left, ends[0]] : [ends[0], left, right, ends[1]];
    const hop = now < p.t[1] ? [0, 0, 1] : p.lost ? null : now < p.t[2] ? null : now < p.t[3] ? [1, 2, 3]
      : now < p.t[4] ? [2, 3, 4] : null;
    if (!p.ack && !p.lost && now >= p.t[1] && now < p.t[2]) waiting.push(p);
    if (!hop) continue;
    const part = (now - p.t[hop[1]]) / (p.t[hop[2]] - p.t[hop[1]]), a = way[hop[0]], b = way[hop[0] + 1];
    const x = X(a[0] + part * (b[0] - a[0])), y = Y(a[1] + part * (b[1] - a[1])) + (p.ack ? 11 : -11);
    net.fillStyle = content.flows[p.flow].colour;
    if (p.ack) { net.beginPath(); net.arc(x, y, 5, 0, 7); net.fill(); } else net.fillRect(x - 9, y - 8, 18, 16);
  }
  drawBuffer(waiting.sort((a, b) => a.t[2] - b.t[2]), left);
  content.flows.forEach((flow, i) => {
    disc(flow.ends[0], flow.nodes[0], flow.colour); disc(flow.ends[1], flow.nodes[1], flow.colour);
    net.fillStyle = flow.colour; net.font = "26px sans-serif"; net.textAlign = "right";
    net.fillText(flow.name, X(flow.ends[0][0]) - 40, Y(flow.ends[0][1]));
  });
  disc(left, content.labels[0], "#444", true); disc(right, content.labels[1], "#444", true);
}

function drawBuffer(waiting, left) {
  const x = X(left[0]) - 17;
  for (let place = 0; place < content.room; place++) {
    const y = Y(left[1]) - 34 - TALL * (place + 1);
    net.strokeStyle = "#aaa"; net.lineWidth = 1.5; net.strokeRect(x, y, 34, 0.86 * TALL);
    if (place >= waiting.length) continue;
    net.fillStyle = content.flows[waiting[place].flow].colour; net.fillRect(x, y, 34, 0.86 * TALL);
  }
  for (const drop of scene.drops) {
    const age = (now - drop.when) / FALL_US;
    if (age < 0 || age > 1) continue;
    const cx = X(left[0]) - 40 - 110 * age, cy = Y(left[1]) - 22 - TALL * content.room + 420 * age * age;
    net.strokeStyle = content.drop; net.lineWidth = 6;
    net.fillStyle = content.flows[drop.flow].colour; net.fillRect(cx - 9, cy - 8, 18, 16);
    net.beginPath(); net.moveTo(cx - 15, cy - 15); net.lineTo(cx + 15, cy + 15);
    net.moveTo(cx + 15, cy - 15); net.lineTo(cx - 15, cy + 15); net.stroke();
  }
}

function drawQueue() {
  const width = 1700, height = 190, at = us => 80 + width * us / scene.length_us;
  const up = n => 225 - height * n / (content.room + 1);
  chart.clearRect(0, 0, 1800, 260);
  chart.font = "22px sans-serif"; chart.fillStyle = "#5c5c5c"; chart.textAlign = "left";
  chart.fillText("packets waiting; crosses: drops", 80, 20);
  chart.textAlign = "right"; chart.fillText(content.room, 68, up(content.room) + 8); chart.fillText("0", 68, up(0) + 8);
  chart.strokeStyle = "#8a8a8a"; chart.setLineDash([4, 6]); chart.lineWidth = 2;
  chart.beginPath(); chart.moveTo(80, up(content.room)); chart.lineTo(80 + width, up(content.room)); chart.stroke();
  chart.setLineDash([]);
  chart.fillStyle = "#9fb6cf"; chart.beginPath(); chart.moveTo(80, up(0));
  let level = 0;
  for (const [when, next] of scene.steps) {
    if (when > scene.length_us) break;
    if (when > 0) { chart.lineTo(at(when), up(level)); chart.lineTo(at(when), up(next)); }
    else chart.lineTo(80, up(next));
    level = next;
  }
  chart.lineTo(80 + width, up(level)); chart.lineTo(80 + width, up(0)); chart.fill();
  chart.strokeStyle = content.drop; chart.lineWidth = 3;
  for (const {when} of scene.drops) if (when >= 0 && when <= scene.length_us) {
    chart.beginPath(); chart.moveTo(at(when) - 6, 28); chart.lineTo(at(when) + 6, 40);
    chart.moveTo(at(when) + 6, 28); chart.lineTo(at(when) - 6, 40); chart.stroke();
  }
  chart.strokeStyle = "#111"; chart.lineWidth = 3;
  chart.beginPath(); chart.moveTo(at(now), 24); chart.lineTo(at(now), 240); chart.stroke();
}

function draw() {
  drawNetwork(); drawQueue();
  by("scrub").value = now;
  by("clock").textContent = (scene.from_s + now / 1e6).toFixed(5) + " s";
  const past = scene.drops.filter(drop => drop.when >= 0 && drop.when <= now).length;
  by("said").textContent = past + (past === 1 ? " packet" : " packets") + " dropped so far in this scene. " +
    "Squares are data, dots are ACKs; the column at " + content.labels[0] + " is the buffer, " +
    "the next packet to leave at its foot.";
}

function seek(us) { now = Math.max(0, Math.min(scene.length_us, us)); draw(); }
function toggle(on) {
  playing = on; last = null;
  by("play").textContent = on ? "Pause" : "Play";
  if (on) requestAnimationFrame(tick);
}

function tick(ms) {
  if (!playing) return;
  if (last !== null) seek(now + (ms - last) * 1000 / by("speed").value);
  last = ms;
  if (now >= scene.length_us) toggle(false); else requestAnimationFrame(tick);
}

document.querySelector("h1").textContent = content.title;
content.scenes.forEach((each, i) => by("scene").add(new Option(each.title, i)));
by("scene").onchange = () => { toggle(false); load(by("scene").value); };
by("play").onclick = () => { if (!playing && now >= scene.length_us) seek(0); toggle(!playing); };
by("back").onclick = () => { toggle(false); seek(now - PACKET_US); };
by("step").onclick = () => { toggle(false); seek(now + PACKET_US); };
by("scrub").oninput = () => { toggle(false); seek(Number(by("scrub").value)); };
document.onkeydown = event => {
  if (event.target.tagName === "SELECT" || event.target.tagName === "BUTTON" && event.key === " ") return;
  if (event.key === " ") { event.preventDefault(); by("play").click(); }
  if (event.target.id !== "scrub" && event.key === "ArrowLeft") by("back").click();
  if (event.target.id !== "scrub" && event.key === "ArrowRight") by("step").click();
};
by("speed").value = content.slower;
const asked = new URLSearchParams(location.hash.slice(1));
by("scene").value = asked.get("scene") || 0;
load(by("scene").value);
seek(1000 * (asked.get("ms") || 0));
</script>
</html>
"""
