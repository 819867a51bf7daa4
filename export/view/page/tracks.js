// Selecting and sorting the shown tracks.
import { state, changed } from "./state.js";
import { find, panes, title } from "./layout.js";
import { focusRow, say } from "./items.js";
import { plural } from "./format.js";

const input = document.getElementById("filter"), select = document.getElementById("sort");

// orders are the ways to sort tracks, with their names.
export const orders = { "": "by activity", cpu: "by time on CPU", name: "by name", pid: "by number" };

// filterTracks shows the tracks whose name or number matches one of the comma-separated words of a
// text.
export function filterTracks(text) {
  state.filter = input.value = text;
  changed();
}

// hide hides the focused track.
export function hide() {
  const [pane, row] = find(state.focus);
  if (!row?.track) return say("Go to a track first.");
  const next = pane.rows[pane.rows.indexOf(row) + 1] || pane.rows[pane.rows.indexOf(row) - 1];
  state.hidden.add(row.track.index);
  say(title(row.track) + " is hidden.");
  if (next) focusRow(next);
  changed();
}

// showHidden shows all hidden tracks.
export function showHidden() {
  if (state.hidden.size) say(plural(state.hidden.size, "hidden track") + " shown again.");
  state.hidden.clear();
  changed();
}

// sortTracks sorts tracks in the given order, or in the next one.
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
