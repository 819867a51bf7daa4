// The server's data about the recording: the progress of reading, tracks and names.
import { state, changed, fit } from "./state.js";
import { forget } from "./windows.js";
import { plural } from "./format.js";

// get sends a request to the server. Paths are relative to the address of the page, which contains
// the token.
export async function get(path, parameters = {}, signal = undefined) {
  let answer;
  try {
    answer = await fetch(path + "?" + new URLSearchParams(parameters), { signal });
  } catch (error) {
    if (!signal?.aborted) report(new Error("The command has ended: start it again to go on."));
    throw error;
  }
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer;
}

// report shows an error in the header.
export function report(error) {
  if (!failure) failure = error.message;
  say(state.status);
}

let failure = "";

export const getJSON = async (path, parameters) => (await get(path, parameters)).json();

export let rates = { width: 1, counts: [] };

// poll follows the recording until it has been read.
export async function poll() {
  let last = null;
  for (let wait = 60; ; wait = Math.min(wait * 1.5, state.tracks.length > 5000 ? 3000 : 500)) {
    try {
      const status = await getJSON("status");
      const news = !last || status.items !== last.items || status.states !== last.states || status.done !== last.done;
      last = status;
      if (news) await refresh(status);
      say(status);
      if (status.done) return;
    } catch (error) {
      console.error(error);
      return;
    }
    await new Promise((done) => setTimeout(done, wait));
  }
}

// refresh reads the additions since the last call.
async function refresh(status) {
  const [tracks, names, causes, newRates] = await Promise.all(
    [getJSON("tracks"), getJSON("names", { from: state.names.length }), getJSON("causes", { from: state.causes.length }), getJSON("rates")]);
  state.status = status;
  state.tracks = tracks;
  state.byIndex = new Map(tracks.map((t) => [t.index, t]));
  state.names.push(...names);
  state.causes.push(...causes);
  rates = newRates;
  forget();
  if (state.fitted) fit();
  changed();
}

// say shows the state of the recording in the header.
function say(s) {
  const title = s.title.split("/").pop() || "tracec view";
  document.getElementById("title").textContent = title;
  document.getElementById("title").title = s.title;
  document.title = title + " – tracec view";
  const line = document.getElementById("progress");
  const parts = [plural(s.items, "item")];
  if (!s.done) parts.push(s.size ? "reading " + Math.floor((100 * s.read) / s.size) + " %" : "reading");
  if (s.losses) parts.push(plural(s.losses, "loss", "losses"));
  if (s.damage) parts.push(plural(s.damage, "damaged place"));
  if (s.left) parts.push(plural(s.left, "item") + " too many to be shown");
  for (const problem of [s.error, failure]) if (problem) parts.push(problem.trim());
  line.textContent = parts.join(" · ");
  line.title = line.textContent;
  line.toggleAttribute("data-bad", Boolean(s.error || failure || s.damage || s.left));
  const empty = document.getElementById("empty");
  empty.hidden = s.items > 0;
  empty.textContent = s.done ? "The recording has no events." : "Reading…";
}
