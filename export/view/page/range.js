// The contents of the range: its flame graph, totals by name, and the sums of derived tables.
import { state, changed } from "./state.js";
import { getJSON } from "./recording.js";
import { title, find } from "./layout.js";
import { count, length, mark, percent, plural } from "./format.js";
import { el, table } from "./elements.js";
import { FlameGraph } from "./flame.js";
import { search } from "./search.js";
import { showSums } from "./sums.js";
import { copyRange, options } from "./times.js";

let tracks = "", latest = 0;

// sample is the prefix of an event whose samples are shown. A selected thread comes before it.
const sample = "samples ";

// choices returns the tracks that can be selected: the existing kinds, the pinned tracks, and the
// focused track.
function choices() {
  const kinds = [["thread", "all threads"], ["functions", "kernel functions of all threads"], ["cpu", "all processors"], ["interrupt", "all interrupts"], ["unknown", "other events"]];
  const list = kinds.filter(([kind]) => state.tracks.some((t) => t.kind === kind));
  for (const event of state.status.samples) list.push([sample + event, "samples of " + event + ", all threads"]);
  if (state.pins.size) list.push([[...state.pins].join(), "pinned tracks"]);
  const track = find(state.focus)[1]?.track || (state.selected && state.byIndex.get(state.selected.track));
  if (!track) return list;
  const thread = track.kind === "thread", words = title(track) + (thread ? " (" + track.id + ")" : "");
  list.push([String(track.index), words]);
  if (thread) for (const event of state.status.samples) list.push([track.index + " " + sample + event, "samples of " + event + ", " + words]);
  return list;
}

// showFlames fills the tab.
export async function showFlames(part) {
  const mine = ++latest, { from, to } = state.range, list = choices();
  if (!list.some(([value]) => value === tracks)) tracks = list.length ? best(list) : "thread";
  const select = el("select", { "aria-label": "Tracks", onchange: (e) => { tracks = e.target.value; showFlames(part); } },
    ...list.map(([value, name]) => el("option", { value, ...(value === tracks ? { selected: "" } : {}) }, name)));
  const note = el("span", { class: "hint" }, "Reading…"), below = el("div"), beside = el("div", { id: "sums" });
  const as = el("code", { id: "options" }), copy = el("button", { type: "button", title: "Copy the range as options of other commands (o)", onclick: copyRange }, "Copy");
  const bar = el("div", { class: "bar", hidden: "" }, as, copy);
  const step = Math.max((to - from) / 1000, 1), words = length(to - from) + " from " + mark(from, step) + " to " + mark(to, step);
  part.replaceChildren(el("div", { class: "bar" }, el("label", {}, "Range of ", words, ", of "), select, note), bar, el("div", { class: "beside" }, below, beside));
  showSums(beside).catch((error) => console.error(error));
  options(state.range).then((text) => {
    if (mine !== latest) return;
    as.textContent = text;
    bar.hidden = !text;
  }, () => {});
  try {
    const range = { from: Math.floor(from), to: Math.ceil(to) };
    const at = tracks.indexOf(sample);
    if (at >= 0) {
      const answer = await getJSON("samples", { ...range, event: tracks.slice(at + sample.length), tracks: tracks.slice(0, at).trim() || "thread" });
      if (mine === latest) fillSamples(below, note, answer);
      changed();
      return;
    }
    const answer = await getJSON("flame", { ...range, tracks });
    if (mine !== latest) return;
    const notes = [plural(answer.tracks, "track")];
    if (answer.left) notes.push(plural(answer.left, "frame") + " too narrow to be seen");
    if (answer.missing) notes.push("some spans could not be kept: they are not in it");
    note.textContent = notes.join(" · ");
    fill(below, answer, to - from);
  } catch (error) {
    if (mine === latest) note.textContent = error.message;
  }
  changed();
}

// best returns a kind with spans.
function best(list) {
  for (const kind of ["functions", "thread", "cpu"]) {
    if (list.some(([value]) => value === kind) && state.tracks.some((t) => t.kind === kind && t.depth > 0)) return kind;
  }
  return state.status.samples.length ? sample + state.status.samples[0] : list[0][0];
}

const name = (n) => (state.names[n] || ["…"])[0];
const link = (n) => el("button", { type: "button", title: "Search for it", onclick: () => search(name(n)) }, name(n));

// flameOf returns the elements of a flame graph. It is drawn after they have been added to the
// page.
function flameOf(...shown) {
  const canvas = el("canvas", { id: "flame", tabindex: "0", role: "application", "aria-label": "Flame graph: arrows walk, Enter zooms in, Backspace out" });
  const said = el("p", { class: "hint", "aria-live": "polite" });
  queueMicrotask(() => new FlameGraph(canvas, said, ...shown).draw());
  return [canvas, said];
}

// fillSamples shows samples: their flame graph, and the sums of functions.
function fillSamples(below, note, answer) {
  const notes = [plural(answer.samples, "sample")], { names, functions } = answer;
  if (answer.left) notes.push(plural(answer.left, "frame") + " too narrow to be seen");
  if (answer.large) notes.push(plural(answer.large, "period") + " too large for the sum");
  if (answer.deeper) notes.push(plural(answer.deeper, "stack") + " only in part: there are too many");
  if (answer.error) notes.push(answer.error);
  note.textContent = notes.join(" · ");
  const worth = answer.unit === "nanoseconds" ? length : count, all = answer.root.total;
  const parts = answer.root.below ? flameOf(answer.root, names, worth) : [];
  if (functions.length) {
    parts.push(el("h3", {}, "Functions"), table(
      [["name"], ["samples", "number"], ["self", "number"], ["", "number"], ["total", "number"], ["", "number"]],
      functions.map((t) => [names[t.name], count(t.count), worth(t.self), percent(t.self, all), worth(t.total), percent(t.total, all)])));
    if (answer.more) parts.push(el("p", { class: "hint" }, plural(answer.more, "more name") + " with less."));
  }
  if (!parts.length) parts.push(el("p", { class: "hint" }, "No sample is there."));
  below.replaceChildren(...parts);
}

function fill(below, answer, whole) {
  const parts = [];
  if (answer.root.below) parts.push(...flameOf(answer.root));
  if (answer.spans.length) {
    const all = answer.root.total;
    parts.push(el("h3", {}, "Spans"), table(
      [["name"], ["count", "number"], ["self", "number"], ["", "number"], ["total", "number"], ["average", "number"], ["longest", "number"]],
      answer.spans.slice(0, 500).map((t) => [link(t.name), count(t.count), length(t.self), percent(t.self, all), length(t.total), length(Math.round(t.total / t.count)), length(t.longest)])));
    if (answer.spans.length > 500) parts.push(el("p", { class: "hint" }, plural(answer.spans.length - 500, "more name") + " with less time."));
  }
  if (answer.events.length) {
    parts.push(el("h3", {}, "Instants"), table([["name"], ["count", "number"], ["per second", "number"]],
      answer.events.slice(0, 500).map((t) => [link(t.name), count(t.count), state.status.ticks ? "" : count(Math.round((t.count * 1e9) / whole))])));
  }
  if (!parts.length) parts.push(el("p", { class: "hint" }, "Nothing happens there."));
  below.replaceChildren(...parts);
}
