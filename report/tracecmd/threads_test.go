package tracecmd

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/tracec/tracec/grammar/filter"
	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
)

// TestThreads: --pid and --comm select as many lines as trace-cmd 3.1.6 prints for them, and the
// same lines as its filter for them.
func TestThreads(t *testing.T) {
	for _, c := range []struct {
		pids, comms []string
		filter      string // the equivalent filter
		lines       int    // of trace-cmd report, with the heading
	}{
		{pids: []string{"758"}, filter: "758", lines: 641},
		{pids: []string{"758", "764"}, filter: "758", lines: 840},
		{comms: []string{"sh"}, lines: 695},
		{comms: []string{"head"}, pids: []string{"15"}, lines: 728},
	} {
		text := func(o Options) []byte {
			o.Inputs = []Input{{Path: filepath.Join(testdata, "amd64-syscalls.dat")}}
			var out bytes.Buffer
			job := &report.Job{Job: sources.Job{Path: o.Inputs[0].Path, Warn: func(err error) { t.Error(err) }},
				Out: &out}
			if err := job.Finish(Run(t.Context(), &o, job)); err != nil {
				t.Fatal(err)
			}
			return out.Bytes()
		}
		got := text(Options{Reference: true, Selection: Selection{PIDs: c.pids, Comms: c.comms}})
		if n := bytes.Count(got, []byte("\n")); n != c.lines {
			t.Errorf("%v %v: %d lines, trace-cmd has %d", c.pids, c.comms, n, c.lines)
		}
		if len(c.pids) != 1 || len(c.comms) > 0 {
			continue
		}
		f, err := filter.Parse(".*:(common_pid==" + c.filter + ")||(pid==" + c.filter + ")||(next_pid==" + c.filter +
			")")
		if err != nil {
			t.Fatal(err)
		}
		if want := text(Options{Reference: true, Selection: Selection{Filters: []Filter{{Filter: f}}}}); !bytes.Equal(got, want) {
			t.Errorf("%v: not the lines of the filter", c.pids)
		}
	}
}
