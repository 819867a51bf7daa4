package trcrpt

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/sources"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/aix"
)

// FuzzReport prints any recording with any templates in any form of report. It must not panic.
// Every line but the last has an end, no line ends in a blank, and errors are reported.
func FuzzReport(f *testing.F) {
	f.Add(benchStream(9, false), benchTemplates, "exec=on,pid=on,2line=on", false)
	f.Add(benchStream(9, true), "100 1.0 L=0 \"\\t\" LOOP $D1 { \\n \\t X1 }\n", "pagesize=3,timestamp=2,hist=off",
		false)
	f.Add(benchStream(9, true), "007 1.0 \"@x\" $ERROR $SKIP", "hist=on", false)
	f.Add(benchStream(9, false), "", "ids=off", true)
	f.Fuzz(func(t *testing.T, data []byte, templates, opts string, raw bool) {
		o := Options{Inputs: []string{"-"}, Templates: templateFile(t, templates), Raw: raw}
		if o.Set(opts) != nil {
			return
		}
		told := 0
		var out bytes.Buffer
		job := &report.Job{Job: sources.Job{Path: "-", Stdin: bytes.NewReader(data), Warn: func(error) { told++ }},
			Out: &out}
		err := Run(context.Background(), &o, job)
		var usage *report.UsageError
		switch {
		case errors.As(err, &usage), errors.Is(err, aix.ErrFormat), errors.Is(err, aix.ErrTruncated):
			return
		case errors.Is(err, report.ErrDamaged) && told == 0:
			t.Error("damaged, but nobody knows why")
		case err == nil && told > 3: // nothing matches, columns are empty, macros are 0
			t.Error("told, but all is well")
		}
		if raw || out.Len() == 0 {
			return
		}
		text := out.String()
		if !strings.HasSuffix(text, "\n") || strings.Contains(text, " \n") {
			t.Errorf("blanks at ends of lines, or no end:\n%q", text)
		}
	})
}
