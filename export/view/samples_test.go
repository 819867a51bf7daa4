package view

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/perftest"
)

// serveSamples serves a recording of perf with the symbols of its machine.
func serveSamples(t *testing.T, name string) *Server {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"perf.data": name + ".data", "kallsyms": "kallsyms", "opt/demo/hot": "hot"}
	for file, in := range files {
		path := filepath.Join(dir, file)
		if err := errors.Join(
			os.MkdirAll(filepath.Dir(path), 0o777),
			os.WriteFile(path, perftest.File(t, "amd64-6.18", in), 0o666),
		); err != nil {
			t.Fatal(err)
		}
	}
	rec, err := tracec.Open(t.Context(), filepath.Join(dir, "perf.data"), tracec.WithSymfs(dir),
		tracec.WithKallsyms(filepath.Join(dir, "kallsyms")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return start(t, New(opener(rec), Options{Title: name}))
}

// askSamples returns the samples of cpu-clock.
func askSamples(t *testing.T, s *Server, from, to uint64, tracks string) (a samplesAnswer) {
	t.Helper()
	askJSON(t, s, fmt.Sprintf("samples?from=%d&to=%d&event=cpu-clock&tracks=%s", from, to, url.QueryEscape(tracks)), &a)
	return a
}

// TestSamples: the periods of functions equal perf report 6.1 (-F sample,period,sym --no-children).
// The ranges and threads of a recording add up to its totals.
func TestSamples(t *testing.T) {
	s := serveSamples(t, "clock-fp.p61")
	finished(t, s)
	length := s.index.now - s.index.base + 1
	all := askSamples(t, s, 0, length, "thread")
	if all.Samples != 74 || all.Root.Total != 49366214 || all.Unit != "nanoseconds" || all.Error != "" {
		t.Errorf("%d samples, %d %s, error %s", all.Samples, all.Root.Total, all.Unit, all.Error)
	}
	if s.index.base < 1128000000000 { // the base excludes records without a time
		t.Errorf("the picture begins at %d", s.index.base)
	}
	self := map[string]uint64{}
	for _, f := range all.Functions {
		if f.Self > 0 {
			self[all.Names[f.Name]] = f.Self
		}
	}
	want := map[string]uint64{
		"leaf": 44696437, "finish_task_switch.isra.0": 1334222,
		"_raw_spin_unlock_irqrestore": 667111, "exc_page_fault": 667111,
		"handle_softirqs": 667111, "xas_load": 667111, "ld-linux-x86-64.so.2+0x1489e": 667111,
	}
	if d := cmp.Diff(want, self); d != "" {
		t.Errorf("-perf report +view:\n%s", d)
	}
	middle := length / 2
	one, two := askSamples(t, s, 0, middle, "thread"), askSamples(t, s, middle, length, "thread")
	if one.Samples == 0 || two.Samples == 0 || one.Samples+two.Samples != all.Samples ||
		one.Root.Total+two.Root.Total != all.Root.Total {
		t.Errorf("%d and %d samples in two ranges", one.Samples, two.Samples)
	}
	threads := uint64(0)
	for i := range s.index.tracks {
		threads += askSamples(t, s, 0, length, fmt.Sprint(i)).Samples
	}
	if threads != all.Samples {
		t.Errorf("threads have %d samples", threads)
	}
	if none := askSamples(t, s, 5, 5, "thread"); none.Samples != 0 {
		t.Errorf("an empty range has %d samples", none.Samples)
	}
	if res, _ := ask(t, s, "samples?from=0&to=1&event=cycles&tracks=thread"); res.StatusCode != 400 {
		t.Errorf("an event that is not sampled: %s", res.Status)
	}
}

// TestSamplesPage: the page shows the samples of a range.
func TestSamplesPage(t *testing.T) {
	b := show(t, serveSamples(t, "clock-fp.p61"))
	b.press("r")
	b.wait(`document.getElementById("flame") && document.querySelector("#range table")`)
	said := `document.querySelector("#range [aria-live]").textContent`
	b.wait(said + `.startsWith("all · 49.366 ms")`)
	b.wait(`document.querySelector("#range table td").textContent == "leaf"`)
	b.run(`document.getElementById("flame").focus()`, nil)
	b.press(keyDown)
	b.wait("!" + said + `.startsWith("all")`)
	b.noErrors()
}
