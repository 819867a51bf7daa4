package tables

// An Interrupt is a row of [Interrupts]. Its thread is the interrupted thread, or for work the
// thread that executes it.
type Interrupt struct {
	Row
	Kind string // irq, vector, softirq, tasklet, hrtimer, timer, ipi or work; for AIX flih or slih
	// Name is the name of a handler, a vector, a soft interrupt or a function, if the recording has
	// one.
	Name string
	// Key is the number of an irq, a vector or a soft interrupt. For a timer, a tasklet, a work
	// item or the reason of an IPI it is an address.
	Key uint64
	// Ret is the result of the handler of an irq: 0 not handled, 1 handled, 2 a thread handles it.
	// It is -1 if there is no result.
	Ret int32
	// Delay is the time since a soft interrupt was first raised, since work was queued, or since a
	// hrtimer should have expired. For a hrtimer it is negative within the timer's slack.
	Delay    int64
	HasDelay bool
	// Activation is the time that work waited in its queue before activation, which is part of the
	// delay. It is -1 if not recorded.
	Activation int64
	// Context is what the row interrupted: the kind of another row, idle, or ksoftirqd for the
	// thread that handles soft interrupts. It is "" for other threads.
	Context string
	// GapInside reports that events were lost during the row, or during its delay.
	GapInside bool

	nested uint64 // time of rows that interrupted it
	unsure bool   // one of them has an unknown duration
	losses int64  // number of losses when it began
}

// newInterrupt returns a row.
func newInterrupt(row Row, kind, name string, key uint64) Interrupt {
	return Interrupt{Row: row, Kind: kind, Name: name, Key: key, Ret: -1, Activation: -1}
}

// Self returns the duration without the time of rows that interrupted it. It returns false if one
// of these times is unknown.
func (r *Interrupt) Self() (uint64, bool) {
	d, ok := r.Dur()
	return d - min(d, r.nested), ok && !r.unsure
}

// Interrupts has a row for each run of a handler of an interrupt, soft interrupt, timer or work
// item.
var Interrupts = &Table[Interrupt]{
	name: "interrupts",
	doc:  "interrupts, soft interrupts, timers and work items, with delays and durations",
	need: interruptNeeds(), hooks: handlerHooks,
	also: []string{
		"irq:softirq_raise", "kernel:softirq_raise", "timer:hrtimer_start", "timer:hrtimer_cancel",
		"workqueue:workqueue_queue_work", "workqueue:workqueue_activate_work",
	},
	columns: spans(func(r *Interrupt) *Row { return &r.Row },
		column[Interrupt]{
			Column{"kind", "irq, vector, softirq, tasklet, hrtimer, timer, ipi or work; of AIX flih or slih", Text},
			func(r *Interrupt) Value { return text(r.Kind) },
		},
		column[Interrupt]{
			Column{"name", "of the handler, the soft interrupt or the function", Text},
			func(r *Interrupt) Value { return text(r.Name) },
		},
		column[Interrupt]{Column{"number", "of the interrupt, the vector or the soft interrupt", Integer},
			func(r *Interrupt) Value {
				if r.addressed() || r.named() {
					return null
				}
				return integer(int64(r.Key))
			}},
		column[Interrupt]{Column{"address", "of the timer, the tasklet, the work item or the reason of an ipi",
			Address}, func(r *Interrupt) Value {
			if !r.addressed() || r.named() {
				return null
			}
			return integer(int64(r.Key))
		}},
		column[Interrupt]{
			Column{"ret", "result of the handler of an irq: 0 not handled, 1 handled, 2 a thread handles it",
				Integer},
			func(r *Interrupt) Value { return id(r.Ret) },
		},
		column[Interrupt]{Column{"delay", "from the raise, the queueing or the time of expiry to the begin", Duration},
			func(r *Interrupt) Value {
				if !r.HasDelay {
					return null
				}
				return integer(r.Delay)
			}},
		column[Interrupt]{Column{"activation", "work: from the queueing until its queue let it go, a part of delay",
			Duration}, func(r *Interrupt) Value {
			if r.Activation < 0 {
				return null
			}
			return integer(r.Activation)
		}},
		column[Interrupt]{Column{"self", "dur without the interrupts that interrupted it", Duration},
			func(r *Interrupt) Value {
				d, ok := r.Self()
				if !ok {
					return null
				}
				return integer(int64(d))
			}},
		column[Interrupt]{
			Column{"context", "interrupted context: another kind, idle or ksoftirqd; NULL: another thread", Text},
			func(r *Interrupt) Value { return text(r.Context) },
		},
		column[Interrupt]{
			Column{"gap_inside", "events were lost in the row or in its delay", Bool},
			func(r *Interrupt) Value { return boolean(r.GapInside) },
		},
	),
	collect: func(w *Walk, yield func(*Interrupt) bool) collector { return newInterrupts(w, yield) },
}

// named reports whether the row has only a name. Templates of AIX have no other data of handlers.
func (r *Interrupt) named() bool { return r.Kind == flihKind || r.Kind == slihKind }

// addressed reports whether Key is an address.
func (r *Interrupt) addressed() bool {
	return r.Kind != "irq" && r.Kind != "vector" && r.Kind != "softirq"
}
