// How long the page takes from a key or a wheel to the picture, and to the picture in which nothing is missing.
import { state } from "./state.js";

let began = 0, framed = true;

// asked says that somebody has asked for another window.
export function asked(event) {
  const now = performance.now();
  began = event && event.timeStamp > 0 && event.timeStamp <= now ? event.timeStamp : now;
  framed = false;
}

// drawn says that a picture was drawn, and whether it is whole.
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
