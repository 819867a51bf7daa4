package export_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/export"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// filters are the filters in the cases.
var filters = map[string]callstack.Options{
	"":             {},
	"--no-libcall": {Functions: callstack.Functions{NoLibcall: true}},
	"-r ~2us":      {Scope: callstack.Scope{Range: callstack.Range{To: 2000, ToElapsed: true}}},
	"-r 1us~":      {Scope: callstack.Scope{Range: callstack.Range{From: 1000, FromElapsed: true}}},
	"-r 3us~":      {Scope: callstack.Scope{Range: callstack.Range{From: 3000, FromElapsed: true}}},
	"-r 1us~3us": {Scope: callstack.Scope{Range: callstack.Range{From: 1000, FromElapsed: true, To: 3000,
		ToElapsed: true}}},
	"-r 1.000003~":          {Scope: callstack.Scope{Range: callstack.Range{From: 1000003000}}},
	"-r 0.000003~0.0000045": {Scope: callstack.Scope{Range: callstack.Range{From: 3000, To: 4500}}},
	"-r 0.000003~0.0000085": {Scope: callstack.Scope{Range: callstack.Range{From: 3000, To: 8500}}},
	"-C f -r 5us~": {Scope: callstack.Scope{Range: callstack.Range{From: 5000, FromElapsed: true}},
		Functions: callstack.Functions{Callers: []string{"f"}}},
	"-T f@caller -r 1.000004000~1.000012000": {Scope: callstack.Scope{Range: callstack.Range{From: 1000004000,
		To: 1000012000}}, Functions: callstack.Functions{Triggers: []string{"f@caller"}}},
}

// recordedTime matches the line that depends on the modification time of the file info.
var recordedTime = regexp.MustCompile(`"recorded_time".*\n`)

func TestMade(t *testing.T) {
	for args, format := range map[string]export.Format{"--chrome": export.Chrome, "--flame-graph": export.Flame,
		"--graphviz": export.Graphviz} {
		uftracetest.CheckMade(t, "dump "+args, func(t *testing.T, rec *uftrace.Recording, args []string) string {
			opts := export.Options{Format: format}
			var ok bool
			if opts.Play, ok = filters[strings.Join(args, " ")]; !ok {
				t.Fatal("unknown options ", args)
			}
			var out bytes.Buffer
			if err := export.Run(t.Context(), rec, opts, &out); err != nil {
				t.Fatal(err)
			}
			return recordedTime.ReplaceAllString(out.String(), "")
		})
	}
}
