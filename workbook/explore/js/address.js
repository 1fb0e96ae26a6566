// A setting in an address: what links say is declared by workbook.explore.address.

// "#flows=2&rate_mbps=10&lost_1=3.7" of values by their names.
function linkOf(values) {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) words.set(name, Array.isArray(value) ? value.join(".") : value);
  return `#${words}`;
}

// The address of a notebook in JupyterLab. Its router drops all behind the path when it opens a notebook, and whenever
// another tab was in front; before a notebook has the focus it names the folder. What the browser was asked for stays in
// the navigation's entry, also of a reload.
class Address {
  constructor(model, root) {
    const asked = performance.getEntriesByType("navigation")[0]?.name;
    Object.assign(this, {model, root, loaded: URL.canParse(asked) ? new URL(asked) : location});
    const write = () => this.write(), ended = new AbortController(), until = {signal: ended.signal};
    const shown = new ResizeObserver(() => this.shown());
    model.on("change:words", write);
    shown.observe(root);
    window.addEventListener("hashchange", () => { if (this.isOurs(location)) this.follow(location.hash); }, until);
    window.navigation?.addEventListener("currententrychange", () => { if (!location.hash) this.write(); }, until);
    this.end = () => { model.off("change:words", write); shown.disconnect(); ended.abort(); };
  }

  isOurs({pathname}) {
    return decodeURIComponent(pathname).split("/").at(-1) === this.model.get("notebook");
  }

  // Of several explorers in a notebook, the first has the address.
  get isSeen() {
    return this.root.clientWidth > 0 && (this.root.closest(".jp-NotebookPanel") || document).querySelector(".bn-explore") === this.root;
  }

  // What was asked for is followed once: who runs the cell again begins with the cell's own case.
  shown() {
    const {dataset} = document.documentElement;
    if (!this.isSeen) return;
    if (!dataset.bnFollowed && this.isOurs(this.loaded)) { dataset.bnFollowed = "yes"; this.follow(this.loaded.hash); }
    else this.write();
  }

  // Show the setting of a link; other fragments are headings of the notebook.
  follow(hash) {
    const words = Object.fromEntries(new URLSearchParams(hash.slice(1)));
    if (!("flows" in words || "scenario" in words)) return this.write();
    this.write(hash);  // until the kernel has answered
    this.model.send({do: "follow", words});
  }

  write(hash = linkOf(this.model.get("words"))) {
    const {pathname} = location, isFolder = this.isOurs(this.loaded) && this.loaded.pathname.startsWith(`${pathname}/`);
    if (!this.isSeen || !(isFolder || this.isOurs(location))) return;
    history.replaceState(history.state, "", (isFolder ? this.loaded.pathname : pathname) + hash);
  }
}
