package view

import (
	"strconv"
	"strings"
	"testing"
)

// TestEventList steps through the list of events, which follows the picture, and the picture
// follows the list.
func TestEventList(t *testing.T) {
	b := newBrowser(t)
	b.take("light", mutex, "sched-mutex")
	b.press("v")
	rows := `document.querySelectorAll("#events .rows .event").length`
	loaded := `document.querySelector("#events .rows .event") && ![...document.querySelectorAll("#events .rows .event span:nth-child(4)")].some((e) => e.textContent == "…")`
	b.wait(loaded + ` && document.activeElement.classList.contains("scroller")`)
	if b.text(rows+" < 40") != "true" {
		t.Errorf("%s rows are in the page", b.text(rows))
	}
	first := `document.querySelector("#events .rows .event")?.dataset.number`
	b.press("\uE010") // End
	b.wait(first + " > 1000")
	b.wait(loaded)
	at := `document.querySelector("#events .rows .at")?.dataset.number`
	b.press(keyUp, keyUp)
	b.wait(at + ` == String(tracec.status.events - 3)`)
	b.press(keyEnter)
	b.wait(`tracec.selected && document.querySelector("#events .rows .selected")`)
	b.whole()
	b.shoot("events-light")

	// The selection in the picture is selected in the list.
	b.run(`document.getElementById("stage").focus()`, nil)
	b.press("/")
	b.write("sched_process_fork")
	b.press(keyEnter)
	b.wait(`document.querySelector("#events .rows .at.selected") && document.querySelector("#events .rows .at span:nth-child(4)")?.textContent == "sched_process_fork"`)

	// The list contains the events of the range.
	b.press("r")
	b.wait(`document.querySelector("#events .hint")?.textContent.includes("of the range of")`)
	b.wait(rows + ` > 0 && ` + rows + ` < 30`)
	b.press(keyEscape, keyEscape)
	b.wait("!tracec.selected && !tracec.range")
	b.press("v")
	b.wait(loaded)
	b.run(`document.getElementById("stage").focus()`, nil)

	// Texts and fields: a search that matches no name, or begins with a quotation mark.
	matches := `document.getElementById("matches").textContent`
	for _, text := range []string{"prev_state=d", "\"comm=lock-2"} {
		b.press("f")
		b.run(`document.getElementById("pattern").select(); tracec.chosen = -1`, nil)
		b.write(text)
		b.press(keyEnter)
		b.wait(`tracec.chosen >= 0 && ` + matches + ` == "in a text" && document.activeElement.id == "stage"`)
		found := `(document.querySelector("#events .rows .at.selected")?.textContent ?? "").toLowerCase().includes(` +
			strconv.Quote(strings.Trim(text, "\"")) + `)`
		b.wait(found)
		number := b.text("tracec.chosen")
		b.press("n")
		b.wait("tracec.chosen > " + number + " && " + found)
		b.press("N")
		b.wait("tracec.chosen == " + number + " && " + found)
	}
	b.noErrors()
}
