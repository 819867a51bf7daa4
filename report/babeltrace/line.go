package babeltrace

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/tracec/tracec"
	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/internal/ordered"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/render"
)

// lines holds the constant texts and the programs of events. All lines share them. It is safe for
// concurrent use.
type lines struct {
	opts   Options
	style  style.Style
	rec    *ctf.Recording
	events []atomic.Pointer[eventText] // by Event.Index
	later  sync.Map                    // events that metadata have added since, by Event.Index
	bounds bounds
	traces map[*ctf.Trace]bounds // the bounds of single traces; nil if they have none
}

// eventText holds the constant parts of the lines of an event.
type eventText struct {
	head   []byte            // between time and fields
	packet *programs.Program // of the context of packets; nil if packets have no additional fields
	fields *programs.Program
	clock  bool  // events have a time
	base   int64 // added to Record.Time, in nanoseconds
	// The bounds of the trace, for Record.Time plus base.
	bounds
}

func newLines(rec *ctf.Recording, o *Options, paint style.Style) *lines {
	return &lines{opts: *o, style: paint, rec: rec, events: make([]atomic.Pointer[eventText], len(rec.Events())),
		bounds: unbounded}
}

// limit limits the lines to bounds, and to the time in which all streams of a trace are active.
func (l *lines) limit(b bounds, overlap bool) error {
	l.bounds = b
	if !overlap {
		return nil
	}
	list, err := l.rec.Overlaps()
	if err != nil {
		return fmt.Errorf("--stream-intersection: %w", err)
	}
	l.traces = map[*ctf.Trace]bounds{}
	for i, t := range l.rec.Traces() {
		l.traces[t] = bounds{list[i].From, list[i].To}
	}
	return nil
}

// limits returns the bounds of a trace.
func (l *lines) limits(t *ctf.Trace) bounds {
	if b, ok := l.traces[t]; ok {
		return l.bounds.within(b)
	}
	return l.bounds
}

// of returns the texts of an event. If two goroutines make them at once, one result is kept.
func (l *lines) of(e *ctf.Event) *eventText {
	if t := l.known(e.Index); t != nil {
		return t
	}
	if t := l.make(e); int(e.Index) < len(l.events) {
		l.events[e.Index].CompareAndSwap(nil, t)
	} else {
		l.later.LoadOrStore(e.Index, t)
	}
	return l.known(e.Index)
}

// known returns the texts of an event that has been printed, or nil.
func (l *lines) known(index int32) *eventText {
	if int(index) < len(l.events) {
		return l.events[index].Load()
	}
	t, _ := l.later.Load(index)
	text, _ := t.(*eventText)
	return text
}

func (l *lines) make(e *ctf.Event) *eventText {
	s := l.opts.style()
	t := &eventText{head: appendHead(nil, l.rec, e, &l.opts, l.style), clock: e.Stream.Clock != nil,
		base: e.Base() + l.opts.Times.Offset, bounds: unbounded}
	if b, ok := l.traces[e.Trace()]; ok {
		t.bounds = bounds{b.from + l.opts.Times.Offset, b.to + l.opts.Times.Offset}
	}
	ev, err := compiler.Compile(e, s)
	t.fields = programs.NewProgram(ev, compiler.Target, err, l.rec.HoldFor)
	if e.PacketForm() != nil {
		ev, err := compiler.CompilePacket(e, s)
		t.packet = programs.NewProgram(ev, compiler.Target, err, l.rec.HoldFor)
	}
	return t
}

// tell reports the events of the lines that have no text, and the reasons.
func (l *lines) tell(job *report.Job) {
	for _, e := range l.rec.Events() {
		t := l.known(e.Index)
		if t == nil {
			continue
		}
		for _, p := range [...]*programs.Program{t.fields, t.packet} {
			if p != nil && p.Err != nil {
				job.Warn(fmt.Errorf("%s: fields of %s are not printed: %w", l.rec.Name(),
					e.Name.Name, p.Err))
				job.Incomplete = true
			}
		}
	}
}

// printer appends lines. It is for one goroutine.
type printer struct {
	_ ordered.Apart
	*lines
	print *programs.Printer
	clock clockText
	leads []lead // by Event.Index
	_     ordered.Apart
}

// lead is the part of a line between its time and its fields. Events of a packet share it.
type lead struct {
	text   []byte
	packet *byte // of Entry.Packet
	comma  int   // the length of the comma at the end, needed only before fields
	*eventText
}

func (l *lines) newPrinter() *printer {
	return &printer{
		lines: l, clock: newClock(l.opts.Times, l.opts.Names.Header), leads: make([]lead, len(l.events)),
		print: programs.NewPrinter(&render.Env{BigEndian: compiler.Target.BigEndian,
			WordSize: compiler.Target.WordSize}),
	}
}

// append appends a line.
func (p *printer) append(dst []byte, e *tracec.Event) []byte {
	x := e.Entry.(*ctf.Entry)
	for int(x.Event.Index) >= len(p.leads) { // metadata have grown
		p.leads = append(p.leads, lead{})
	}
	l := &p.leads[x.Event.Index]
	if l.eventText == nil || len(x.Packet) > 0 && l.packet != &x.Packet[0] {
		p.fill(l, x)
	}
	if !l.has(l.base + int64(e.Time)) {
		return dst
	}
	if l.clock {
		dst = p.clock.append(dst, l.base, e.Time, x.Cycles)
	}
	dst = append(dst, l.text...)
	at := len(dst)
	if dst = p.print.Append(dst, l.fields, e.Data); len(dst) == at {
		dst = dst[:at-l.comma]
	}
	return append(dst, '\n')
}

// fill sets the lead of an event.
func (p *printer) fill(l *lead, x *ctf.Entry) {
	l.eventText = p.of(x.Event)
	l.text = append(l.text[:0], l.head...)
	if l.comma = 0; l.eventText.packet == nil {
		return
	}
	if len(x.Packet) > 0 {
		l.packet = &x.Packet[0]
	}
	at := len(l.text)
	if l.text = p.print.Append(l.text, l.eventText.packet, x.Packet); len(l.text) > at {
		l.text, l.comma = append(l.text, ", "...), 2
	}
}
