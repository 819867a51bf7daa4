// Package replay prints a recording of uftrace as uftrace replay does (uftrace.md 2.1 to 2.4): the
// calls of all threads in time order, indented, with their durations.
package replay

import (
	"strings"

	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// Options are the options of uftrace replay. The zero value prints the default output of uftrace
// 0.13.
type Options struct {
	Play   callstack.Options
	Layout Layout
	Text   Text
	Style  values.Style // the version whose text is printed

	// Match reports whether a record is shown: a call with its end, or only its end. If nil, all
	// records are shown.
	Match func(*record.Record, *uftrace.Entry) bool
	// Workers is the number of goroutines that print lines. Up to 1, one does everything. The text
	// does not depend on it.
	Workers int
	// Limit ends the report after that many lines of events, and before the list of open calls. 0
	// means no limit. A limit requires that Workers is 1, and that Flat is not set.
	Limit int64
	Shown *bool // set if there is a step to print; may be nil
}

// Layout selects the lines and columns.
type Layout struct {
	Fields       string         // -f, see parseFields; if empty, the default
	NoMerge      bool           // --no-merge: print leaf functions in two lines
	Flat         bool           // --flat
	ColumnView   bool           // --column-view
	ColumnOffset int            // --column-offset; 0 means 8, a negative offset means none
	TaskNewline  bool           // --task-newline
	Color        *color.Palette // nil for no colours
}

// Text selects the text of calls.
type Text struct {
	NoComment  bool // --no-comment
	NoArgs     bool // --no-args
	LibName    bool // --libname
	SrcLine    bool // --srcline
	NoCallsite bool // --no-callsite
	// Name returns the name of a symbol. If nil, it is Symbol.Shown.
	Name func(*uftrace.Symbol) string
	// Paint colours the name of a function. If nil, names have no colour.
	Paint func(name string) string
}

// steps returns the kind of steps that the player returns. If Match may hide a call, its end needs
// a step of its own.
func (o *Options) steps() callstack.Steps {
	switch {
	case o.Layout.NoMerge:
		return callstack.Unmerged
	case o.Match != nil:
		return callstack.LookAhead
	}
	return callstack.Whole
}

// field is a column. Columns are printed in this order, regardless of -f.
type field uint8

const (
	duration field = iota
	tid
	address
	timestamp
	delta
	elapsed
	taskName
	module
)

var fieldNames = [...]string{"duration", "tid", "addr", "time", "delta", "elapsed", "task", "module"}

// headings of the fields. The heading of tid depends on the version (uftrace.md 2.1).
var headings = [...]string{
	" DURATION ", "   TID  ", "   ADDRESS  ", "     TIMESTAMP    ", " TIMEDELTA", "  ELAPSED ", "      TASK NAME",
	"     MODULE NAME",
}

// parseFields parses the text of -f. Without -f, a report with -r starts with the time.
func parseFields(text string, r callstack.Range) ([]field, error) {
	var times []field
	if r != (callstack.Range{}) {
		if r.FromElapsed || r.ToElapsed {
			times = []field{elapsed}
		} else {
			times = []field{timestamp}
		}
	}
	var wanted [len(fieldNames)]bool
	switch {
	case text == "":
		return append(times, duration, tid), nil
	case text == "none":
		return nil, nil
	case strings.HasPrefix(text, "+"):
		wanted[duration], wanted[tid] = true, true
		for _, f := range times {
			wanted[f] = true
		}
		text = text[1:]
	}
	if err := addFields(&wanted, text); err != nil {
		return nil, err
	}
	var fields []field
	for f, ok := range wanted {
		if ok {
			fields = append(fields, field(f))
		}
	}
	return fields, nil
}

// addFields adds the fields of a list. The word all selects every field, and ends the list.
func addFields(wanted *[len(fieldNames)]bool, list string) error {
next:
	for i, name := range strings.Split(list, ",") {
		if name == "all" && i == 0 {
			for f := range wanted {
				wanted[f] = true
			}
			return nil
		}
		for f, n := range fieldNames {
			if n == name {
				wanted[f] = true
				continue next
			}
		}
		return report.Usagef("unknown field name '%s'; possible fields are: %s", name, strings.Join(fieldNames[:], " "))
	}
	return nil
}
