package summary

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

func run(t *testing.T, rec *uftrace.Recording, opts Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := Run(t.Context(), rec, opts, &out); err != nil {
		t.Fatal(err)
	}
	var parallel bytes.Buffer
	defer func(n int64) { sliceBytes = n }(sliceBytes)
	for _, sliceBytes = range []int64{64, 200, 1000, 0} {
		parallel.Reset()
		opts.Workers = 3
		if err := Run(t.Context(), rec, opts, &parallel); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(out.String(), parallel.String()); d != "" {
			t.Errorf("%d bytes a slice, options %+v (-1 +3 workers):\n%s", sliceBytes, opts, d)
		}
	}
	return out.String()
}

// saved holds the options of the saved outputs, by name.
var saved = map[string]Options{
	"report.txt":            {},
	"report-all-fields.txt": {Table: Table{Fields: "all", Sort: "call,func"}},
	"report-avg-self.txt":   {Table: Table{AvgSelf: true}},
	"report-task.txt":       {Task: true},
	"report-F-main.txt": {Play: callstack.Options{Functions: callstack.Functions{Filters: []string{"main"}}},
		Table: Table{Sort: "self"}},
}

func TestSaved(t *testing.T) {
	uftracetest.CheckSaved(t, saved, func(t *testing.T, rec *uftrace.Recording, o Options, like19 bool) string {
		o.Table.Like19 = like19
		// uftrace prints processor 0 if the recording has no processor (u-unknown-processors in
		// testdata/differences.md). No saved recording of 0.19 has schedule events.
		text := strings.ReplaceAll(run(t, rec, o), "      -         -         -      ",
			"      1      00000001     0      ")
		// Time off the processor has no size. uftrace repeats the size of the function before,
		// which is the stub of a library call in all saved recordings (u-schedule-size).
		return strings.ReplaceAll(text, "          -  linux:schedule", "         16  linux:schedule")
	})
}

func TestMade(t *testing.T) {
	uftracetest.CheckMade(t, "report", func(t *testing.T, rec *uftrace.Recording,
		args []string) string {
		return run(t, rec, parse(t, args))
	})
}

// ranges are the ranges in the cases.
var ranges = map[string]callstack.Range{
	"0.0000045~0.0000085": {From: 4500, To: 8500},
	"1us~7us":             {From: 1000, FromElapsed: true, To: 7000, ToElapsed: true},
}

// parse parses the options in the cases.
func parse(t *testing.T, args []string) Options {
	t.Helper()
	var o Options
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--color=yes":
			o.Table.Color = color.New("\x1b")
		case "--task":
			o.Task = true
		case "--no-event":
			o.Play.Events.None = true
		case "--event-full":
			o.Play.Events.Full = true
		case "-t":
			i++
			if args[i] != "1us" {
				t.Fatal("unknown time ", args[i])
			}
			o.Play.Limits.Time = 1000
		case "-Z":
			i++
			o.Play.Limits.Size, _ = strconv.ParseUint(args[i], 10, 64)
		case "-C":
			i++
			o.Play.Functions.Callers = append(o.Play.Functions.Callers, args[i])
		case "-T":
			i++
			o.Play.Functions.Triggers = append(o.Play.Functions.Triggers, args[i])
		case "-D":
			i++
			o.Play.Limits.Depth, _ = strconv.Atoi(args[i])
		case "-f":
			i++
			o.Table.Fields = args[i]
		case "-s":
			i++
			o.Table.Sort = args[i]
		case "-r":
			i++
			r, ok := ranges[args[i]]
			if !ok {
				t.Fatal("unknown range ", args[i])
			}
			o.Play.Scope.Range = r
		default:
			t.Fatal("unknown option ", args[i])
		}
	}
	return o
}
