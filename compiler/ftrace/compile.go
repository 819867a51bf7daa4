// Package ftrace compiles the format files of a Linux kernel to the IR.
//
// A print fmt is compiled with the meaning that it has in the kernel: C's rules for types and
// operators, and the kernel's own printf. A recording does not hold the kernel memory that a print
// fmt may read. Such an argument is shown as its C text with the known parts evaluated, and the
// event keeps its text.
package ftrace

import (
	"cmp"
	"errors"
	"runtime"
	"slices"
	"sync"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/ftrace"
)

// Source is one format file.
type Source struct {
	System string // the directory above the event's: "sched"
	Name   string // for messages
	Text   []byte
}

// Compile lowers the format files of one kernel. source names their origin. The unit holds every
// event with a readable layout. The list reports everything else, sorted by file.
func Compile(source string, formats []Source, target ir.Target) (*ir.Unit, diag.List) {
	events := make([]*ir.Event, len(formats))
	lists := make([]diag.List, len(formats))
	next := make(chan int)
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := range next {
				f := formats[i]
				events[i], lists[i] = CompileEvent(f.System, f.Name, f.Text, target)
			}
		})
	}
	for i := range formats {
		next <- i
	}
	close(next)
	wg.Wait()

	u := &ir.Unit{Lang: "ftrace", Container: "github.com/tracec/tracec/runtime/ftrace", Source: source, Target: target}
	for _, ev := range events {
		if ev != nil {
			u.Events = append(u.Events, ev)
		}
	}
	slices.SortStableFunc(u.Events, func(a, b *ir.Event) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	all := diag.List(slices.Concat(lists...))
	all.Sort()
	return u, all
}

// CompileEvent lowers one format file. The event is nil only when the file has no name or no usable
// id.
func CompileEvent[T string | []byte](system, file string, text T, target ir.Target) (*ir.Event, diag.List) {
	parsed, errs := grammar.Parse(file, text)
	l := &lowerer{target: target, file: file, tracers: system == "ftrace"}
	for _, err := range errs {
		l.report(err.Pos, diag.Warning, err.Code, "%s", err.Msg)
	}
	if parsed == nil || parsed.Name == "" || parsed.ID < 0 || parsed.ID > 1<<31-1 {
		l.report(lexer.Position{}, diag.Error, "no-event", "no name or no id: not a format file")
		return nil, l.diags
	}
	ev := &ir.Event{Group: system, Name: parsed.Name, ID: uint32(parsed.ID)}
	l.layout(ev, parsed)
	ir.NameResult(ev)
	if l.probe = isProbe(parsed); l.probe {
		faults(ev)
	}
	switch {
	case internalText(l, ev):
	case parsed.Print == nil:
		ev.Why = "the format file has no print fmt that can be read"
		l.report(lexer.Position{}, diag.Warning, "no-print", "%s", ev.Why)
	default:
		ev.Text, ev.HasText = l.printf(parsed.Print.Pos, parsed.Print.Format, parsed.Print.Args), true
		if tooComplex(ev) {
			ev.Text, ev.HasText, ev.Why = nil, false, "the evaluated print fmt is too large"
			l.report(parsed.Print.Pos, diag.Warning, "too-complex", "%s", ev.Why)
		}
	}
	return ev, l.diags
}

// tooComplex reports a text that is too large or nested too deep for a back end.
func tooComplex(ev *ir.Event) bool {
	n := ir.Weight(ev.Text, maxNodes)
	return n > maxNodes || n > ir.MaxDepth && errors.Is(ir.CheckEvent(ev), ir.ErrDeep)
}

// maxNodes limits the work for one print fmt. The largest print fmt of the known kernels takes
// about 6,000 nodes.
const maxNodes = 200_000

// lowerer holds the state of one event.
type lowerer struct {
	target ir.Target
	file   string
	// fields and dynamics are separate name spaces. In the kernel's struct the word of a dynamic
	// field x is called __data_loc_x, and some events also have a plain x.
	fields      map[string]field
	dynamics    map[string]field
	vars        map[string]*variable
	out         *[]ir.Stmt  // the output of trace_seq_printf, nil outside a statement expression
	seq         *ir.Program // the text that trace_seq_buffer_ptr returned
	dry         bool        // evaluating for a type alone: no effects
	probe       bool        // users have defined the event by a probe
	tracers     bool        // the event is one of the system ftrace
	oldKernel   bool        // the print fmt is from a kernel before 3.18
	spent       int
	shown       int // operands evaluated inside C text
	conversions int // of all printf formats of the event
	diags       diag.List
}

// field is a field of the record and its C type.
type field struct {
	ir *ir.Field
	t  *ctype
}

func (l *lowerer) report(pos lexer.Position, s diag.Severity, code, format string, args ...any) {
	if l.dry {
		return
	}
	pos.Filename = l.file
	l.diags = append(l.diags, diag.New(pos, s, code, format, args...))
}

func (l *lowerer) note(pos lexer.Position, code, format string, args ...any) {
	l.report(pos, diag.Note, code, format, args...)
}
