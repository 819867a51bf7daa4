package view

import (
	"strconv"
	"testing"
)

const mutex = "../../testdata/tables/sched-mutex/sched-mutex.dat.zst"

// findState stores the middle of a wait that has a waker in window.at: the place of its lane in the
// window, in pixels.
const findState = `
	return Promise.all(["./windows.js", "./layout.js", "./draw.js"].map((m) => import(m))).then(([{ entries }, { panes }, { xOf }]) => {
		const top = document.querySelector("#tracks .content").getBoundingClientRect(), left = document.querySelector("#tracks canvas").getBoundingClientRect().x;
		for (const r of panes[1].visible()) for (const l of (r.lanes || []).filter((l) => l.states)) {
			const w = entries(l.id), i = w.name.findIndex((n, i) => {
				const c = tracec.causes[n], waker = panes[1].byTrack.get(c.waker);
				return w.count[i] === 1 && w.begin[i] > tracec.from && w.end[i] < tracec.to && c.wait === "woken" && waker && waker !== r && xOf(w.end[i]) - xOf(w.begin[i]) > 12;
			});
			if (i < 0) continue;
			window.at = { waker: tracec.causes[w.name[i]].waker, begin: w.begin[i], track: r.track.index, row: panes[1].byTrack.get(tracec.causes[w.name[i]].waker) };
			return [left + xOf((w.begin[i] + w.end[i]) / 2), top.y + r.y + l.y + 4, left + xOf(w.begin[i]), top.y + window.at.row.y + window.at.row.height / 2].map(Math.round);
		}
	})`

// TestStateLanes shows the states of threads and goes from a thread to its waker.
func TestStateLanes(t *testing.T) {
	b := newBrowser(t)
	for _, theme := range []string{"light", "dark"} {
		b.take(theme, mutex, "sched-mutex")
		b.wait("tracec.causes.length > 5 && tracec.tracks.some((t) => t.states)")
		b.shoot("states-" + theme)
		b.press("w", "w", "w", "w", "w", "w", "w", "w")
		b.whole()
		var at []int
		b.run(findState, &at)
		if len(at) != 4 {
			t.Fatal("no wait is seen")
		}
		b.pointer("", move(at[0], at[1]))
		tip := `document.getElementById("tip").textContent`
		b.wait(tip + `.startsWith("waits for a processor") && ` + tip + `.includes("because it was woken") && ` + tip +
			`.includes("woken by ")`)
		b.shoot("wakes-" + theme)

		// A click on the arrow goes to the waker.
		b.pointer("", move(at[2], at[3]))
		b.wait(tip + `.includes("click goes there")`)
		b.click(at[2], at[3])
		b.wait("tracec.selected && tracec.selected.track == window.at.waker && tracec.selected.begin == window.at.begin")

		// The keys do the same, from the selected state.
		b.press(keyEscape)
		b.wait("!tracec.selected")
		b.whole()
		if b.run(findState, &at); len(at) != 4 {
			t.Fatal("no wait is seen")
		}
		b.click(at[0], at[1])
		b.wait(`tracec.selected && tracec.selected.lane.endsWith(".s") && document.querySelector("#wakes button")`)
		b.whole()
		b.shoot("wakes-selected-" + theme)
		b.press("b")
		b.wait(`tracec.selected.lane.endsWith(".i") && tracec.selected.track == window.at.waker`)
		b.press("b") // on to the waker's waker, until it is unknown
		b.press(keyEscape, "f")

		// For an event, the state of its thread is shown.
		b.press("/")
		b.write("sched_stat_runtime")
		b.press(keyEnter)
		b.wait(`tracec.selected && tracec.selected.lane.endsWith(".i")`)
		for range 8 { // the state at the first event is unknown
			index := b.text("tracec.selected.lane + tracec.selected.index")
			b.press("n")
			b.wait("tracec.selected.lane + tracec.selected.index != '" + index + "'")
		}
		event := b.text("tracec.selected.begin")
		b.press("u")
		b.wait(`tracec.selected.lane.endsWith(".s") && tracec.selected.begin <= ` + event +
			` && tracec.selected.end >= ` + event)
		b.press(keyEscape)
		b.noErrors()
	}
}

// TestStateColours: the colours of states have the contrast to the background that WCAG 2.1
// requires of graphics (1.4.11). They also differ from each other for people who lack one type of
// cones.
func TestStateColours(t *testing.T) {
	b := show(t, serve(t, mutex))
	b.run(`import("./colors.js").then((m) => (window.colors = m))`, nil)
	b.wait("window.colors")
	for _, theme := range []string{"dark", "light"} {
		b.devtools("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": theme}}})
		b.wait(`document.documentElement.dataset.theme == "` + theme + `"`)
		b.run(apart, nil)
		if bad := b.text("window.bad.join('; ')"); bad != "" {
			t.Errorf("%s: %s", theme, bad)
		}
		least, err := strconv.ParseFloat(b.text("window.least"), 64)
		if err != nil || least < 18 {
			t.Errorf("%s: two colours differ by %v: %s", theme, least, b.text("window.pair"))
		}
		t.Logf("%s: the least difference is %.1f: %s", theme, least, b.text("window.pair"))
	}
	b.noErrors()
}

// apart compares colours as people who lack one type of cones see them: in linear RGB by the
// matrices of Machado, Oliveira and Fernandes (2009) for a severity of 1, and by the distance in
// CIELAB.
const apart = `
	const linear = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
	const light = (hex) => { const [r, g, b] = linear(hex); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const times = (m, v) => m.map((row) => Math.min(Math.max(row.reduce((s, x, i) => s + x * v[i], 0), 0), 1));
	const eyes = {
		all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
		protan: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
		deutan: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
		tritan: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
	};
	const lab = (rgb) => {
		const xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], rgb);
		const [x, y, z] = [xyz[0] / 0.9505, xyz[1], xyz[2] / 1.089].map((v) => (v > 0.008856 ? Math.cbrt(v) : 7.787 * v + 16 / 116));
		return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
	};
	const s = colors.style, kinds = Object.keys(colors.stateWords);
	window.bad = [];
	window.least = 1000;
	for (const k of kinds) {
		const [a, b] = [light(s[k]), light(s.back)].sort((x, y) => y - x), contrast = (a + 0.05) / (b + 0.05);
		if (contrast < 3) bad.push(k + " has a contrast of " + contrast.toFixed(2));
		for (const other of kinds) for (const eye in eyes) {
			if (other >= k) continue;
			const p = lab(times(eyes[eye], linear(s[k]))), q = lab(times(eyes[eye], linear(s[other])));
			const off = Math.hypot(...p.map((v, i) => v - q[i]));
			if (off < window.least) [window.least, window.pair] = [off, k + " and " + other + ", " + eye];
		}
	}`
