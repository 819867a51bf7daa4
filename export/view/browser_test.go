package view

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// show opens the page of a server in a new browser and waits until the page is complete.
func show(t *testing.T, s *Server) *browser {
	t.Helper()
	b := newBrowser(t)
	b.open("about:blank")
	b.logs("performance") // drops the messages for the browser's first page
	b.open(s.URL())
	b.whole()
	return b
}

// TestKeyboard walks through the page with keys alone.
func TestKeyboard(t *testing.T) {
	b := show(t, serve(t, extract))
	if at := b.text("document.activeElement.id"); at != "stage" {
		t.Fatalf("the focus is on %s", at)
	}
	length := func() string { return b.text("tracec.to - tracec.from") }
	whole := length()
	b.press("w", "w", "d", keyLeft)
	b.wait("tracec.to - tracec.from < " + whole + "/2")
	b.press("s", "s", "s", "s")
	b.wait("tracec.to - tracec.from >= " + whole)
	b.press("w", "f")
	b.wait("tracec.to - tracec.from == " + whole)

	// A track, an event of it, and the next ones.
	b.press(keyDown)
	b.press("G", keyDown, keyDown)
	b.wait(`document.querySelector(".row.focused")`)
	for range 40 {
		if b.text(`(document.querySelector(".row.focused .id") || {}).textContent`) != "" &&
			b.text(`document.querySelector(".row.focused.group")`) == "null" {
			break
		}
		b.press(keyDown)
		b.whole()
	}
	b.press(keyEnter)
	b.wait(`tracec.selected && document.querySelector("#event .text")`)
	b.whole()
	first := b.text("tracec.selected.lane + ' ' + tracec.selected.index")
	b.press(keyTab)
	b.wait("tracec.selected.lane + ' ' + (tracec.selected.index - 1) == '" + first + "'")
	b.press(keyShift, keyTab)
	b.wait("tracec.selected.lane + ' ' + tracec.selected.index == '" + first + "'")
	b.press("z")
	b.wait("tracec.to - tracec.from < " + whole)

	// The selected event becomes the range.
	b.press("m")
	b.wait(`tracec.range && tracec.range.from == tracec.selected.begin && document.querySelector("#range table, #range .hint")`)
	b.press(keyEscape)
	b.wait("!tracec.selected && tracec.range")
	b.press(keyEscape)
	b.wait(`!tracec.range && document.getElementById("panel").hidden`)

	// Search, and back in the timeline.
	b.press("/")
	b.wait(`document.activeElement.id == "pattern"`)
	b.write("sched_wakeup")
	b.press(keyEnter)
	b.wait(`document.activeElement.id == "stage" && tracec.selected && tracec.names[tracec.selected.name][0].includes("sched_wakeup")`)
	begin := b.text("tracec.selected.begin")
	b.press("n")
	b.wait("tracec.selected.begin > " + begin)
	b.press("N")
	b.wait("tracec.selected.begin == " + begin)
	if text := b.text(`document.getElementById("matches").textContent`); !strings.Contains(text, "match") {
		t.Errorf("matches: %q", text)
	}

	// A text that is in no name is searched in events. A text without any match is reported.
	b.press("/")
	b.write("prev_comm=bash")
	b.press(keyEnter)
	b.wait(`tracec.matches && tracec.matches.size == 0`)
	b.wait(`document.getElementById("matches").textContent == "no text matches from here on"`)

	// Rows, themes and help.
	b.press("p")
	b.wait(`tracec.pins.size == 1 && !document.getElementById("pinned").hidden`)
	b.press(" ")
	b.wait(`tracec.closed.size == 1`)
	b.press(" ", "p")
	b.wait(`tracec.pins.size == 0 && tracec.closed.size == 0`)
	theme := b.text("document.documentElement.dataset.theme")
	b.press("t")
	b.wait("document.documentElement.dataset.theme != '" + theme + "'")
	b.press("?")
	b.wait(`document.querySelector("dialog[open]")`)
	b.shoot("help")
	b.press(keyEscape)
	b.wait(`!document.querySelector("dialog[open]") && document.activeElement.id == "stage"`)

	// Without a selection, Tab goes through the controls and comes back.
	b.press(keyEscape, keyEscape, keyEscape)
	b.wait("!tracec.selected")
	seen := map[string]bool{}
	for range 30 {
		b.press(keyTab)
		at := b.text("document.activeElement.id || document.activeElement.tagName")
		if seen[at] = true; at == "stage" {
			break
		}
	}
	for _, id := range []string{"pattern", "previous", "next", "fit", "theme", "keys", "stage"} {
		if !seen[id] {
			t.Errorf("Tab does not come to %s: %v", id, seen)
		}
	}
	b.noErrors()
}

// TestFlameKeys walks through a flame graph, and makes the totals of a range a search.
func TestFlameKeys(t *testing.T) {
	b := show(t, serve(t, "../../testdata/uftrace/abc-full/data.tar.gz"))
	b.press("r")
	b.wait(`document.getElementById("flame") && document.querySelector("#range table")`)
	b.whole()
	b.run(`document.getElementById("flame").focus()`, nil)
	said := `document.querySelector("#range [aria-live]").textContent`
	b.wait(said + `.startsWith("all")`)
	b.press(keyDown)
	b.wait("!" + said + `.startsWith("all")`)
	b.press(keyDown, keyEnter, "\uE003", keyUp)
	b.run(`document.querySelector("#range td button").click()`, nil)
	b.wait(`tracec.selected && document.querySelector("#event .columns")`)
	b.noErrors()
}

// TestPlace: the address keeps the window, the range, the theme and the pinned item.
func TestPlace(t *testing.T) {
	s := serve(t, extract)
	b := show(t, s)
	b.press("w", "w", "r", "t", keyDown, keyDown, "p")
	b.wait(`location.hash.includes("pins=") && location.hash.includes("t=") && location.hash.includes("r=") && location.hash.includes("theme=")`)
	state := `[Math.round(tracec.from), Math.round(tracec.to), tracec.range.from, tracec.range.to, tracec.theme, [...tracec.pins]].join()`
	before := b.text(state)
	b.call(http.MethodPost, "/refresh", nil, nil)
	b.whole()
	if after := b.text(state); after != before {
		t.Errorf("%s after %s", after, before)
	}
	b.noErrors()
}

// noErrors fails the test if the browser has reported errors.
func (b *browser) noErrors() {
	b.t.Helper()
	for _, m := range b.logs("browser") {
		b.t.Errorf("the browser says: %s", m)
	}
}

// TestLoopbackOnly: the page requests only addresses below its own, and cannot request others.
func TestLoopbackOnly(t *testing.T) {
	s := serve(t, extract)
	b := show(t, s)
	b.press("w", "w", "r", keyDown, keyDown, keyDown, keyEnter)
	b.wait("tracec.selected")
	b.noErrors()
	requests := 0
	for _, m := range b.logs("performance") {
		if !strings.Contains(m, `"Network.requestWillBeSent"`) {
			continue
		}
		requests++
		_, url, _ := strings.Cut(m, `"request":{`)
		_, url, _ = strings.Cut(url, `"url":"`)
		if !strings.HasPrefix(url, s.URL()) {
			t.Errorf("a request: %.300s", m)
		}
	}
	if requests < 20 {
		t.Errorf("only %d requests are seen", requests)
	}
	other, asked := newTrap(t)
	b.run(`
		document.addEventListener("securitypolicyviolation", (e) => (window.refused = (window.refused || 0) + 1));
		fetch("`+other+`/fetch").catch(() => {});
		new Image().src = "`+other+`/image";
		const s = document.createElement("script"); s.src = "`+other+`/script"; document.body.append(s);
		const i = document.createElement("script"); i.textContent = "window.harmed = 1"; document.body.append(i);
		const f = document.createElement("iframe"); f.src = "`+other+`/frame"; document.body.append(f);
		const l = document.createElement("link"); l.rel = "stylesheet"; l.href = "`+other+`/style"; document.head.append(l);
		navigator.sendBeacon("`+other+`/beacon");
		try { new WebSocket("`+strings.Replace(other, "http", "ws", 1)+`/socket"); } catch {}`, nil)
	b.wait("window.refused >= 8 && !window.harmed")
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests left the page", n)
	}
}

// TestHostileNames: names of tracks, events and errors are always text.
func TestHostileNames(t *testing.T) {
	s := New(none, Options{Title: hostile[0]})
	hostileIndex(s)
	start(t, s)
	b := show(t, s)
	b.wait(`document.querySelectorAll(".row").length > 8`)
	b.press("r")
	b.wait(`document.querySelector("#range table")`)
	for range 4 {
		b.press(keyDown)
	}
	b.press(keyEnter)
	b.wait(`tracec.selected && document.querySelector("#event .bad")`)
	for range 12 {
		b.press(keyTab, "u", "i")
	}
	b.press("/")
	b.write("<img")
	b.press(keyEnter)
	b.wait(`tracec.matches && tracec.matches.size > 0`)
	b.whole()
	b.run(`document.getElementById("progress").click()`, nil)
	for name, want := range map[string]string{
		"window.harmed":           "undefined",
		"document.images.length":  "0",
		"document.scripts.length": "1",
		"document.querySelectorAll('svg, iframe, object, embed, [onerror], [onload], [style*=url]').length": "0",
		"document.title.startsWith('<img')":                                                                "true",
		"tracec.names.some(([n]) => n === '" + hostile[0] + "')":                                           "true",
		`[...document.querySelectorAll(".row .name")].some((e) => e.textContent.includes("a\\x00b\\xff"))`: "true",
	} {
		if got := b.text(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	b.shoot("hostile")
	b.noErrors()
}

// TestThemes: the page follows the system's scheme, and all text can be read in both.
func TestThemes(t *testing.T) {
	b := show(t, serve(t, extract))
	b.run(`import("./colors.js").then((m) => (window.colors = m))`, nil)
	b.wait("window.colors")
	for _, theme := range []string{"dark", "light"} {
		b.devtools("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": theme}}})
		b.wait(`document.documentElement.dataset.theme == "` + theme + `"`)
		b.run(contrasts, nil)
		if bad := b.text("window.bad.join('; ')"); bad != "" {
			t.Errorf("%s: contrast below 4.5: %s", theme, bad)
		}
		b.whole()
		b.shoot("theme-" + theme)
	}
	b.noErrors()
}

// contrasts lists the pairs of colours with a contrast below the requirement of WCAG 2.1 for text
// (1.4.3).
const contrasts = `
	const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const rgb = (c) => { canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); return canvas.getImageData(0, 0, 1, 1).data; };
	const light = (c) => { const [r, g, b] = [...rgb(c)].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
	const s = colors.style, pairs = [["text", s.text, s.back], ["text", s.text, s.raised], ["faint", s.faint, s.back], ["faint", s.faint, s.raised], ["faint", s.faint, s.group],
		["loss", s.loss, s.back], ["accent", s.accent, s.back]];
	tracec.names.forEach(([name], i) => { const c = colors.of(i); pairs.push([name, c.ink, c.fill[colors.shades - 1]], ["not " + name, s.faint, c.dim]); });
	window.bad = pairs.filter(([, a, b]) => contrast(a, b) < 4.5).map(([name, a, b]) => name + " " + contrast(a, b).toFixed(2));`

// TestLatency measures the time from a key to a picture. TRACEC_VIEW_TRACE names a large recording.
// The test asserts nothing.
func TestLatency(t *testing.T) {
	name := os.Getenv("TRACEC_VIEW_TRACE")
	if name == "" {
		name = extract
	}
	b := newBrowser(t)
	began := time.Now()
	s := serve(t, name)
	b.open(s.URL())
	b.wait("tracec.status.items > 0 && tracec.settled")
	t.Logf("first picture after %v", time.Since(began).Round(time.Millisecond))
	b.whole()
	t.Logf("whole recording after %v: %s items", time.Since(began).Round(time.Millisecond),
		b.text("tracec.status.items"))
	for _, key := range strings.Split("w w w w w w w w d d a d w w w w w w w a a d d A D s s s s W W W W s s s s s s s s s s s s f", " ") {
		b.press(key)
		b.whole()
	}
	for _, kind := range []string{"frames", "answers"} {
		list := "[...tracec.latency." + kind + "].sort((a, b) => a - b)"
		t.Logf("%s: %s, median %s ms, 95 %% %s ms, longest %s ms", kind, b.text(list+".length"),
			b.text(list+".at("+list+".length / 2).toFixed(1)"),
			b.text(list+".at("+list+".length * 0.95).toFixed(1)"), b.text(list+".at(-1).toFixed(1)"))
	}
}

// TestPages opens the page of every recording of testdata and selects an event.
func TestPages(t *testing.T) {
	b := newBrowser(t)
	for _, name := range recordings(t) {
		s := serve(t, name)
		b.open(s.URL())
		b.whole()
		b.press(keyDown, keyDown, "w", "w", keyEnter, "r")
		b.wait(`document.querySelector("#range table, #range .hint, #panel[hidden]")`)
		b.whole()
		b.run(`document.getElementById("tab-recording").click()`, nil)
		b.wait(`document.querySelector("#recording dl")`)
		for _, m := range b.logs("browser") {
			t.Errorf("%s: %s", name, m)
		}
	}
}

// TestEnded: the page reports the end of the command. It cannot read more data after that.
func TestEnded(t *testing.T) {
	s := New(none, Options{Title: "gone"})
	hostileIndex(s)
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()
	b := show(t, s)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	b.press("w", "w", "w", "w", "w", "w", "w", "w")
	b.wait(`document.getElementById("progress").textContent.includes("has ended")`)
}
