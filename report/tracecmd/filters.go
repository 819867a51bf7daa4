package tracecmd

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/suggest"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// positive returns the filters that select; without any every event is shown.
func (p *printer) positive() []Filter {
	return slices.DeleteFunc(slices.Clone(p.opts.Filters), func(f Filter) bool { return f.Negate })
}

// filtersOf returns the filters of one input.
func (p *printer) filtersOf(in *input) (list []Filter) {
	for _, f := range p.opts.Filters {
		if p.inputs[f.Input] == in {
			list = append(list, f)
		}
	}
	return list
}

// checkFilters refuses a filter with an event name that its input does not have, as trace-cmd does.
func (p *printer) checkFilters() error {
	for _, f := range p.opts.Filters {
		name := f.Unmatched(func(yield func(system, event string) bool) {
			for _, format := range p.inputs[f.Input].rec.Formats() {
				if !yield(format.System, format.Name) {
					return
				}
			}
		})
		if name != "" {
			near := suggest.DidYouMean(name, p.formatNames(strings.Contains(name, "/")))
			return report.Usagef("filter %q: no event is called %q in this recording%s", f.Source, name, near)
		}
	}
	return nil
}

// bindFilters compiles the filters that speak of an event.
func (p *printer) bindFilters(ev *event, in *input, f *ftrace.Format, lowered *ir.Event) {
	positive := false
	for _, fl := range p.filtersOf(in) {
		positive = positive || !fl.Negate
		if !fl.Matches(f.System, f.Name) {
			continue
		}
		pred := filter.Compile(fl.Filter, in.filterFields(lowered))
		if fl.Negate {
			ev.never = append(ev.never, pred)
		} else {
			ev.only = append(ev.only, pred)
		}
	}
	ev.hidden = positive && allConstant(ev.only, -1)
	if ev.hidden && len(ev.only) == 0 && f.System == "ftrace" && (f.Name == "kernel_stack" || f.Name == "user_stack") {
		ev.hidden, ev.stack = false, true
	}
}

// follow decides about stacks, which belong to the event before them on their CPU: show is what the filters say of an event
// itself. A stack that filters with -v leave out stays out.
func (b *buffer) follow(ev *event, cpu int32, show bool) bool {
	if uint32(cpu) >= maxColumns {
		return show && !ev.stack
	}
	for len(b.shown) <= int(cpu) {
		b.shown = append(b.shown, notKnown)
	}
	if ev.stack {
		if b.shown[cpu] == notKnown {
			b.in.asked.depend()
		}
		return show && b.shown[cpu] == wasShown
	}
	if b.shown[cpu] = notShown; show {
		b.shown[cpu] = wasShown
	}
	return show
}

// shown is what became of an event.
type shown uint8

const (
	notKnown shown = iota // there was none
	notShown
	wasShown
)

func allConstant(list []*filter.Predicate, v int) bool {
	return !slices.ContainsFunc(list, func(p *filter.Predicate) bool { return p.Constant != v })
}

// pass evaluates the filters of an event.
func (p *printer) pass(s *source, ev *event, r *record.Record) bool {
	p.subject = filter.Subject{Data: r.Data, CPU: r.CPU, TimeNS: r.Time, Comm: p.subject.Comm[:0]}
	p.subject.Comm = append(p.subject.Comm, s.buffer.in.comm(r.Task)...)
	pass := len(ev.only) == 0
	for _, f := range ev.only {
		pass = pass || f.Pass(&p.subject)
	}
	for _, f := range ev.never {
		pass = pass && !f.Pass(&p.subject)
	}
	return pass
}

// filterFields gives filters access to the fields of an event.
func (in *input) filterFields(ev *ir.Event) func(name string) (filter.Field, bool) {
	return func(name string) (filter.Field, bool) {
		if ev == nil {
			return filter.Field{}, false
		}
		for _, f := range ev.Fields {
			if f.Name == name {
				return in.filterField(f), true
			}
		}
		return filter.Field{}, false
	}
}

func (in *input) filterField(f *ir.Field) filter.Field {
	r := interp.NewReader(f, in.target)
	if f.Kind != ir.Int {
		return filter.Field{Bytes: func(data []byte) []byte { return render.CString(r.Bytes(data)) }}
	}
	out := filter.Field{Int: r.Uint, Signed: f.Signed}
	if f.Size == in.target.WordSize { // it may be an address, and be compared with a name
		var name []byte
		out.Bytes = func(data []byte) []byte {
			symbol, _, _ := in.env.Symbols.Symbol(r.Uint(data))
			name = append(name[:0], symbol...)
			return name
		}
	}
	return out
}

// testFilters prints what became of every filter, event by event: -T.
func (p *printer) testFilters() error {
	for _, in := range p.inputs {
		for _, f := range in.filterOrder() {
			for _, fl := range slices.Backward(p.filtersOf(in)) {
				if fl.Matches(f.System, f.Name) {
					pred := filter.Compile(fl.Filter, in.filterFields(in.lower(f)))
					p.buf = fmt.Appendf(p.buf, " '%s: %s'\n", f.Name, pred)
				}
			}
		}
	}
	return p.flush()
}

// filterOrder yields the events in the order in which trace-cmd lists filters: from the highest id down.
func (in *input) filterOrder() []*ftrace.Format {
	formats := slices.Clone(in.rec.Formats())
	if in.blktrace != nil {
		formats = append(formats, in.blktrace)
	}
	slices.SortStableFunc(formats, func(a, b *ftrace.Format) int { return cmp.Compare(b.ID, a.ID) })
	return formats
}
