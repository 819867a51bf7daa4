package command

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/facts"
)

// viewPage is a running tracec view.
type viewPage struct {
	t   *testing.T
	url string
}

// viewOf runs tracec view until the test ends, and waits until all of the recording has been read.
func viewOf(t *testing.T, args ...string) *viewPage {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	cmd := newRoot()
	cmd.SetOut(w)
	cmd.SetErr(io.Discard)
	cmd.SetArgs(append([]string{"view", "--no-browser"}, args...))
	ended := make(chan error, 1)
	go func() {
		err := cmd.ExecuteContext(ctx)
		w.CloseWithError(io.EOF)
		ended <- err
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	v := &viewPage{t: t, url: strings.TrimSpace(line)}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		var status struct{ Done bool }
		if v.get("status", &status); status.Done {
			return v
		}
		if time.Now().After(deadline) {
			t.Fatal("it reads and reads")
		}
	}
}

// get sends a request to the server.
func (v *viewPage) get(path string, into any) {
	v.t.Helper()
	answer, err := http.Get(v.url + path)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		v.t.Fatalf("%s: %v\n%.300s", path, err, b)
	}
}

// instants counts the instants of the page in a range, by name.
func (v *viewPage) instants(from, to int64) map[string]int64 {
	v.t.Helper()
	var names [][2]string
	v.get("names?from=0", &names)
	all := map[string]int64{}
	for _, kind := range []string{"thread", "functions", "cpu", "interrupt", "unknown"} {
		var flame struct {
			Events []struct {
				Name  int
				Count int64
			}
		}
		v.get(fmt.Sprintf("flame?from=%d&to=%d&tracks=%s", from, to, kind), &flame)
		for _, e := range flame.Events {
			all[names[e.Name][0]] += e.Count
		}
	}
	return all
}

// counted returns the counts of stat, by name without system.
func (s *optionSystem) counted(t *testing.T, options string) map[string]int64 {
	t.Helper()
	_, out, errs := tracec(nil, slices.Concat([]string{"stat", "--json"}, strings.Fields(options), []string{s.file})...)
	var doc facts.Document[*report.Stat]
	if err := json.Unmarshal([]byte(out), &doc); err != nil || len(doc.Recordings) != 1 {
		t.Fatal(options, err, errs)
	}
	all := map[string]int64{}
	for _, b := range doc.Recordings[0].Buffers {
		for _, e := range b.ByEvent {
			all[e.Name] += e.Count
		}
	}
	return all
}

// TestViewRange checks that a range of the page, as options in both forms, gives the same counts in
// stat as on the page. This holds only for events that are instants, because others are ends of
// spans.
func TestViewRange(t *testing.T) {
	for _, s := range optionSystems() {
		if s.name == "uftrace" { // uftrace has no such events
			continue
		}
		t.Run(s.name, func(t *testing.T) {
			s.open(t)
			var status struct{ First, Now int64 }
			whole := viewOf(t, s.file)
			whole.get("status", &status)
			all, instants := s.counted(t, ""), whole.instants(status.First, status.Now+1)
			for name, n := range instants {
				if all[name] != n {
					delete(instants, name)
				}
			}
			if len(instants) < 3 {
				t.Fatalf("instants: %v", instants)
			}
			for _, window := range [][]string{nil, {"--since", s.times[len(s.times)/8]}, {"--last", "100us"}} {
				s.viewRanges(t, viewOf(t, append(window, s.file)...), instants)
			}
		})
	}
}

// viewRanges compares some ranges of a page whose events are instants.
func (s *optionSystem) viewRanges(t *testing.T, v *viewPage, instants map[string]int64) {
	var status struct{ First, Now int64 }
	v.get("status", &status)
	whole := status.Now - status.First
	for _, part := range [][2]int64{
		{0, whole + 1}, {whole / 3, 2 * whole / 3}, {whole / 7, whole/7 + 1_000_001}, {whole / 2, whole + 1}, {0, 1},
		{whole, whole + 1},
	} {
		from, to := status.First+part[0], status.First+part[1]
		var options struct{ Recorded, Since string }
		v.get(fmt.Sprintf("options?from=%d&to=%d", from, to), &options)
		page := v.instants(from, to)
		for _, text := range []string{options.Recorded, options.Since} {
			stat := s.counted(t, text)
			for name := range instants {
				if page[name] != stat[name] {
					t.Errorf("%s: %d of %s are shown, %d counted", text, page[name], name, stat[name])
				}
			}
		}
	}
}
