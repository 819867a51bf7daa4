package view

import (
	"net/http"
	"strings"
	"testing"
)

// TestMarkers measures the time between two markers, by keys and with the mouse.
func TestMarkers(t *testing.T) {
	b := newBrowser(t)
	b.take("light", mutex, "sched-mutex")
	left, top, width, _ := b.place("#tracks canvas")
	_, ruler, _, _ := b.place("#ruler canvas")
	where := `document.getElementById("where").textContent`

	// At the pointer.
	b.pointer("", move(left+width/4, top+90))
	b.wait("tracec.pointer > 0")
	b.press("1")
	b.wait("tracec.markers[0] > 0")
	b.pointer("", move(left+width/2, top+90))
	b.press("2")
	b.wait(`tracec.markers[1] > tracec.markers[0] && ` + where + `.includes("B − A ")`)
	b.whole()
	b.shoot("markers-light")
	b.wait(`location.hash.includes("m=" + tracec.markers.join("_"))`)
	before := b.text("tracec.markers.join()")
	b.call(http.MethodPost, "/refresh", nil, nil)
	b.whole()
	if after := b.text("tracec.markers.join()"); after != before {
		t.Errorf("markers %s after %s", after, before)
	}

	// With the mouse: in the lanes, and by the flag.
	b.pointer("\uE00A", move(left+width/8, top+150), press(), release())
	b.wait("tracec.markers[0] < " + strings.Split(before, ",")[0])
	var at float64
	b.run(`return import("./draw.js").then(({ xOf }) => xOf(tracec.markers[1]))`, &at)
	b.pointer("", move(left+int(at)+6, ruler+6), press(), move(left+int(at)+60, ruler+6),
		move(left+int(at)+106, ruler+6), release())
	b.wait("tracec.markers[1] > " + strings.Split(before, ",")[1] + " && !tracec.range")

	// At an event: exactly at its begin and its end.
	b.press("/")
	b.write("sched_switch")
	b.press(keyEnter)
	b.wait("tracec.selected")
	b.press("1")
	b.wait("tracec.markers[0] == tracec.selected.begin")
	b.press(keyEscape)
	b.wait("!tracec.selected")
	b.press(keyEscape)
	b.wait("tracec.markers.every((m) => m === null)")
	b.noErrors()
}

// TestTracks filters, hides and sorts tracks with keys. The address keeps these settings.
func TestTracks(t *testing.T) {
	b := newBrowser(t)
	b.take("dark", mutex, "sched-mutex")
	rows := func() string {
		b.whole()
		return b.text(`[...document.querySelectorAll("#tracks .row:not(.group) .name")].map((e) => e.textContent).join()`)
	}
	b.press("e")
	b.wait(`document.activeElement.id == "filter"`)
	b.write("lock-, 4823")
	b.press(keyEnter)
	b.wait(`document.activeElement.id == "stage" && tracec.filter == "lock-, 4823"`)
	if got := rows(); got != "lock-0,lock-1,lock-2,lock-3,demo" {
		t.Errorf("rows %s", got)
	}
	b.press("h")
	b.wait("tracec.hidden.size == 1")
	if got := rows(); got != "lock-1,lock-2,lock-3,demo" {
		t.Errorf("rows %s", got)
	}
	b.press("y", "y")
	b.wait(`tracec.sort == "name"`)
	if got := rows(); got != "demo,lock-1,lock-2,lock-3" {
		t.Errorf("by name: rows %s", got)
	}
	b.shoot("tracks-dark")
	b.wait(`["filter=", "hidden=", "sort=name"].every((s) => location.hash.includes(s))`)
	b.call(http.MethodPost, "/refresh", nil, nil)
	b.whole()
	if got := rows(); got != "demo,lock-1,lock-2,lock-3" {
		t.Errorf("after reloading: rows %s", got)
	}
	b.press("H")
	b.wait("tracec.hidden.size == 0")
	b.press("y", "y", "y")
	b.wait(`tracec.sort == "cpu"`)
	var sorted bool
	b.whole()
	b.run(`return import("./layout.js").then(({ panes }) => panes[1].rows.filter((r) => r.track).every((r, i, all) => i == 0 || all[i - 1].track.ran >= r.track.ran))`, &sorted)
	if !sorted {
		t.Errorf("not sorted by time on CPU: %s", rows())
	}

	// A match makes its track visible again. The page reports a filter that no track passes.
	b.press("/")
	b.write("sched_process_fork")
	b.press(keyEnter)
	b.wait(`tracec.selected`)
	b.press(keyEscape, "e")
	b.write("nothing like this")
	b.wait(`document.querySelector("#tracks .row .name")?.textContent == "No track passes the filter"`)
	b.press(keyEscape)
	b.wait(`tracec.filter == "" && document.activeElement.id == "stage"`)

	// The name of a row stays in sight.
	b.run(`return import("./layout.js").then(({ panes }) => { panes[1].element.scrollTop = panes[1].rows.find((r) => r.track && r.height > 30).y + 10; })`, nil)
	b.whole()
	b.run(`window.above = (e) => e.getBoundingClientRect().top < document.getElementById("tracks").getBoundingClientRect().top`, nil)
	b.wait(`![...document.querySelectorAll("#tracks .row:not(.group) .name")].some(above)`)

	// The functions of a thread follow it in every order.
	b.run(`
		const track = (index, kind, id, items, ran) => ({ index, kind, id, items, ran, cpu: -1, process: -1, name: "t" + id % 2, depth: 1 });
		tracec.tracks = [track(0, "functions", 7, 900, 0), track(1, "thread", 7, 2, 5), track(2, "thread", 8, 500, 9), track(3, "functions", 8, 9000, 0)];
		return import("./layout.js").then(({ panes, arrange }) => { window.order = (sort) => {
			tracec.sort = sort;
			arrange();
			return panes[1].rows.filter((r) => r.track).map((r) => r.track.kind[0] + r.track.id).join();
		}; })`, nil)
	for sort, want := range map[string]string{"": "t8,f8,t7,f7", "cpu": "t8,f8,t7,f7", "name": "t8,f8,t7,f7",
		"pid": "t7,f7,t8,f8"} {
		if got := b.text("order('" + sort + "')"); got != want {
			t.Errorf("sorted by %q: %s, want %s", sort, got, want)
		}
	}
	b.noErrors()
}
