package graph

import (
	"bytes"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/fixture"
	"github.com/tracec/tracec/cmd/internal/report/uftrace/play"
	"github.com/tracec/tracec/runtime/uftrace"
)

func run(t *testing.T, rec *uftrace.Recording, opts Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Run(t.Context(), rec, opts, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The saved outputs by name.
var saved = map[string]Options{
	"graph.txt":      {},
	"graph-main.txt": {Func: "main"},
	"graph-task.txt": {Task: true},
}

func TestSaved(t *testing.T) {
	for _, name := range fixture.Saved(t) {
		t.Run(name, func(t *testing.T) {
			files := fixture.Files(t, name)
			for file, want := range fixture.Outputs(t, name) {
				opts, ok := saved[path.Base(file)]
				if !ok {
					continue
				}
				opts.Like19 = path.Dir(file) == "0.19"
				if d := cmp.Diff(want, run(t, fixture.Open(t, files), opts)); d != "" {
					t.Errorf("%s (-uftrace +ours):\n%s", file, d)
				}
			}
		})
	}
}

func TestMade(t *testing.T) {
	for _, c := range fixture.Cases(t) {
		t.Run(c.Name, func(t *testing.T) {
			for _, o := range c.Outputs {
				if o.Args[0] != "graph" {
					continue
				}
				if d := cmp.Diff(o.Text, run(t, fixture.Open(t, c.Files), parse(t, o.Args[1:]))); d != "" {
					t.Errorf("%s (-uftrace +ours):\n%s", strings.Join(o.Args, " "), d)
				}
			}
		})
	}
}

// parse understands the options that the cases use.
func parse(t *testing.T, args []string) Options {
	t.Helper()
	var o Options
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--task":
			o.Task = true
		case "--no-sched-preempt":
			o.Play.NoSchedPreempt = true
		case "-f":
			i++
			o.Fields = args[i]
		case "-t":
			i++
			if args[i] != "1us" {
				t.Fatal("unknown time ", args[i])
			}
			o.Play.Time = 1000
		case "-r":
			i++
			if args[i] != "~0.0000065" {
				t.Fatal("unknown range ", args[i])
			}
			o.Play.Range = play.Range{To: 6500}
		default:
			o.Func = args[i]
		}
	}
	return o
}
