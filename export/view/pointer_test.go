package view

import (
	"net/http"
	"strconv"
	"testing"
)

// action is an action of a pointer or a wheel at a place of the window.
type action = map[string]any

// pointer performs actions of the mouse, with a key held down if held is not empty.
func (b *browser) pointer(held string, actions ...action) {
	b.t.Helper()
	keys := []action{{"type": "pause"}}
	if held != "" {
		keys = []action{{"type": "keyDown", "value": held}}
	}
	all := append([]action{{"type": "pause"}}, actions...)
	kind, parameters := "pointer", action{"pointerType": "mouse"}
	if actions[0]["type"] == "scroll" {
		kind, parameters = "wheel", nil
	}
	device := action{"type": kind, "id": kind, "actions": all}
	if parameters != nil {
		device["parameters"] = parameters
	}
	b.call(http.MethodPost, "/actions", action{"actions": []any{action{"type": "key", "id": "held", "actions": keys},
		device}}, nil)
	b.call(http.MethodDelete, "/actions", nil, nil)
}

func move(x, y int) action { return action{"type": "pointerMove", "x": x, "y": y, "duration": 0} }
func press() action        { return action{"type": "pointerDown", "button": 0} }
func release() action      { return action{"type": "pointerUp", "button": 0} }

func (b *browser) click(x, y int) { b.pointer("", move(x, y), press(), release()) }

func (b *browser) wheel(held string, x, y, dx, dy int) {
	b.pointer(held, action{"type": "scroll", "x": x, "y": y, "deltaX": dx, "deltaY": dy, "duration": 0,
		"origin": "viewport"})
}

// place returns the position and size of an element in the window.
func (b *browser) place(selector string) (x, y, width, height int) {
	b.t.Helper()
	var p [4]float64
	b.run(`const r = document.querySelector("`+selector+
		`").getBoundingClientRect(); return [r.x, r.y, r.width, r.height]`, &p)
	return int(p[0]), int(p[1]), int(p[2]), int(p[3])
}

const keyControl = "\uE009"

// TestPointer moves, zooms and selects with the mouse.
func TestPointer(t *testing.T) {
	b := show(t, serve(t, "../../testdata/uftrace/abc-full/data.tar.gz"))
	left, top, width, _ := b.place("#tracks canvas")
	_, ruler, _, _ := b.place("#ruler canvas")
	_, overview, _, _ := b.place("#overview canvas")
	middle := left + width/2
	window := func() (from, to float64) {
		var w [2]float64
		b.run("return [tracec.from, tracec.to]", &w)
		return w[0], w[1]
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

	// The wheel zooms around the time at the pointer.
	from, to := window()
	b.wheel(keyControl, left+width/4, top+40, 0, -120)
	b.wait("tracec.to - tracec.from < " + number((to-from)*0.7))
	f, l := window()
	if at, was := f+(l-f)/4, from+(to-from)/4; at-was > (to-from)/100 || was-at > (to-from)/100 {
		t.Errorf("the time at the pointer goes from %v to %v", was, at)
	}
	b.wheel("", middle, ruler+5, 0, -120)
	b.wait("tracec.to - tracec.from < " + number((l-f)*0.7))
	b.whole()

	// Dragging moves the window with the pointer.
	from, to = window()
	b.pointer("", move(middle, top+200), press(), move(middle-50, top+200), move(middle-100, top+200), release())
	b.wait("tracec.from > " + number(from))
	f, _ = window()
	if moved, want := f-from, (to-from)*100/float64(width); moved < want*0.9 || moved > want*1.1 {
		t.Errorf("moved by %v, want %v", moved, want)
	}
	b.wheel(keyShift, middle, top+40, 0, 100)
	b.wait("tracec.from > " + number(f))
	b.pointer("", move(left+5, overview+10), press(), release())
	b.wait("tracec.from < " + number(from))

	// A click selects the span at the pointer, or nothing if there is no span.
	b.press("f")
	b.whole()
	var x, y float64
	b.run(`
		return import("./windows.js").then(async ({ entries }) => {
			const { panes } = await import("./layout.js"), { xOf } = await import("./draw.js");
			for (const r of panes[1].rows) for (const l of r.lanes || []) {
				const w = entries(l.id);
				const i = w.name.findIndex((n) => tracec.names[n][0] === "main");
				if (i >= 0) return xOf((w.begin[i] + w.end[i]) / 2);
			}
		})`, &x)
	b.run(`const { y } = document.querySelector("#tracks canvas").getBoundingClientRect(); return y`, &y)
	b.pointer("", move(left+int(x), int(y)+24+3+9))
	b.wait(`!document.getElementById("tip").hidden && document.getElementById("tip").textContent.startsWith("main")`)
	b.click(left+int(x), int(y)+24+3+9)
	b.wait(`tracec.selected && tracec.names[tracec.selected.name][0] == "main" && document.querySelector("#event article")`)
	b.click(left+width-3, int(y)+10)
	b.wait("!tracec.selected")

	// Ranges: in the ruler, and with shift.
	b.pointer("", move(left+100, ruler+10), press(), move(left+200, ruler+10), move(left+300, ruler+10), release())
	b.wait(`tracec.range && document.getElementById("flame")`)
	b.click(left+50, ruler+10)
	b.wait("!tracec.range")
	b.pointer(keyShift, move(left+400, top+60), press(), move(left+500, top+60), release())
	b.wait("tracec.range")

	// Labels, tabs and the splitter.
	b.run(`document.querySelector("#tracks .row:not(.group) .pin").click()`, nil)
	b.wait("tracec.pins.size == 1")
	b.run(`document.querySelector("#tracks .row.group .fold").click()`, nil)
	b.wait("tracec.closed.size == 1")
	b.run(`document.getElementById("tab-range").focus()`, nil)
	b.press(keyRight)
	b.wait(`document.activeElement.id == "tab-events" && document.querySelector("#events .rows .event")`)
	b.press(keyRight)
	b.wait(`document.activeElement.id == "tab-recording" && !document.getElementById("recording").hidden`)
	sx, sy, _, _ := b.place("#splitter")
	_, _, _, before := b.place("#panel")
	b.pointer("", move(sx+300, sy+2), press(), move(sx+300, sy-50), move(sx+300, sy-98), release())
	if _, _, _, after := b.place("#panel"); after < before+90 || after > before+110 {
		t.Errorf("the details are %d pixels high after %d", after, before)
	}
	b.run(`document.getElementById("splitter").focus()`, nil)
	b.press(keyDown, keyDown)
	if _, _, _, after := b.place("#panel"); after > before+70 {
		t.Errorf("the details are %d pixels high after %d", after, before)
	}
	b.noErrors()
}
