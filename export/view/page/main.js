// The page of tracec view. Each module has one task, and state.js is their shared state. The server
// is only asked for visible data.
import { state, changed, onChange } from "./state.js";
import { poll } from "./recording.js";
import { arrange, panes } from "./layout.js";
import { draw } from "./draw.js";
import { listen } from "./input.js";
import { listenSearch } from "./search.js";
import { listenPanel } from "./panel.js";
import { listenTheme } from "./theme.js";
import { keepPlace, restorePlace } from "./place.js";
import { settled, wanted } from "./windows.js";
import { drawn } from "./latency.js";
import { listenTimes } from "./times.js";
import { listenTracks } from "./tracks.js";
import { renewTip, showTip } from "./tip.js";

let asked = false, shown = [];

// frame draws everything once before the browser shows the next picture.
function frame() {
  asked = false;
  arrange();
  for (const pane of panes) pane.place();
  draw();
  forgetTip();
  wanted();
  state.settled = settled();
  drawn(state.settled);
  keepPlace();
}

// forgetTip hides the tooltip after the picture has moved under the pointer.
function forgetTip() {
  const now = [state.from, state.to, ...panes.flatMap((p) => [p.rows, p.element.scrollTop, p.element.offsetTop])];
  if (now.every((v, i) => v === shown[i])) renewTip();
  else {
    showTip(null);
    state.hovered = null;
  }
  shown = now;
}

onChange(() => {
  if (asked) return;
  asked = true;
  requestAnimationFrame(frame);
});

listenTheme();
restorePlace();
listen();
listenSearch();
listenPanel();
listenTimes();
listenTracks();
new ResizeObserver(changed).observe(document.body);
document.getElementById("stage").focus();
poll();
changed();
window.tracec = state; // for tests
