// Light or dark: what the page around the widget looks like.

function luminance(colour) {
  const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
  return (0.299 * r + 0.587 * g + 0.114 * b) / 255;
}

function isDark(element) {
  const said = document.body.dataset.jpThemeLight;  // by JupyterLab, before its colours have changed
  if (said) return said === "false";
  for (let node = element; node; node = node.parentElement) {
    const colour = getComputedStyle(node).backgroundColor;
    if (!/rgba\(.*, 0\)|transparent/.test(colour)) return luminance(colour) < 0.5;
  }
  return false;
}

// A colour of the figures, made lighter where the background is dark.
function visible(colour, dark) {
  if (!dark) return colour;
  const parts = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
  return `rgb(${parts.map(part => Math.round(part + 0.45 * (255 - part))).join(",")})`;
}

function themeOf(element) {
  const dark = isDark(element);
  const [text, quiet, grid, named, area] = dark ? ["#e4e4e4", "#a9a9a9", "#ffffff1c", "#ffc247", "#7f9cc066"]
    : ["#222", "#666", "#00000014", "#b87900", "#9fb6cf99"];
  return {dark, text, quiet, grid, named, area, colour: name => visible(name, dark)};
}
