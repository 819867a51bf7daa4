package tables

import "github.com/tracec/tracec"

// A TimerLatency is a row of [TimerLat]: a timer woke the thread of the tracer timerlat.
type TimerLatency struct {
	Row
	Sequence uint64 // the number of the timer's expiry on its processor
	// All times count from the expected expiry of the timer: IRQ to its interrupt, Waking to the
	// run of the tracer's thread, and User to its return to user space. They are -1 if not
	// recorded.
	IRQ, Waking, User int64
	// GapInside reports whether events were lost between them.
	GapInside bool
}

// TimerLat has a row for each expiry of the timer of the tracer timerlat. It begins at the event of
// the interrupt and ends at the last event of the expiry.
var TimerLat = &Table[TimerLatency]{
	name: "timerlat",
	doc:  "delays of a timer and its thread, from the tracer timerlat",
	need: []string{"ftrace:timerlat"},
	columns: spans(func(l *TimerLatency) *Row { return &l.Row },
		column[TimerLatency]{
			Column{"sequence", "the number of the expiry on its processor", Integer},
			func(l *TimerLatency) Value { return integer(int64(l.Sequence)) },
		},
		column[TimerLatency]{
			Column{"irq", "delay of the interrupt", Duration},
			func(l *TimerLatency) Value { return latency(l.IRQ) },
		},
		column[TimerLatency]{
			Column{"waking", "delay of the thread", Duration},
			func(l *TimerLatency) Value { return latency(l.Waking) },
		},
		column[TimerLatency]{
			Column{"user", "delay of the return to user space", Duration},
			func(l *TimerLatency) Value { return latency(l.User) },
		},
		column[TimerLatency]{
			Column{"gap_inside", "events were lost between them", Bool},
			func(l *TimerLatency) Value { return boolean(l.GapInside) },
		},
	),
	collect: func(w *Walk, yield func(*TimerLatency) bool) collector {
		return &timerLatencies{w: w, yield: yield}
	},
}

func latency(v int64) Value {
	if v < 0 {
		return null
	}
	return integer(v)
}

// timerLatencies makes the rows of TimerLat: docs/spec/tables.md section 8.
type timerLatencies struct {
	none
	w     *Walk
	yield func(*TimerLatency) bool
	cpus  []expiry // by number plus 1
}

// expiry is the last expiry on a processor.
type expiry struct {
	open bool
	gap  bool // events were lost after its last event
	row  TimerLatency
}

// rule implements collector.
func (c *timerLatencies) rule(t *tracec.Type) rule {
	if t.System != "ftrace" || t.Name != "timerlat" {
		return nil
	}
	seq, context, value := t.Index("seqnum"), t.Index("context"), t.Index("timer_latency")
	return func(ev *tracec.Event) {
		n := int(ev.CPU) + 1
		if n < 0 || n > maxCPUs {
			return
		}
		for n >= len(c.cpus) {
			c.cpus = append(c.cpus, expiry{})
		}
		c.add(&c.cpus[n], ev, bitsAt(ev, seq), bitsAt(ev, context), int64(bitsAt(ev, value)))
	}
}

// add adds an event. The contexts are from timerlat_lat_context in kernel/trace/trace_output.c.
func (c *timerLatencies) add(e *expiry, ev *tracec.Event, seq, context uint64, value int64) {
	const irq, thread, user = 0, 1, 2
	if e.open && (e.row.Sequence != seq || context == irq) {
		c.close(e)
	}
	row := &e.row
	if !e.open {
		e.open, e.gap = true, false
		*row = TimerLatency{Row: Row{Begin: ev.Time, CPU: ev.CPU}, Sequence: seq, IRQ: -1, Waking: -1, User: -1}
		switch {
		case context == irq:
		case c.w.extent.Losses > 0:
			row.NoBegin = Lost
		default:
			row.NoBegin = OpenBegin
		}
	}
	row.GapInside = row.GapInside || e.gap
	row.End = max(ev.Time, row.Begin)
	switch context {
	case irq:
		row.IRQ = value
	case thread:
		row.Waking, row.Thread = value, c.w.current(ev)
	case user:
		row.User = value
	}
}

func (c *timerLatencies) close(e *expiry) {
	e.open = false
	c.yield(&e.row)
}

// lost implements collector.
func (c *timerLatencies) lost(cpu int32, _ uint64) {
	for i := range c.cpus {
		if cpu < 0 || i == int(cpu)+1 {
			c.cpus[i].gap = true
		}
	}
}

// end implements collector.
func (c *timerLatencies) end(uint64) {
	for i := range c.cpus {
		if e := &c.cpus[i]; e.open {
			c.close(e)
		}
	}
}
