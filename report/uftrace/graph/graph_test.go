package graph

import (
	"bytes"
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

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
	return out.String()
}

// saved holds the options of the saved outputs, by name.
var saved = map[string]Options{
	"graph.txt":      {},
	"graph-main.txt": {Func: "main"},
	"graph-task.txt": {Task: true},
}

func TestSaved(t *testing.T) {
	uftracetest.CheckSaved(t, saved, func(t *testing.T, rec *uftrace.Recording, o Options, like19 bool) string {
		o.Like19 = like19
		return run(t, rec, o)
	})
}

func TestMade(t *testing.T) {
	uftracetest.CheckMade(t, "graph", func(t *testing.T, rec *uftrace.Recording,
		args []string) string {
		return run(t, rec, parse(t, args))
	})
}

// parse parses the options in the cases.
func parse(t *testing.T, args []string) Options {
	t.Helper()
	var o Options
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--color=yes":
			o.Color = color.New("\x1b")
		case "--task":
			o.Task = true
		case "--no-libcall":
			o.Play.Functions.NoLibcall = true
		case "--no-sched-preempt":
			o.Play.Events.NoSchedPreempt = true
		case "-f":
			i++
			o.Fields = args[i]
		case "-t":
			i++
			if args[i] != "1us" {
				t.Fatal("unknown time ", args[i])
			}
			o.Play.Limits.Time = 1000
		case "-r":
			i++
			o.Play.Scope.Range = rangeOf(t, args[i])
		case "-D":
			i++
			o.Play.Limits.Depth, _ = strconv.Atoi(args[i])
		case "-T":
			i++
			o.Play.Functions.Triggers = append(o.Play.Functions.Triggers, args[i])
		case "-F":
			i++
			o.Play.Functions.Filters = append(o.Play.Functions.Filters, args[i])
		default:
			o.Func = args[i]
		}
	}
	return o
}

// rangeOf reads a range such as 1.000000002~1.000000003. Its begin may be missing.
func rangeOf(t *testing.T, text string) (r callstack.Range) {
	t.Helper()
	from, to, _ := strings.Cut(text, "~")
	for bound, text := range map[*uint64]string{&r.From: cmp.Or(from, "0.0"), &r.To: to} {
		var s, ns uint64
		_, fraction, _ := strings.Cut(text, ".")
		if _, err := fmt.Sscanf((text + "000000000")[:len(text)+9-len(fraction)], "%d.%d", &s, &ns); err != nil {
			t.Fatal(text, err)
		}
		*bound = s*1e9 + ns
	}
	return r
}
