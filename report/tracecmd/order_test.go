package tracecmd

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/report"
)

// TestFormatsInAnyOrder: the compiler rejects formats with lines in another order, while the
// container's reader finds name and id. Their events are printed nevertheless.
func TestFormatsInAnyOrder(t *testing.T) {
	m := tracefile.Machine{Word: 8}
	lines := strings.SplitAfter(tracefile.Format("sched_switch", 301), "\n")
	name := filepath.Join(t.TempDir(), "order.dat")
	for i := range len(lines) - 2 { // a format needs a name before the print fmt
		swapped := append([]string(nil), lines...)
		swapped[0], swapped[i] = swapped[i], swapped[0]
		f := &tracefile.File{
			Machine: m, Version: 6, PageSize: 4096, CPUs: 1,
			Systems: []tracefile.System{{Name: "sched", Formats: []string{strings.Join(swapped, "")}}},
			Buffers: []tracefile.Buffer{{CPUs: []tracefile.CPU{{Pages: m.NewPage(4096, 1000).Event(0,
				m.Payload(301, 7, 5)).Done()}}}},
		}
		if err := os.WriteFile(name, f.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, opts := range []*Options{{}, {Texts: Texts{Raw: true}}, {Texts: Texts{Plain: true}},
			{Latency: true, Wakeup: true}} {
			opts.Inputs = []Input{{Path: name}}
			var out bytes.Buffer
			err := Run(context.Background(), opts, &report.Job{Job: sources.Job{Warn: func(error) {}}, Out: &out})
			if err != nil && err != report.ErrDamaged {
				t.Errorf("line %d first: %v", i, err)
			}
			if !strings.Contains(out.String(), "sched_switch") {
				t.Errorf("line %d first, %+v: %q", i, opts, out.String())
			}
		}
	}
}
