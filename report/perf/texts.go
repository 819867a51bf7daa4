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

// texts makes the texts of tracepoints. It is nil for a recording without descriptions.
type texts struct {
	plugins bool // libtraceevent's plugins make the texts of the events that they know
	events  *programs.Perf
	printer *programs.Printer
	context *plugin.Context
	event   *tracec.Event // the event to print
}

// newTexts returns the texts of the tracepoints of rec. Either libtraceevent's plugins make them,
// or the print fmt of the tracepoints. Perf names no functions in the texts of a pipe.
func newTexts(rec *perf.Recording, plugins, names bool) *texts {
	if rec.Tracing() == nil {
		return nil
	}
	t := &texts{plugins: plugins, events: programs.NewPerf(rec)}
	env := t.events.Env()
	if env.Symbols = nil; names {
		env.Symbols = t
	}
	t.printer = programs.NewPrinter(env)
	t.context = &plugin.Context{
		Target: recorded.Target(rec.Tracing()), Env: env,
		Plain: t.plain,
	}
	return t
}

// handler returns the function that appends the text of a tracepoint.
func (t *texts) handler(of *perf.Event) (h plugin.Handler) {
	if p := t.events.Program(of); p != nil && of.IsTracepoint() {
		if t.plugins {
			h = plugin.New(p.Event, t.context)
		}
		if h == nil {
			h = t.plain(p.Event)
		}
	}
	if h == nil {
		h = func(dst []byte, _ *record.Record) []byte {
			dst, _ = t.event.AppendText(dst)
			return dst
		}
	}
	return h
}

// plain returns the function that appends the text of an event's print fmt. It is nil if there is
// no print fmt.
func (t *texts) plain(ev *ir.Event) plugin.Handler {
	p := t.events.Format(ev.ID)
	if p == nil || !p.Text().HasText() {
		return nil
	}
	printer, text := t.printer, p.Text()
	return func(dst []byte, r *record.Record) []byte { return printer.AppendText(dst, text, r.Data) }
}

// column returns the column of a tracepoint. Its text is compiled at the first sample.
func (t *texts) column(of *perf.Event) column {
	var h plugin.Handler
	return func(dst []byte, e *tracec.Event, _ *perf.Entry) []byte {
		if t == nil {
			dst, _ = e.AppendText(dst)
			return dst
		}
		if h == nil {
			h = t.handler(of)
		}
		t.event = e
		return h(dst, e.Record)
	}
}

// Symbol implements render.Symbols by the mappings at the time of the event.
func (t *texts) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	return t.event.Symbol(addr)
}
