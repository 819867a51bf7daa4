// Which tracks are shown, and in which order.
import { state, changed } from "./state.js";
import { find, panes, title } from "./layout.js";
import { focusRow, say } from "./items.js";
import { plural } from "./format.js";

const input = document.getElementById("filter"), select = document.getElementById("sort");

// orders are the ways to sort tracks, with what people read.
export const orders = { "": "by activity", cpu: "by time on CPU", name: "by name", pid: "by number" };

// filterTracks shows the tracks whose name or number contains one of the words of a text, which commas separate.
export function filterTracks(text) {
  state.filter = input.value = text;
  changed();
}

// hide hides the track that has the focus.
export function hide() {
  const [pane, row] = find(state.focus);
  if (!row?.track) return say("Go to a track first.");
  const next = pane.rows[pane.rows.indexOf(row) + 1] || pane.rows[pane.rows.indexOf(row) - 1];
  state.hidden.add(row.track.index);
  say(title(row.track) + " is hidden.");
  if (next) focusRow(next);
  changed();
}

// showHidden shows all that was hidden.
export function showHidden() {
  if (state.hidden.size) say(plural(state.hidden.size, "hidden track") + " shown again.");
  state.hidden.clear();
  changed();
}

// sortTracks sorts tracks in one of the orders, or in the next one.
export function sortTracks(order) {
  const keys = Object.keys(orders);
  state.sort = select.value = order ?? keys[(keys.indexOf(state.sort) + 1) % keys.length];
  say("sorted " + orders[state.sort]);
  changed();
}

export function listenTracks() {
  for (const [key, text] of Object.entries(orders)) select.append(new Option(text, key));
  select.value = state.sort;
  input.value = state.filter;
  input.addEventListener("input", () => filterTracks(input.value));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    const row = panes[1].rows.find((r) => r.track);
    document.getElementById("stage").focus();
    if (row) focusRow(row);
  });
  select.addEventListener("change", () => sortTracks(select.value));
}
