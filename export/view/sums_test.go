package view

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
)

// TestSums: the sums of a range equal those of the table in the same window.
func TestSums(t *testing.T) {
	s := serve(t, mutex)
	finished(t, s)
	var offered []struct {
		Name string
		By   []string
	}
	askJSON(t, s, "tables", &offered)
	rec, err := tracec.Open(context.Background(), mutex)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	base := s.index.base
	from, to := (s.index.now-base)/4, (s.index.now-base)*3/4
	groups := 0
	for _, table := range offered {
		for _, by := range table.By {
			w := s.walk(t.Context(), base+from, base+to)
			finish, err := sums.Add(w, tables.Named(table.Name), sums.Options{By: strings.Split(by, ",")})
			if err != nil || w.Run(t.Context()) != nil {
				t.Fatal(table, err)
			}
			want := finish()
			var got struct {
				Groups []sumAnswer
				All    sumAnswer
			}
			askJSON(t, s, fmt.Sprintf("sums?table=%s&by=%s&from=%d&to=%d", table.Name, by, from, to), &got)
			if len(got.Groups) != len(want.Groups) || got.All.Total != want.All.Total ||
				got.All.Count != want.All.Count() {
				t.Errorf("%s by %s: %+v, want %+v", table.Name, by, got.All, want.All)
			}
			groups += len(got.Groups)
		}
	}
	if len(offered) < 3 || groups < 50 {
		t.Errorf("%d tables with %d groups", len(offered), groups)
	}
}

// TestSumsBeside opens the sums of a range and goes to the longest wait of a thread.
func TestSumsBeside(t *testing.T) {
	b := newBrowser(t)
	for _, theme := range []string{"light", "dark"} {
		b.take(theme, mutex, "sched-mutex")
		b.press("r")
		b.wait(`document.querySelectorAll("#sums tbody tr").length > 5`)
		b.whole()
		b.shoot("sums-" + theme)
		for what, expression := range map[string]string{
			"the sums leave the flame graph what their table does not need": `document.getElementById("sums").offsetWidth < Math.max(document.querySelector("#sums table").offsetWidth, 600) + 20`,
			"reasons are words": `![...document.querySelectorAll("#sums p.hint")].some((e) => e.textContent.includes("_"))`,
		} {
			if b.text(expression) != "true" {
				t.Errorf("not so: %s", what)
			}
		}
		b.run(`document.querySelector("#sums td button").click()`, nil)
		b.wait(`tracec.markers[1] > tracec.markers[0] && tracec.focus.startsWith("track ")`)
		b.run(`const s = document.querySelector("#sums select"); s.value = "wakeups"; s.dispatchEvent(new Event("change"))`, nil)
		b.wait(`document.querySelectorAll("#sums tbody tr").length > 5 && document.querySelector("#sums .hint").textContent != "Reading…"`)
		b.whole()
		b.shoot("sums-wakeups-" + theme)
		b.noErrors()
	}
}
