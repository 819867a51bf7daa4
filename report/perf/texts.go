package perf

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/compiler/ftrace/recorded"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/report/tracecmd/plugin"
	"github.com/tracec/tracec/runtime/perf"
	"github.com/tracec/tracec/runtime/record"
)

// texts are the texts of tracepoints that libtraceevent's plugins print, and texts without symbols.
// They are nil for a perf without plugins that reads a file.
type texts struct {
	events   *programs.Perf
	context  *plugin.Context
	handlers []plugin.Handler // by Event.Index, of attributes; nil: the plain text
	event    *tracec.Event    // whose text is made
}

// newTexts returns the texts of the tracepoints of rec. Perf names no functions in those of a pipe.
func newTexts(rec *perf.Recording, plugins bool) *texts {
	if rec.Tracing() == nil {
		return nil
	}
	t := &texts{events: programs.NewPerf(rec)}
	env := t.events.Env()
	if env.Symbols = t; rec.Pipe() {
		env.Symbols = nil
	}
	printer := programs.NewPrinter(env)
	t.context = &plugin.Context{
		Target: recorded.Target(rec.Tracing()), Env: env,
		Plain: func(ev *ir.Event) plugin.Handler { return t.plain(ev, printer) },
	}
	for _, e := range rec.Attrs() {
		var h plugin.Handler
		if p := t.events.Program(e); p != nil && e.IsTracepoint() {
			if plugins {
				h = plugin.New(p.Event, t.context)
			}
			if h == nil && rec.Pipe() {
				h = t.plain(p.Event, printer)
			}
		}
		t.handlers = append(t.handlers, h)
	}
	return t
}

// plain returns the text of an event's own print fmt, nil if it has none.
func (t *texts) plain(ev *ir.Event, printer *programs.Printer) plugin.Handler {
	p := t.events.Format(ev.ID)
	if p == nil || !p.Text().HasText() {
		return nil
	}
	return func(dst []byte, r *record.Record) []byte { return printer.Append(dst, p, r.Data) }
}

// append appends the text of a tracepoint.
func (t *texts) append(dst []byte, e *tracec.Event, x *perf.Entry) []byte {
	if t != nil {
		if h := t.handlers[x.Event.Index]; h != nil {
			t.event = e
			return h(dst, e.Record)
		}
	}
	dst, _ = e.AppendText(dst)
	return dst
}

// Symbol implements render.Symbols by the mappings at the time of the event.
func (t *texts) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	return t.event.Symbol(addr)
}
