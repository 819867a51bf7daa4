// Package dynevents draws dynamic events of Linux, which users define, for tests: probes of every
// kind, synthetic events and user_events, with arguments of every type. It describes them as the
// kernel does, and returns the texts of the kernel's printers for their records
// (kernel/trace/trace_probe.c, trace_events_synth.c, trace_events_user.c). It follows the kernel,
// not the compiler.
package dynevents

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tracec/tracec/internal/testkit/tracefile"
)

// Event is the description of a dynamic event.
type Event struct {
	System, Name string
	ID           int
	Format       string

	kind kind
	args []arg
}

// Record is a recorded event.
type Record struct {
	Event  *Event
	Data   []byte
	Text   string
	Values []Value
}

// Value is the value of a field.
type Value struct {
	Name string
	// Missing is set if there is no value: a string that a probe could not read.
	Missing bool
	IsText  bool
	Text    string
	Numbers []string // in decimal; the number, or the elements of an array
	IsArray bool
}

// kind is the kind of a dynamic event.
type kind uint8

const (
	kprobe kind = iota
	kretprobe
	uprobe
	uretprobe
	fprobe
	tprobe
	eprobe
	synthetic
	userEvent
	kinds
)

var systems = [kinds]string{"kprobes", "mygroup", "uprobes", "myprogram", "fprobes", "tracepoints", "eprobes",
	"synthetic", "user_events"}

// Source draws events and records.
type Source struct {
	tracefile.Machine
	*rand.Rand
	ids int
}

// NewSource begins a sequence of events of a machine.
func NewSource(m tracefile.Machine, seed uint64) *Source {
	return &Source{Machine: m, Rand: rand.New(rand.NewPCG(seed, uint64(m.Word))), ids: 1000}
}

// arg is an argument: a field of the description, or several for an array of strings.
type arg struct {
	name   string
	t      argType
	count  int // of an array; 0 for other types
	offset int
}

// Event draws an event.
func (s *Source) Event() *Event {
	s.ids++
	e := &Event{ID: s.ids, kind: kind(s.IntN(int(kinds)))}
	e.System, e.Name = systems[e.kind], fmt.Sprintf("event%d", s.ids)
	types := probeTypes
	switch e.kind {
	case synthetic:
		types = syntheticTypes
	case userEvent:
		types = userTypes
	}
	at := 8 + s.Word*e.kind.addresses()
	for i := range s.IntN(7) + 1 {
		a := arg{name: fmt.Sprintf("a%d", i), t: types[s.IntN(len(types))], offset: at}
		if e.kind <= eprobe && s.IntN(3) == 0 {
			a.count = 1 + s.IntN(4)
		}
		if i == 0 && s.ids%5 == 0 { // allowed: traceprobe_conflict_field_name reserves only the kernel's own names
			a.name = "common_" + a.name
		}
		e.args = append(e.args, a)
		at += a.slot(s)
	}
	e.Format = e.describe(s)
	return e
}

// addresses returns the number of words before the arguments of a record.
func (k kind) addresses() int {
	switch k {
	case kretprobe, uretprobe:
		return 2
	case eprobe, synthetic, userEvent:
		return 0
	}
	return 1
}

// slot returns the number of bytes of an argument in the fixed part.
func (a *arg) slot(s *Source) int {
	if a.t.slot != 0 {
		return a.t.slot
	}
	return a.t.bytes(s.Word) * max(a.count, 1)
}

// size returns the size in the description.
func (a *arg) size(s *Source) int {
	if a.t.slot != 0 && a.t.kind != dynamicText && a.t.kind != stack {
		return a.t.bytes(s.Word)
	}
	return a.slot(s)
}

func (e *Event) describe(s *Source) string {
	var b strings.Builder
	fmt.Fprintf(&b, "name: %s\nID: %d\nformat:\n", e.Name, e.ID)
	field := func(decl string, offset, size, signed int) {
		fmt.Fprintf(&b, "\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", decl, offset, size, signed)
	}
	field("unsigned short common_type", 0, 2, 0)
	field("unsigned char common_flags", 2, 1, 0)
	field("unsigned char common_preempt_count", 3, 1, 0)
	field("int common_pid", 4, 4, 1)
	b.WriteByte('\n')
	switch e.kind.addresses() {
	case 1:
		field("unsigned long __probe_ip", 8, s.Word, 0)
	case 2:
		field("unsigned long __probe_func", 8, s.Word, 0)
		field("unsigned long __probe_ret_ip", 8+s.Word, s.Word, 0)
	}
	for _, a := range e.args {
		field(a.declaration(s.Word), a.offset, a.size(s), a.t.signed)
	}
	fmt.Fprintf(&b, "\nprint fmt: %s\n", e.print())
	return b.String()
}

// print returns the print fmt.
func (e *Event) print() string {
	format, args := "", ""
	switch e.kind.addresses() {
	case 1:
		format, args = "(%lx)", ", REC->__probe_ip"
	case 2:
		format, args = "(%lx <- %lx)", ", REC->__probe_func, REC->__probe_ret_ip"
	}
	for i, a := range e.args {
		if i > 0 || e.kind <= eprobe {
			format += " "
		}
		value := "REC->" + a.name
		if a.t.get != "" {
			value = a.t.get + "(" + a.name + ")"
		}
		if a.count == 0 {
			format, args = format+a.name+"="+a.t.format, args+", "+value
			continue
		}
		var list []string
		for i := range a.count {
			list = append(list, a.t.format)
			if index := fmt.Sprintf("[%d]", i); a.t.get != "" {
				args += ", " + a.t.get + "(" + a.name + index + ")"
			} else {
				args += ", " + value + index
			}
		}
		format += a.name + "={" + strings.Join(list, ",") + "}"
	}
	return `"` + format + `"` + args
}

// File returns a recording of these records.
func (s *Source) File(events []*Event, records []*Record) []byte {
	f := tracefile.File{Machine: s.Machine, Version: 7, PageSize: 4096, Kallsyms: s.kallsyms(), Cmdlines: "42 worker\n",
		CPUs: 1}
	at := map[string]int{}
	for _, e := range events {
		i, ok := at[e.System]
		if !ok {
			i = len(f.Systems)
			at[e.System] = i
			f.Systems = append(f.Systems, tracefile.System{Name: e.System})
		}
		f.Systems[i].Formats = append(f.Systems[i].Formats, e.Format)
	}
	var pages []byte
	for i, r := range records {
		pages = append(pages, s.NewPage(f.PageSize, uint64(1e9+1000*i)).Long(0, r.Data).Done()...)
	}
	f.Buffers = []tracefile.Buffer{{Clock: "[local]", CPUs: []tracefile.CPU{{ID: 0, Pages: pages}}}}
	return f.Bytes()
}
