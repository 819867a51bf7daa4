package lttng

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/hostile"
	"github.com/tracec/tracec/runtime/record"
)

// TestFailingCalls lets each call to the file system fail, one at a time. All readable events are
// unchanged, and all unreadable parts are named.
func TestFailingCalls(t *testing.T) {
	set := setOf(map[string]*traceFiles{
		"a": numbered(t, Layout{Dialect: V26, WordSize: 8}, "ust", 1000, 30, 300),
		"b": numbered(t, Layout{Dialect: V22, WordSize: 8}, "cpu", 1010, 30, 300),
	})
	old := newOldTrace(t, Layout{Dialect: V08, WordSize: 4, Alignment: 4})
	old.load("fs", 7, 9)
	for i := range 20 {
		old.event("cpu", 9, 0, "f %s fd #4u%u", "name", i)
	}
	old.done(map[string]string{"eventdefs/fs.xml": fsXML})
	for name, f := range old.mem.files {
		set.files["old/"+name] = f
	}
	whole, all := map[string]int{}, allEvents(t, openMemory(t, set))
	for _, e := range all {
		whole[e]++
	}
	for _, short := range []bool{false, true} {
		for n := 0; ; n++ {
			dir := hostile.FailAt(set.files, n, short)
			rec, err := OpenFS(dir, "set")
			var events []string
			if err == nil {
				events = allEvents(t, rec)
			}
			what, failed := dir.Failed()
			if !failed {
				if n < 30 || err != nil {
					t.Errorf("%d calls; %v", n, err)
				}
				break
			}
			if err != nil {
				if !errors.Is(err, hostile.ErrCall) {
					t.Errorf("%s: %v", what, err)
				}
				continue
			}
			have := map[string]int{}
			for _, e := range events {
				if have[e]++; have[e] > whole[e] && !strings.Contains(e, " unknown ") {
					t.Errorf("%s: the event %s is not in the recording", what, e)
				}
			}
			named := slices.ContainsFunc(rec.Damage(), func(d *Damage) bool { return errors.Is(d, hostile.ErrCall) })
			if !named && len(events) != len(all) {
				t.Errorf("%s (short %v): %d events of %d, and no word of it: %v", what, short, len(events), len(all),
					rec.Damage())
			}
		}
	}
}

// allEvents reads all files to their ends. Errors of streams become damage, as in printed
// recordings.
func allEvents(t *testing.T, rec *Recording) (out []string) {
	t.Helper()
	for _, s := range rec.Streams(record.Options{}) {
		for {
			batch, err := s.Next()
			for i, e := range batch.Entries {
				name := "unknown "
				if e.Marker != nil {
					name = e.Marker.Name
				}
				out = append(out, fmt.Sprintf("%s %s %d %x", s.File().Path, name, batch.Records[i].Time,
					batch.Records[i].Data))
			}
			if err != nil {
				if d := (*Damage)(nil); errors.As(err, &d) {
					rec.note(s.File().Path, err)
				}
				break
			}
		}
	}
	return out
}
