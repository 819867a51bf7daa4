package babeltrace

import (
	"fmt"
	"sync/atomic"

	"github.com/tracec/tracec"
	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/report"
	"github.com/tracec/tracec/report/style"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/render"
)

// lines has the constant texts and the programs of events. All lines share them. Any goroutine may
// use it.
type lines struct {
	opts   Options
	style  style.Style
	rec    *ctf.Recording
	events []atomic.Pointer[eventText] // by Event.Index
}

// eventText has the constant parts of the lines of an event.
type eventText struct {
	head   []byte            // between time and fields
	packet *programs.Program // of the context of packets; nil if packets have no fields of their own
	fields *programs.Program
	clock  bool  // events have a time
	base   int64 // added to Record.Time, in nanoseconds
}

func newLines(rec *ctf.Recording, o *Options, paint style.Style) *lines {
	return &lines{opts: *o, style: paint, rec: rec, events: make([]atomic.Pointer[eventText], len(rec.Events()))}
}

// of returns the texts of an event. Two goroutines may make them at once; one of them is kept.
func (l *lines) of(e *ctf.Event) *eventText {
	p := &l.events[e.Index]
	if t := p.Load(); t != nil {
		return t
	}
	p.CompareAndSwap(nil, l.make(e))
	return p.Load()
}

func (l *lines) make(e *ctf.Event) *eventText {
	s := l.opts.style()
	t := &eventText{head: appendHead(nil, l.rec, e, &l.opts, l.style), clock: e.Stream.Clock != nil,
		base: e.Base() + l.opts.Times.Offset}
	ev, err := compiler.Compile(e, s)
	t.fields = programs.NewProgram(ev, compiler.Target, err, l.rec.HoldFor)
	if e.PacketForm() != nil {
		ev, err := compiler.CompilePacket(e, s)
		t.packet = programs.NewProgram(ev, compiler.Target, err, l.rec.HoldFor)
	}
	return t
}

// tell prints which of the events of the lines have no text, and why.
func (l *lines) tell(job *report.Job) {
	for i := range l.events {
		t := l.events[i].Load()
		if t == nil {
			continue
		}
		for _, p := range [...]*programs.Program{t.fields, t.packet} {
			if p != nil && p.Err != nil {
				job.Warn(fmt.Errorf("%s: fields of %s are not printed: %w", l.rec.Name(),
					l.rec.Events()[i].Name.Name, p.Err))
				job.Incomplete = true
			}
		}
	}
}

// printer appends lines. It is for one goroutine.
type printer struct {
	*lines
	print *programs.Printer
	clock clockText
	// packets have the texts of the contexts of the packets that events were in last, by
	// Record.Stream.
	packets []packetText
}

// packetText is the text of the context of a packet.
type packetText struct {
	of   *byte // Entry.Packet
	text []byte
}

func (l *lines) newPrinter() *printer {
	return &printer{
		lines: l, clock: clockText{Times: l.opts.Times, names: l.opts.Names.Header},
		print: programs.NewPrinter(&render.Env{BigEndian: compiler.Target.BigEndian,
			WordSize: compiler.Target.WordSize}),
	}
}

// append appends a line.
func (p *printer) append(dst []byte, e *tracec.Event) []byte {
	x := e.Entry.(*ctf.Entry)
	t := p.of(x.Event)
	if t.clock {
		dst = p.clock.append(dst, t.base, e.Time, x.Cycles)
	}
	dst = append(dst, t.head...)
	at := len(dst)
	if t.packet != nil {
		dst = append(dst, p.packet(t.packet.Text(), int(e.Stream), x.Packet)...)
	}
	end := len(dst)
	if end > at {
		dst = append(dst, ", "...)
	}
	fields := len(dst)
	if dst = p.print.Append(dst, t.fields, e.Data); len(dst) == fields {
		dst = dst[:end]
	}
	return append(dst, '\n')
}

// packet returns the text of the context of a packet. Packets have many events.
func (p *printer) packet(text *interp.Program, stream int, data []byte) []byte {
	for stream >= len(p.packets) {
		p.packets = append(p.packets, packetText{})
	}
	k := &p.packets[stream]
	if len(data) == 0 || k.of != &data[0] {
		k.of, k.text = nil, p.print.AppendText(k.text[:0], text, data)
		if len(data) > 0 {
			k.of = &data[0]
		}
	}
	return k.text
}
