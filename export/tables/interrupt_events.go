package tables

import (
	"strings"

	"github.com/tracec/tracec"
)

// interruption is a kind of interrupts, and the events that begin and end them.
type interruption struct {
	system, stem string // of the names, which end in _entry and _exit; "" is any
	kind         string
	key, name    string // fields
	// alone: a processor handles one of them at a time. Of other kinds it is one of each key.
	alone bool
}

// interruptions are the kinds by their events: of Linux (include/trace/events: irq.h, timer.h,
// ipi.h; arch/x86/include/asm/trace/irq_vectors.h) and of the kernel markers of LTTng before 2.0.
var interruptions = []interruption{
	{system: "irq", stem: "irq_handler", kind: "irq", key: "irq", name: "name"},
	{system: "irq", stem: "softirq", kind: "softirq", key: "vec", name: "vec", alone: true},
	{system: "irq", stem: "tasklet", kind: "tasklet", key: "tasklet", name: "func", alone: true},
	{system: "timer", stem: "hrtimer_expire", kind: "hrtimer", key: "hrtimer", name: "function"},
	{system: "timer", stem: "timer_expire", kind: "timer", key: "timer", name: "function", alone: true},
	{system: "ipi", stem: "ipi", kind: "ipi", key: "reason", name: "reason"},
	{system: "irq_vectors", kind: "vector", key: "vector"},
	{system: "kernel", stem: "irq", kind: "irq", key: "irq_id"},
	{system: "kernel", stem: "softirq", kind: "softirq", key: "softirq_id", name: "softirq_id", alone: true},
}

// interruptNeeds lists the events of interruptions and of running work.
func interruptNeeds() []string {
	list := []string{"workqueue:workqueue_execute_start", "workqueue:workqueue_execute_end"}
	for _, in := range interruptions {
		if in.stem == "" {
			list = append(list, in.system+":*")
			continue
		}
		list = append(list, in.system+":"+in.stem+"_entry", in.system+":"+in.stem+"_exit")
	}
	return list
}

// rule implements collector.
func (c *interrupts) rule(t *tracec.Type) rule {
	if id := hookID(t); id != "" {
		return c.hookRule(t, id)
	}
	for _, in := range interruptions {
		if in.system != t.System {
			continue
		}
		stem, begins := strings.CutSuffix(t.Name, "_entry")
		ends := false
		if !begins {
			stem, ends = strings.CutSuffix(t.Name, "_exit")
		}
		switch {
		case in.stem != "" && in.stem != stem:
		case begins:
			return c.beginRule(t, in, stem)
		case ends:
			return c.endRule(t, in, stem)
		}
	}
	switch t.System + ":" + t.Name {
	case "irq:softirq_raise":
		return c.raiseRule(t, "vec")
	case "kernel:softirq_raise":
		return c.raiseRule(t, "softirq_id")
	case "timer:hrtimer_start", "timer:hrtimer_cancel":
		return c.timerRule(t)
	}
	return c.workRule(t)
}

func (c *interrupts) beginRule(t *tracec.Type, in interruption, stem string) rule {
	key, names, now := t.Index(in.key), naming{field: t.Index(in.name), strings: c.w.strings}, t.Index("now")
	return func(ev *tracec.Event) {
		row := newInterrupt(Row{Begin: ev.Time, CPU: ev.CPU, Thread: c.w.current(ev)}, in.kind, names.of(ev), bitsAt(ev, key))
		if in.system == "irq_vectors" {
			row.Name = stem
		}
		p := c.at(ev.CPU)
		switch in.kind {
		case "softirq":
			p.enter(&row)
		case "hrtimer":
			c.expires(ev, &row, now)
		}
		c.begin(p, row, in.alone)
	}
}

func (c *interrupts) endRule(t *tracec.Type, in interruption, stem string) rule {
	key, ret, names := t.Index(in.key), -1, naming{field: t.Index(in.name), strings: c.w.strings}
	if in.kind == "irq" {
		if ret = t.Index("ret"); ret < 0 {
			ret = t.Index("handled")
		}
	}
	described := c.w.has(in.system + ":" + stem + "_entry")
	return func(ev *tracec.Event) {
		p, result := c.at(ev.CPU), int32(-1)
		if ret >= 0 {
			result = int32(bitsAt(ev, ret))
		}
		if i := p.find(in.kind, bitsAt(ev, key), key >= 0); i >= 0 {
			c.finish(p, i, ev.Time, result)
			return
		}
		row := &c.row
		at := Row{End: ev.Time, NoBegin: p.missing, CPU: ev.CPU, Thread: c.w.current(ev)}
		*row = newInterrupt(at, in.kind, names.of(ev), bitsAt(ev, key))
		row.Ret = result
		if !described {
			row.NoBegin = NotRecorded
		}
		if in.system == "irq_vectors" {
			row.Name = stem
		}
		row.Context = p.context(row)
		c.around(p, row)
		c.yield(row)
	}
}

// raiseRule follows that soft interrupts are raised.
func (c *interrupts) raiseRule(t *tracec.Type, field string) rule {
	vec := t.Index(field)
	if vec < 0 {
		c.w.note("%s has no field %s: delays of soft interrupts are not known", t.Name, field)
		return nil
	}
	return func(ev *tracec.Event) {
		p := c.at(ev.CPU)
		if n := bitsAt(ev, vec); n < uint64(len(p.raised)) && p.pending&(1<<n) == 0 {
			p.raised[n], p.pending = ev.Time, p.pending|1<<n
		}
	}
}

// enter takes the time since the first raise of a soft interrupt.
func (p *processor) enter(row *Interrupt) {
	if row.Key >= uint64(len(p.raised)) || p.pending&(1<<row.Key) == 0 {
		return
	}
	row.Delay, row.HasDelay = int64(row.Begin-min(row.Begin, p.raised[row.Key])), true
	p.pending &^= 1 << row.Key
}

// timerRule follows hrtimers until they expire. Their times are in fields: the clock of the
// recording may be another one.
func (c *interrupts) timerRule(t *tracec.Type) rule {
	timer, expires := t.Index("hrtimer"), t.Index("expires")
	switch {
	case timer >= 0 && expires >= 0:
		return func(ev *tracec.Event) {
			c.timers.Begin(bitsAt(ev, timer), ev.Record, armed{int64(bitsAt(ev, expires)), c.w.extent.Losses})
		}
	case timer >= 0 && t.Name == "hrtimer_cancel":
		return func(ev *tracec.Event) { c.timers.End(bitsAt(ev, timer), ev.Record) }
	}
	c.w.note("%s has no fields hrtimer and expires: delays of timers are not known", t.Name)
	return nil
}

// expires takes the time since a timer was to expire.
func (c *interrupts) expires(ev *tracec.Event, row *Interrupt, now int) {
	b, ok := c.timers.End(row.Key, ev.Record)
	if !ok || now < 0 {
		return
	}
	row.Delay, row.HasDelay = int64(bitsAt(ev, now))-b.Value.expires, true
	row.GapInside = b.Value.losses != c.w.extent.Losses
}
