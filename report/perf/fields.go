package perf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/runtime/perf"
)

// Fields are the parts of a line.
type Fields uint64

// The parts of lines, by the names of perf script -F.
const (
	FieldComm Fields = 1 << iota
	FieldPID
	FieldTID
	FieldCPU
	FieldMisc
	FieldTOD
	FieldTime
	FieldPeriod
	FieldEvent
	FieldFlags
	FieldTrace
	FieldSynth
	FieldAddr
	FieldDataSource
	FieldWeight
	FieldLatency
	FieldRetire
	FieldCgroup
	FieldIP
	FieldSym
	FieldSymOff
	FieldDSO
	FieldDSOOff
	FieldSrcline
	FieldIntrRegs
	FieldUserRegs
	FieldBranches
	FieldBranchSyms
	FieldBranchOffsets
	FieldBPFOutput
	FieldPhysAddr
	FieldDataPageSize
	FieldCodePageSize

	fieldTarget // of a branch; only without -F
)

// fieldNames are the names of fields, and the sample types that they need.
var fieldNames = []struct {
	name  string
	field Fields
	needs perf.SampleType
}{
	{"comm", FieldComm, perf.HasTID},
	{"pid", FieldPID, perf.HasTID},
	{"tid", FieldTID, perf.HasTID},
	{"cpu", FieldCPU, perf.HasCPU},
	{"misc", FieldMisc, 0},
	{"tod", FieldTOD, perf.HasTime},
	{"time", FieldTime, perf.HasTime},
	{"period", FieldPeriod, 0},
	{"event", FieldEvent, 0},
	{"flags", FieldFlags, 0},
	{"trace", FieldTrace, perf.HasRaw},
	{"synth", FieldSynth, perf.HasRaw},
	{"addr", FieldAddr, perf.HasAddr},
	{"data_src", FieldDataSource, perf.HasDataSource},
	{"weight", FieldWeight, perf.HasWeight | perf.HasWeightStruct},
	{"ins_lat", FieldLatency, perf.HasWeightStruct},
	{"retire_lat", FieldRetire, perf.HasWeightStruct},
	{"cgroup", FieldCgroup, perf.HasCgroup},
	{"ip", FieldIP, perf.HasIP},
	{"sym", FieldSym, perf.HasIP},
	{"symoff", FieldSymOff, perf.HasIP},
	{"dso", FieldDSO, perf.HasIP},
	{"dsoff", FieldDSOOff, perf.HasIP},
	{"srcline", FieldSrcline, perf.HasIP},
	{"iregs", FieldIntrRegs, perf.HasRegsIntr},
	{"uregs", FieldUserRegs, perf.HasRegsUser},
	{"brstack", FieldBranches, perf.HasBranches},
	{"brstacksym", FieldBranchSyms, perf.HasBranches},
	{"brstackoff", FieldBranchOffsets, perf.HasBranches},
	{"bpf-output", FieldBPFOutput, perf.HasRaw},
	{"phys_addr", FieldPhysAddr, perf.HasPhysAddr},
	{"data_page_size", FieldDataPageSize, perf.HasDataPageSize},
	{"code_page_size", FieldCodePageSize, perf.HasCodePageSize},
}

// The reasons why some fields of perf are not printed.
const (
	noCode    = "the code of programs is not read"
	noSource  = "the source code of programs is not read"
	noTraces  = "traces of processors are not decoded"
	noGuests  = "samples of guests are not distinguished"
	noMetrics = "metrics are not computed"
	noCounts  = "counters of branches have no text"
)

// unsupported are the other fields of perf 6.1 to 7.2.
var unsupported = map[string]string{
	"srccode": noSource,
	"insn":    noCode, "insnlen": noCode, "disasm": noCode,
	"brstackinsn": noCode, "brstackinsnlen": noCode, "brstackdisasm": noCode,
	"callindent": noTraces, "ipc": noTraces,
	"machine_pid": noGuests, "vcpu": noGuests,
	"metric": noMetrics, "brcntr": noCounts,
}

// kinds are the kinds of events for which there may be a list of fields.
var kinds = []string{"hw", "sw", "trace", "raw", "synth"}

// kindOf returns the kind of an attribute. It is "" if only lists without a kind apply to the
// attribute.
func kindOf(a *perf.Attr) string {
	switch a.Type {
	case perf.Hardware:
		return "hw"
	case perf.Software:
		return "sw"
	case perf.Tracepoint:
		return "trace"
	case perf.RawPMU:
		return "raw"
	}
	if isSynthesized(a) {
		return "synth"
	}
	return ""
}

const where = FieldIP | FieldSym | FieldSymOff | FieldDSO

// memory are the fields that the lines of a processor's raw events have by default.
const memory = FieldAddr | FieldDataSource | FieldWeight | FieldLatency | FieldRetire | FieldPhysAddr |
	FieldDataPageSize | FieldCodePageSize

// defaults holds the facts, other than its event, that determine the fields of a line without -F.
type defaults struct {
	old    bool // as like
	pipe   bool
	chains bool // a tracepoint has call chains, and they are printed
}

func newDefaults(rec *perf.Recording, o *Options, changes []change, old bool) defaults {
	d := defaults{old: old, pipe: rec.Pipe()}
	if o.MaxStack < 0 {
		return d
	}
	for _, c := range changes {
		if c.sets() && (c.kind == "" || c.kind == "trace") {
			return d
		}
	}
	for _, e := range rec.Attrs() {
		d.chains = d.chains || e.Attr.Type == perf.Tracepoint && e.Attr.SampleType&perf.HasCallchain != 0
	}
	return d
}

// of returns the fields of a line without -F (perf.md 10).
func (d defaults) of(e *perf.Event) Fields {
	t := e.Attr.SampleType
	if e.Attr.Type != perf.Tracepoint {
		f := FieldComm | FieldTID | FieldTime | FieldPeriod | FieldEvent | where
		if t&perf.HasCPU != 0 {
			f |= FieldCPU
		}
		if e.Attr.Type == perf.RawPMU {
			f |= memory
		}
		if d.old {
			f &^= FieldRetire
		}
		if isSynthesized(e.Attr) {
			f = f&^FieldPeriod | FieldSynth
		}
		if e.Attr.IsBPFOutput() {
			f |= FieldBPFOutput
		}
		if isBranch(e.Attr) && t&perf.HasAddr != 0 {
			f |= fieldTarget
		}
		return f
	}
	f := FieldComm | FieldTID | FieldCPU | FieldTime | FieldEvent | FieldTrace
	if d.chains {
		f |= where
		if d.pipe {
			f &^= FieldSymOff | FieldDSO
		}
	}
	return f
}

// change is one option -F. Its fields replace the default of a kind, or are added to it or removed
// from it.
type change struct {
	kind     string // "" means all
	set      Fields
	add, sub Fields
	replaces bool
	named    Fields // all that were named
}

// ParseFields reads the argument of -F, such as comm,tid or +sym,-dso. The argument may begin with
// the name of a kind and a colon. If no field follows the colon, events of the kind are not
// printed.
func ParseFields(text string) (c change, err error) {
	if kind, rest, ok := strings.Cut(text, ":"); ok {
		if !slices.Contains(kinds, kind) {
			return c, fmt.Errorf("unknown kind of events %q; want %s", kind, strings.Join(kinds, ", "))
		}
		c.kind, text = kind, rest
		if c.replaces = rest == ""; c.replaces {
			return c, nil
		}
	}
	for word := range strings.SplitSeq(text, ",") {
		name := strings.TrimLeft(word, "+-")
		if word == "" && strings.Trim(text, ",") != "" { // perf skips empty words between commas
			continue
		}
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
	if why := unsupported[name]; why != "" {
		return 0, fmt.Errorf("the field %s is not supported: %s", name, why)
	}
	return 0, fmt.Errorf("unknown field %q%s", name, suggest.DidYouMean(name, names))
}

// sets reports whether an option replaces fields that depend on other events. Perf does not count
// flags as a field.
func (c *change) sets() bool { return c.replaces || (c.add|c.sub)&^FieldFlags != 0 }

// invalid returns the fields that perf prints for no event of the type.
func invalid(a *perf.Attr) Fields {
	switch a.Type {
	case perf.Tracepoint:
		return 0
	case perf.Software:
		return FieldTrace
	}
	return FieldTrace | FieldBPFOutput
}

// apply changes the fields of an event.
func (c *change) apply(f Fields, a *perf.Attr) Fields {
	if c.kind != "" && c.kind != kindOf(a) {
		return f
	}
	if names := c.add | c.sub; !c.replaces && names != 0 && names&^invalid(a) == 0 {
		return f // perf ignores the option
	}
	if c.replaces {
		f = c.set
	}
	return f&^(c.sub|fieldTarget) | c.add
}

// fields returns the fields of an event, without fields that need data which the event does not
// sample.
func (d defaults) fields(e *perf.Event, changes []change) Fields {
	f := d.of(e)
	for i := range changes {
		f = changes[i].apply(f, e.Attr)
	}
	for _, n := range fieldNames {
		if n.needs != 0 && e.Attr.SampleType&n.needs == 0 {
			switch n.field {
			case FieldTID, FieldComm, FieldTime: // lines have these even without a value
			default:
				f &^= n.field
			}
		}
	}
	if e.Attr.Type != perf.Tracepoint { // perf ignores trace for other events, even with raw data
		f &^= FieldTrace
	}
	return f
}
