package perf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/runtime/perf"
)

// Fields are the parts of a line.
type Fields uint32

// The parts of lines, by the names of perf script -F.
const (
	FieldComm Fields = 1 << iota
	FieldPID
	FieldTID
	FieldCPU
	FieldTime
	FieldPeriod
	FieldEvent
	FieldTrace
	FieldIP
	FieldSym
	FieldSymOff
	FieldDSO
	FieldAddr
	FieldWeight
)

// fieldNames are the names of fields, and what a sample must have for them.
var fieldNames = []struct {
	name  string
	field Fields
	needs perf.SampleType
}{
	{"comm", FieldComm, perf.HasTID},
	{"pid", FieldPID, perf.HasTID},
	{"tid", FieldTID, perf.HasTID},
	{"cpu", FieldCPU, perf.HasCPU},
	{"time", FieldTime, perf.HasTime},
	{"period", FieldPeriod, 0},
	{"event", FieldEvent, 0},
	{"trace", FieldTrace, perf.HasRaw},
	{"ip", FieldIP, perf.HasIP},
	{"sym", FieldSym, perf.HasIP},
	{"symoff", FieldSymOff, perf.HasIP},
	{"dso", FieldDSO, perf.HasIP},
	{"addr", FieldAddr, perf.HasAddr},
	{"weight", FieldWeight, perf.HasWeight | perf.HasWeightStruct},
}

// kinds are what lists of fields may be for.
var kinds = []string{"hw", "sw", "trace", "raw"}

// kindOf returns the kind of an attribute.
func kindOf(a *perf.Attr) string {
	switch a.Type {
	case perf.Software:
		return "sw"
	case perf.Tracepoint:
		return "trace"
	case perf.RawPMU:
		return "raw"
	}
	return "hw"
}

const where = FieldIP | FieldSym | FieldSymOff | FieldDSO

// defaultFields are those of a line without -F (perf.md 10).
func defaultFields(e *perf.Event, pipe bool) Fields {
	t := e.Attr.SampleType
	if e.Attr.Type != perf.Tracepoint {
		f := FieldComm | FieldTID | FieldTime | FieldPeriod | FieldEvent | where
		if t&perf.HasCPU != 0 {
			f |= FieldCPU
		}
		if e.Attr.Type == perf.RawPMU {
			f |= FieldAddr | FieldWeight
		}
		return f
	}
	f := FieldComm | FieldTID | FieldCPU | FieldTime | FieldEvent | FieldTrace
	if t&perf.HasCallchain != 0 {
		f |= where
		if pipe {
			f &^= FieldSymOff | FieldDSO
		}
	}
	return f
}

// change is one option -F: fields that replace the default of a kind, or that are added to or taken
// from it.
type change struct {
	kind     string // "" is all
	set      Fields
	add, sub Fields
	replaces bool
	named    Fields // all that were named
}

// ParseFields reads the argument of -F, such as comm,tid or +sym,-dso. The name of a kind and a
// colon may come before it.
func ParseFields(text string) (c change, err error) {
	if kind, rest, ok := strings.Cut(text, ":"); ok {
		if !slices.Contains(kinds, kind) {
			return c, fmt.Errorf("%q is no kind of events; want %s", kind, strings.Join(kinds, ", "))
		}
		c.kind, text = kind, rest
	}
	for word := range strings.SplitSeq(text, ",") {
		name := strings.TrimLeft(word, "+-")
		f, err := fieldNamed(name)
		switch {
		case err != nil:
			return c, err
		case strings.HasPrefix(word, "+"):
			c.add |= f
		case strings.HasPrefix(word, "-"):
			c.sub |= f
			continue
		default:
			c.set, c.replaces = c.set|f, true
		}
		c.named |= f
	}
	if c.replaces && c.add|c.sub != 0 {
		return c, fmt.Errorf("%q has names with and without + or -", text)
	}
	return c, nil
}

func fieldNamed(name string) (Fields, error) {
	var names []string
	for _, f := range fieldNames {
		if f.name == name {
			return f.field, nil
		}
		names = append(names, f.name)
	}
	return 0, fmt.Errorf("there is no field %q%s", name, suggest.DidYouMean(name, names))
}

// apply changes the fields of an event.
func (c *change) apply(f Fields, a *perf.Attr) Fields {
	if c.kind != "" && c.kind != kindOf(a) {
		return f
	}
	if c.replaces {
		f = c.set
	}
	return f&^c.sub | c.add
}

// fieldsOf returns the fields of an event. What it does not sample has none.
func fieldsOf(e *perf.Event, changes []change, pipe bool) Fields {
	f := defaultFields(e, pipe)
	for i := range changes {
		f = changes[i].apply(f, e.Attr)
	}
	for _, n := range fieldNames {
		if n.needs != 0 && e.Attr.SampleType&n.needs == 0 {
			switch n.field {
			case FieldTID, FieldComm, FieldTime: // which lines have without a value
			default:
				f &^= n.field
			}
		}
	}
	return f
}

// check finds named fields that no attribute samples.
func check(rec *perf.Recording, changes []change) error {
	var asked, sampled Fields
	for _, e := range rec.Attrs() {
		named := namedFor(kindOf(e.Attr), changes)
		asked |= named
		for _, n := range fieldNames {
			if n.needs == 0 || e.Attr.SampleType&n.needs != 0 {
				sampled |= named & n.field
			}
		}
	}
	for _, n := range fieldNames {
		if n.field&asked&^sampled != 0 {
			return fmt.Errorf("-F %s: no event of %s samples it", n.name, rec.Name())
		}
	}
	return nil
}

// namedFor returns the fields that options name for events of a kind. Those of options before one
// that replaces them do not count.
func namedFor(kind string, changes []change) (named Fields) {
	for _, c := range changes {
		switch {
		case c.kind != "" && c.kind != kind:
		case c.replaces:
			named = c.named
		default:
			named |= c.named
		}
	}
	return named
}
