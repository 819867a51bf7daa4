package tracecmd

import (
	"regexp"

	"github.com/tracec/tracec/compiler/filter"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/report/tracecmd/plugin"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// event is one kind of record, created at its first record.
type event struct {
	hidden  bool   // not selected: its records are skipped
	stack   bool   // a stack that filters do not name: shown after a shown event of its CPU
	name    []byte // the name column
	text    plugin.Handler
	latency latencyFields
	only    []*filter.Predicate // filters of -F: one must pass; if empty, all events pass
	never   []*filter.Predicate // filters of -v -F: all must fail
	comm    bool                // a filter uses the name of the thread
	wake    *wakeEvent          // for -w
}

// nameWidth is the width of the name and its colon. A blank follows.
const nameWidth = 21

func nameColumn(name string) []byte {
	col := append([]byte(name), ':')
	return append(padRight(col, 0, nameWidth), ' ')
}

// paint colours the first bytes of a column.
func (p *printer) paint(column []byte, name int) []byte {
	if !p.job.Style.On() {
		return column
	}
	return append([]byte(p.job.Style.Paint(style.Event, string(column[:name]))), column[name:]...)
}

// event finds the event with an id. Ids come from two bytes of the record, so the table is small.
func (p *printer) event(in *input, id uint32) *event {
	if int(id) < len(in.formats.events) {
		if ev := in.formats.events[id]; ev != nil {
			return ev
		}
	}
	return p.bind(in, id)
}

// maxEventID bounds the table of events; common_type has 16 bits.
const maxEventID = 1<<16 - 1

// bind makes the event for an id. The text for an id without a description reports that. trace-cmd
// prints `[UNKNOWN EVENT]` three times, without task and time.
func (p *printer) bind(in *input, id uint32) *event {
	f := in.formats.byID[id]
	var ev *event
	if f == nil {
		ev = p.unknown(in, id)
	} else {
		ev = p.known(in, f)
	}
	ev.latency.lazy = p.style >= V34
	if id > maxEventID {
		return ev
	}
	for int(id) >= len(in.formats.events) {
		in.formats.events = append(in.formats.events, nil)
	}
	in.formats.events[id] = ev
	return ev
}

func (p *printer) unknown(in *input, id uint32) *event {
	ev := &event{name: nameColumn("[UNKNOWN EVENT]")}
	ev.hidden = p.opts.Events != nil || len(p.positive()) > 0
	for _, f := range in.rec.Formats() {
		ev.latency = newLatencyFields(f, in.formats.target.BigEndian) // the common fields of any event
		break
	}
	ev.text = func(dst []byte, r *record.Record) []byte {
		dst = append(dst, "id="...)
		dst = render.Udec(dst, uint64(id))
		dst = append(dst, " size="...)
		return render.Udec(dst, uint64(len(r.Data)))
	}
	return ev
}

func (p *printer) known(in *input, f *ftrace.Format) *event {
	ev := &event{name: p.paint(nameColumn(f.Name), len(f.Name)),
		latency: newLatencyFields(f, in.formats.target.BigEndian)}
	if p.opts.Events != nil && !p.opts.Events(f.System, f.Name) {
		ev.hidden = true
		return ev
	}
	lowered := in.lower(f)
	p.bindFilters(ev, in, f, lowered)
	if ev.hidden {
		return ev
	}
	ev.text = p.text(in, f, lowered)
	if p.opts.Wakeup {
		ev.wake = newWakeEvent(f, lowered, in.formats.target)
	}
	return ev
}

// text selects the text after the name.
func (p *printer) text(in *input, f *ftrace.Format, ev *ir.Event) plugin.Handler {
	raw := p.opts.Raw || matchesAny(p.opts.RawOf, f)
	c := in.plugins(p)
	switch {
	case f == in.formats.blktrace && raw:
		return newRawBlkTrace(in, p.opts.Reference)
	case f == in.formats.blktrace:
		return plugin.New(&ir.Event{Group: f.System, Name: plugin.BlkTrace, ID: uint32(f.ID)}, c)
	case raw:
		return newRaw(f, ev, in, p.style, p.opts.Reference)
	}
	if p.opts.kernelText() {
		if h := plugin.NewKernel(ev, c); h != nil {
			return h
		}
	}
	if !p.opts.Plain && !matchesAny(p.opts.PlainOf, f) {
		if h := plugin.New(ev, c); h != nil {
			return h
		}
	}
	if h := in.plain(ev); h != nil {
		return h
	}
	return newRaw(f, ev, in, p.style, p.opts.Reference)
}

// matchesAny reports whether one of the expressions is found in the name or in "system:name".
// trace-cmd matches names of filters in the same way, but anchored.
func matchesAny(list []*regexp.Regexp, f *ftrace.Format) bool {
	for _, re := range list {
		if re.MatchString(f.Name) || re.MatchString(f.System) {
			return true
		}
	}
	return false
}

// plain returns the text of an event's own print fmt, or nil if that cannot be rendered.
func (in *input) plain(ev *ir.Event) plugin.Handler {
	if ev == nil {
		return nil
	}
	prog := in.formats.compiled.formats.Program(ev.ID)
	if prog == nil || !prog.Text().HasText() {
		return nil
	}
	m, text := in.values.machine, prog.Text() // without a Printer: one call fewer for each event
	return func(dst []byte, r *record.Record) []byte { return m.AppendText(dst, text, r.Data) }
}

// plugins returns the context that the texts of plugins share.
func (in *input) plugins(p *printer) *plugin.Context {
	if in.values.plugins == nil {
		in.values.plugins = &plugin.Context{
			Target: in.formats.target, Env: in.values.env, Options: p.plugins,
			Plain: in.plain, Comm: in.comm, SetComm: in.learn,
			Event: in.event, Peek: p.peek, Consume: p.consume, Style: p.textStyle(), Types: in.rec.Types,
			GuestSymbol: p.guestSymbols(in),
			Reference:   p.opts.Reference, Kernel: p.opts.kernelText(),
		}
	}
	return in.values.plugins
}

// event finds the description of an event by id.
func (in *input) event(id uint32) *ir.Event {
	if f := in.formats.byID[id]; f != nil {
		return in.lower(f)
	}
	return nil
}
