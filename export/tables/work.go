package tables

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
	"github.com/tracec/tracec/runtime/pair"
)

// work follows the items of work queues, by their addresses: queued, activated, executed by a
// thread. An item may be queued again during its execution.
type work struct {
	c       *interrupts
	queued  pair.Table[uint64, queued]
	running pair.Table[uint64, Interrupt]
	threads byThread[pair.Ref] // execution on each thread
}

// queued is a waiting item.
type queued struct {
	activated uint64 // 0 if not recorded
	losses    int64
	name      string
}

func (k *work) init(c *interrupts) {
	k.c = c
	k.queued = pair.Table[uint64, queued]{AcrossLost: true, Unpaired: k.waits}
	k.running = pair.Table[uint64, Interrupt]{AcrossLost: true, Unpaired: k.runs}
}

// runs makes a row of an execution without a recorded end.
func (k *work) runs(_ uint64, b pair.Begun[Interrupt], why pair.Reason) {
	b.Value.NoEnd = reasonOf(why)
	k.yield(&b.Value)
}

// waits makes a row of an item without a recorded execution.
func (k *work) waits(item uint64, b pair.Begun[queued], why pair.Reason) {
	row := newInterrupt(Row{NoBegin: reasonOf(why), NoEnd: reasonOf(why), CPU: -1}, "work", b.Value.name, item)
	row.losses = b.Value.losses
	row.activation(b)
	k.yield(&row)
}

func (r *Interrupt) activation(b pair.Begun[queued]) {
	if b.Value.activated != 0 {
		r.Activation = int64(b.Value.activated - min(b.Value.activated, b.Time))
	}
}

// reasonOf returns the reason for a begin without an end.
func reasonOf(why pair.Reason) Reason {
	switch why {
	case pair.Replaced:
		return Replaced
	case pair.Evicted:
		return Evicted
	case pair.Lost:
		return Lost
	}
	return OpenEnd
}

// of returns the work that a thread executes, or nil.
func (k *work) of(th *Thread) *Interrupt {
	if th == nil || th.Index >= len(k.threads) {
		return nil
	}
	if b := k.running.At(k.threads[th.Index]); b != nil && b.Value.Thread == th {
		return &b.Value
	}
	return nil
}

// workRule returns the rule for waiting work.
func (k *work) workRule(t *tracec.Type) rule {
	item, names := t.Index("work"), naming{field: t.Index("function")}
	if system, _, _ := kernel.Title(t.System, t.Name); system != "workqueue" || item < 0 {
		return nil
	}
	switch t.Name {
	case "workqueue_queue_work":
		return func(ev *tracec.Event) {
			k.queued.Begin(bitsAt(ev, item), ev.Record, queued{losses: k.c.w.extent.Losses, name: names.of(ev)})
		}
	case "workqueue_activate_work":
		return func(ev *tracec.Event) {
			if b := k.queued.Last(bitsAt(ev, item), ev.Record); b != nil {
				b.Value.activated = ev.Time
			}
		}
	}
	return nil
}

// executeRule returns the rule for the begin or the end of work.
func (k *work) executeRule(t *tracec.Type, in kernel.Pair, begins bool) rule {
	item, names := t.Index(in.Key), naming{field: t.Index(in.Name)}
	switch {
	case item < 0:
		return nil
	case begins:
		return func(ev *tracec.Event) { k.start(ev, bitsAt(ev, item), names.of(ev)) }
	}
	starts := k.c.w.has(in.System + ":" + in.Begin)
	return func(ev *tracec.Event) { k.stop(ev, bitsAt(ev, item), names.of(ev), starts) }
}

func (k *work) start(ev *tracec.Event, item uint64, name string) {
	th := k.c.w.current(ev)
	row := newInterrupt(Row{Begin: ev.Time, CPU: ev.CPU, Thread: th}, "work", name, item)
	row.losses = k.c.w.extent.Losses
	if b, ok := k.queued.End(item, ev.Record); ok {
		row.Delay, row.HasDelay = int64(ev.Time-min(ev.Time, b.Time)), true
		row.losses = b.Value.losses
		row.activation(b)
	}
	ref := k.running.Begin(item, ev.Record, row)
	if th == nil {
		return
	}
	*k.threads.at(th) = ref
}

// stop ends a row. starts reports whether the recording describes begins.
func (k *work) stop(ev *tracec.Event, item uint64, name string, starts bool) {
	row := &k.c.row
	if b, ok := k.running.End(item, ev.Record); ok {
		*row = b.Value
	} else {
		*row = newInterrupt(Row{NoBegin: OpenBegin, CPU: ev.CPU, Thread: k.c.w.current(ev)}, "work", name, item)
		switch {
		case !starts:
			row.NoBegin = NotRecorded
		case k.c.w.extent.Losses > 0:
			row.NoBegin = Lost
		}
		row.losses = k.c.w.extent.Losses
	}
	row.End = max(ev.Time, row.Begin)
	k.yield(row)
}

func (k *work) yield(row *Interrupt) {
	row.GapInside = row.losses != k.c.w.extent.Losses
	k.c.yield(row)
}

// end gives up the open rows at the end of the recording.
func (k *work) end() {
	k.running.Finish()
	k.queued.Finish()
}
