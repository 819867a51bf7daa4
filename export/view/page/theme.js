// Light and dark theme: of the system, or selected by the user.
import { state, changed } from "./state.js";
import { readStyle } from "./colors.js";

const system = matchMedia("(prefers-color-scheme: dark)");

export function apply() {
  const theme = state.theme || (system.matches ? "dark" : "light");
  document.documentElement.dataset.theme = theme;
  document.getElementById("theme").textContent = state.theme ? (theme === "dark" ? "Dark" : "Light") : "Auto";
  readStyle();
  changed();
}

// turn selects the next theme: the other one, then the system's current one by choice, then the
// system's.
export function turn() {
  const own = system.matches ? "dark" : "light", other = system.matches ? "light" : "dark";
  state.theme = !state.theme ? other : state.theme === other ? own : undefined;
  apply();
}

export function listenTheme() {
  system.addEventListener("change", apply);
  document.getElementById("theme").addEventListener("click", turn);
  apply();
}
