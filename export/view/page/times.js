// Times as shown: since the beginning or as recorded, and as options of other commands.
import { state, changed } from "./state.js";
import { getJSON } from "./recording.js";
import { renew } from "./panel.js";
import { say } from "./items.js";

const button = document.getElementById("times");

const words = () => (state.recorded ? "times as recorded" : "times since the beginning");

// applyTimes updates the page after a change of state.recorded.
export function applyTimes() {
  button.textContent = "⇄ " + words();
  button.setAttribute("aria-pressed", state.recorded);
  changed();
}

// turnTimes changes between the two ways.
export function turnTimes() {
  state.recorded = !state.recorded;
  applyTimes();
  renew();
  say(words());
}

// options returns the options with which other commands select a range. They have the form of the
// shown times.
export async function options({ from, to }) {
  const answer = await getJSON("options", { from: Math.floor(from), to: Math.ceil(to) });
  return state.recorded ? answer.recorded : answer.since;
}

// copyRange copies the options of the range or of the window.
export async function copyRange() {
  const { first, now } = state.status;
  const what = state.range || { from: Math.max(state.from, first), to: Math.max(Math.min(state.to, now + 1), first + 1) };
  try {
    const text = await options(what);
    await navigator.clipboard.writeText(text);
    tell("Copied: " + text);
  } catch (error) {
    tell("Not copied: " + error.message);
  }
}

const told = document.getElementById("told");
let timer = 0;

// tell shows a message for some seconds.
function tell(text) {
  clearTimeout(timer);
  told.textContent = text;
  say(text);
  timer = setTimeout(() => (told.textContent = ""), 6000);
}

export function listenTimes() {
  button.addEventListener("click", turnTimes);
  applyTimes();
}
