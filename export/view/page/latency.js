// Measures the time from a key or the wheel to the next picture, and to the complete picture.
import { state } from "./state.js";

let began = 0, framed = true;

// asked records a request for another window.
export function asked(event) {
  const now = performance.now();
  began = event && event.timeStamp > 0 && event.timeStamp <= now ? event.timeStamp : now;
  framed = false;
}

// drawn records a new picture. whole is set if it is complete.
export function drawn(whole) {
  if (!began) return;
  const now = performance.now(), { frames, answers } = state.latency;
  if (!framed) frames.push(now - began);
  framed = true;
  if (!whole) return;
  answers.push(now - began);
  began = 0;
  for (const list of [frames, answers]) if (list.length > 5000) list.splice(0, 1000);
  document.getElementById("latency").textContent = `picture ${last(frames)} ms, whole ${last(answers)} ms`;
}

const last = (list) => (list.length ? list[list.length - 1].toFixed(0) : "–");
