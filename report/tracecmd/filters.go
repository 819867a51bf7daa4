package tracecmd

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// positive returns the filters that select. Without any, all events are shown.
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

// checkFilters rejects a filter with an event name that its input lacks, as trace-cmd does. Filters
// of tracec report are also rejected if a field is missing.
func (p *printer) checkFilters() error {
	for _, f := range p.opts.Filters {
		in, list := p.inputs[f.Input], filter.List{f.Filter}
		name := in.rec.Name()
		if p.opts.Choice != nil {
			name = p.job.Path
		}
		err := list.CheckEvents(name, in.eventNames, in.described)
		if err == nil && p.opts.Choice != nil {
			err = list.CheckFields(in.described)
		}
		if err != nil {
			return &report.UsageError{Err: err}
		}
	}
	return nil
}

// eventNames calls yield for all events that a filter may name.
func (in *input) eventNames(yield func(system string, names ...string) bool) {
	for _, f := range in.rec.Formats() {
		if !yield(f.System, f.Name) {
			return
		}
	}
}

// described calls yield for all events that a filter may name, with their fields.
func (in *input) described(yield func(*filter.Event) bool) {
	for _, f := range in.rec.Formats() {
		if !yield(in.filterEvent(f, in.lower(f))) {
			return
		}
	}
}

// filterEvent returns the event that filters are compiled for. lowered may be nil.
func (in *input) filterEvent(f *ftrace.Format, lowered *ir.Event) *filter.Event {
	return &filter.Event{
		System: f.System, Names: []string{f.Name}, IR: lowered, Target: in.formats.target, Words: in.values.words,
	}
}

// bindFilters compiles the filters that name an event.
func (p *printer) bindFilters(ev *event, in *input, f *ftrace.Format, lowered *ir.Event) {
	positive := false
	for _, fl := range p.filtersOf(in) {
		positive = positive || !fl.Negate
		if !fl.Matches(f.System, f.Name) {
			continue
		}
		e := in.filterEvent(f, lowered)
		e.Hold = in.rec.HoldOnce
		pred := filter.Compile(fl.Filter, e)
		if pred.Refused != nil {
			in.formats.compiled.refuse(pred.Refused)
			ev.hidden = true
			return
		}
		if fl.Negate {
			ev.never = append(ev.never, pred)
		} else {
			ev.only = append(ev.only, pred)
		}
	}
	ev.comm = slices.ContainsFunc(append(ev.only[:len(ev.only):len(ev.only)], ev.never...),
		func(p *filter.Predicate) bool { return p.Comm })
	ev.hidden = positive && allConstant(ev.only, -1)
	if ev.hidden && len(ev.only) == 0 && isStack(f) {
		ev.hidden, ev.stack = false, true
	}
}

// follow decides about stacks, which belong to the previous event on their CPU. show is the result
// of the filters for the event itself. A stack that filters with -v exclude is not shown.
func (b *buffer) follow(ev *event, cpu int32, show bool) bool {
	if uint32(cpu) >= maxColumns {
		return show && !ev.stack
	}
	for len(b.shown) <= int(cpu) {
		b.shown = append(b.shown, notKnown)
	}
	if ev.stack {
		if b.shown[cpu] == notKnown {
			b.in.attempt.depend()
		}
		return show && b.shown[cpu] == wasShown
	}
	if b.shown[cpu] = notShown; show {
		b.shown[cpu] = wasShown
	}
	return show
}

// shown is the outcome of the filters for an event.
type shown uint8

const (
	notKnown shown = iota // no event yet
	notShown
	wasShown
)

func allConstant(list []*filter.Predicate, v int) bool {
	return !slices.ContainsFunc(list, func(p *filter.Predicate) bool { return p.Constant != v })
}

// pass evaluates the filters of an event.
func (p *printer) pass(s *source, ev *event, r *record.Record) bool {
	in := s.buffer.in
	if in.values.subject == nil {
		in.values.subject = filter.NewSubject(recorded.Env(in.rec, in.formats.target))
	}
	if ev.comm {
		in.values.subject.Comm = append(in.values.subject.Comm[:0], in.comm(r.Task)...)
	}
	pass := len(ev.only) == 0
	for _, f := range ev.only {
		pass = pass || f.Pass(in.values.subject, r)
	}
	for _, f := range ev.never {
		pass = pass && !f.Pass(in.values.subject, r)
	}
	return pass
}

// testFilters prints the outcome of every filter for every event: -T.
func (p *printer) testFilters() error {
	for _, in := range p.inputs {
		for _, f := range in.filterOrder() {
			for _, fl := range slices.Backward(p.filtersOf(in)) {
				if fl.Matches(f.System, f.Name) {
					pred := filter.Compile(fl.Filter, in.filterEvent(f, in.lower(f)))
					p.buf = fmt.Appendf(p.buf, " '%s: %s'\n", f.Name, pred)
				}
			}
		}
	}
	return p.flush()
}

// filterOrder returns the events in the order in which trace-cmd lists filters: by descending id.
func (in *input) filterOrder() []*ftrace.Format {
	formats := slices.Clone(in.rec.Formats())
	if in.formats.blktrace != nil {
		formats = append(formats, in.formats.blktrace)
	}
	slices.SortStableFunc(formats, func(a, b *ftrace.Format) int { return cmp.Compare(b.ID, a.ID) })
	return formats
}
