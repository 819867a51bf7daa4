package view

import (
	"context"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/selection"
)

// timed returns the options of a server of a recording with the given time of its first event.
func timed(title string, form selection.TimeForm, first, origin uint64) Options {
	c := selection.Times{Form: form, Origin: origin}
	return Options{Title: title, First: first, Origin: origin, Window: func(from, to uint64) (recorded, since string) {
		return c.Bounds(from, to), c.BoundsSince(first, from, to)
	}}
}

// TestTimes shows times since the beginning and as recorded, and copies a range as options.
func TestTimes(t *testing.T) {
	rec, err := tracec.Open(context.Background(), extract)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	const first = 224_000_000_000 // before the shown part
	b := show(t, start(t, New(opener(rec), timed("trace.dat", selection.Microseconds, first, 0))))
	b.devtools("Browser.grantPermissions", map[string]any{"permissions": []string{"clipboardReadWrite",
		"clipboardSanitizedWrite"}})
	where := `document.getElementById("where").textContent`
	if text := b.text(where); strings.Contains(text, "-") {
		t.Errorf("the whole recording: %s", text)
	}
	b.run(`import("./format.js").then((m) => (window.format = m))`, nil)
	b.wait("window.format")
	zero := b.text(`String(BigInt(tracec.status.base) - 224000000000n)`)
	if got := b.text("tracec.status.zero"); got != zero {
		t.Errorf("the first item is %s after the first event, want %s", got, zero)
	}
	marks := `(() => { const f = window.format, l = f.ticks(tracec.from, tracec.to, 1000); return l.list.map((t) => f.mark(t, l.step)).join(" ") })()`
	if text := b.text(marks); !strings.Contains(text, "ms") && !strings.Contains(text, " s") {
		t.Errorf("since the beginning: %s", text)
	}
	b.press("c")
	b.wait(`tracec.recorded && document.getElementById("times").textContent .includes("times as recorded")`)
	b.whole()
	b.shoot("times-recorded")
	for _, text := range strings.Fields(b.text(marks)) {
		if !strings.HasPrefix(text, "224.") && !strings.HasPrefix(text, "225.") {
			t.Errorf("as recorded: %s", text)
		}
	}
	b.wait(where + `.includes("from 22")`)

	// The range as options, in both ways.
	b.press("w", "w", "r")
	b.wait(`tracec.range && document.getElementById("options") && document.getElementById("options").textContent.startsWith("--since 22")`)
	b.press("o")
	b.wait(`document.getElementById("told").textContent.startsWith("Copied: --since 22")`)
	copied := `navigator.clipboard.readText().then((t) => (window.copied = t))`
	b.run(copied, nil)
	b.wait(`window.copied == document.getElementById("options").textContent`)
	b.whole()
	b.shoot("times-range")
	b.run(`document.getElementById("times").click()`, nil)
	b.wait(`!tracec.recorded && document.getElementById("options") && document.getElementById("options").textContent.startsWith("--since +")`)
	b.run(`document.querySelector("#range .bar button").click()`, nil)
	b.wait(`document.getElementById("told").textContent.startsWith("Copied: --since +")`)
	b.run(copied, nil)
	b.wait(`window.copied.startsWith("--since +") && window.copied.includes("s --until +")`)
	b.press("c")
	b.wait(`location.hash.includes("times=recorded")`)
	b.noErrors()
}

// TestTipGoes: the tooltip disappears when the picture moves under the pointer.
func TestTipGoes(t *testing.T) {
	b := show(t, serve(t, "../../testdata/uftrace/abc-full/data.tar.gz"))
	left, y, width, _ := b.place("#tracks canvas")
	const hidden = `document.getElementById("tip").hidden`
	for _, key := range []string{"w", "s", "d", "f", " "} {
		b.press("f")
		b.whole()
		b.press("w") // away from the whole recording, to which f returns
		b.whole()
		for x := left + width/2; b.text(hidden) == "true" && x > left; x -= 7 {
			b.pointer("", move(x, y+24+3+9))
		}
		if b.text(hidden) == "true" {
			t.Fatal("nothing is under the pointer")
		}
		b.run(`tracec.focus = document.querySelector("#tracks .row.group").dataset.key`, nil)
		b.press(key)
		b.wait(hidden)
	}
	b.noErrors()
}
