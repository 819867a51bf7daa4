// The times of lost events.
import { state, changed } from "./state.js";
import { getJSON } from "./recording.js";
import { level } from "./windows.js";

let known = null, asking = false;

// lossesIn returns the visible losses of a track or of its processor.
export function lossesIn(track) {
  if (!state.status.losses) return [];
  want();
  if (!known) return [];
  const processor = ["cpu", "interrupt", "unknown"].includes(track.kind);
  return known.list.filter((l) => (l.track === track.index || (processor && l.cpu === track.id)) && l.time >= state.from && l.time <= state.to);
}

async function want() {
  const key = [level(), Math.floor(state.from), Math.floor(state.to), state.status.losses].join();
  if (asking || known?.key === key) return;
  asking = true;
  try {
    known = { key, list: await getJSON("losses", { level: Math.min(level() + 2, 63), from: Math.floor(state.from), to: Math.ceil(state.to) }) };
    changed();
  } catch (error) {
    known = { key, list: [] };
    console.error(error);
  }
  asking = false;
}
