package summary

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
	"report.txt":            {},
	"report-all-fields.txt": {Fields: "all", Sort: "call,func"},
	"report-avg-self.txt":   {AvgSelf: true},
	"report-task.txt":       {Task: true},
	"report-F-main.txt":     {Play: play.Options{Filters: []string{"main"}}, Sort: "self"},
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
				if o.Args[0] != "report" {
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
		case "--no-event":
			o.Play.NoEvent = true
		case "--event-full":
			o.Play.EventFull = true
		case "-f":
			i++
			o.Fields = args[i]
		case "-s":
			i++
			o.Sort = args[i]
		case "-r":
			i++
			if args[i] != "0.0000045~0.0000085" {
				t.Fatal("unknown range ", args[i])
			}
			o.Play.Range = play.Range{From: 4500, To: 8500}
		default:
			t.Fatal("unknown option ", args[i])
		}
	}
	return o
}
