package tables

import (
	"strings"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
)

// interruptNeeds lists the events of interrupts and of running work.
func interruptNeeds() (list []string) {
	for _, p := range kernel.Pairs {
		if strings.HasPrefix(p.Begin, "*") {
			list = append(list, p.System+":*")
			continue
		}
		list = append(list, p.System+":"+p.Begin, p.System+":"+p.End)
	}
	return list
}

// rule implements collector.
func (c *interrupts) rule(t *tracec.Type) rule {
	if id := hookID(t); id != "" {
		return c.hookRule(t, id)
	}
	if p, begins, ok := kernel.PairOf(t); ok {
		switch {
		case p.Kind == "work":
			return c.executeRule(t, p, begins)
		case begins:
			return c.beginRule(t, p)
		}
		return c.endRule(t, p)
	}
	switch {
	case kernel.Is(t, "irq:softirq_raise"):
		return c.raiseRule(t, "vec")
	case kernel.Is(t, "kernel:softirq_raise"):
		return c.raiseRule(t, "softirq_id")
	case kernel.Is(t, "timer:hrtimer_start"):
		return c.timerRule(t, false)
	case kernel.Is(t, "timer:hrtimer_cancel"):
		return c.timerRule(t, true)
	}
	return c.workRule(t)
}

// namesOf returns the names of a pair's rows. The name of a vector is the name of its events.
func (c *interrupts) namesOf(t *tracec.Type, in kernel.Pair) naming {
	if in.Kind == "vector" {
		return naming{field: -1, none: strings.TrimSuffix(in.Begin, "_entry")}
	}
	return naming{field: t.Index(in.Name), strings: c.w.strings}
}

func (c *interrupts) beginRule(t *tracec.Type, in kernel.Pair) rule {
	key, names, now := t.Index(in.Key), c.namesOf(t, in), t.Index("now")
	return func(ev *tracec.Event) {
		row := newInterrupt(Row{Begin: ev.Time, CPU: ev.CPU, Thread: c.w.current(ev)}, in.Kind, names.of(ev),
			bitsAt(ev, key))
		p := c.at(ev.CPU)
		switch in.Kind {
		case "softirq":
			p.enter(&row)
		case "hrtimer":
			c.expires(ev, &row, now)
		}
		c.begin(p, row, in.Alone)
	}
}

func (c *interrupts) endRule(t *tracec.Type, in kernel.Pair) rule {
	key, ret, names := t.Index(in.Key), -1, c.namesOf(t, in)
	if in.Kind == "irq" {
		if ret = t.Index("ret"); ret < 0 {
			ret = t.Index("handled")
		}
	}
	described := c.w.has(in.System + ":" + in.Begin)
	return func(ev *tracec.Event) {
		p, result := c.at(ev.CPU), int32(-1)
		if ret >= 0 {
			result = int32(bitsAt(ev, ret))
		}
		if i := p.find(in.Kind, bitsAt(ev, key), key >= 0); i >= 0 {
			c.finish(p, i, ev.Time, result)
			return
		}
		row := &c.row
		at := Row{End: ev.Time, NoBegin: p.missing, CPU: ev.CPU, Thread: c.w.current(ev)}
		*row = newInterrupt(at, in.Kind, names.of(ev), bitsAt(ev, key))
		row.Ret = result
		if !described {
			row.NoBegin = NotRecorded
		}
		row.Context = p.context(row)
		c.around(p, row)
		c.yield(row)
	}
}

// raiseRule returns the rule for raised soft interrupts.
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

// enter sets the delay since the first raise of a soft interrupt.
func (p *processor) enter(row *Interrupt) {
	if row.Key >= uint64(len(p.raised)) || p.pending&(1<<row.Key) == 0 {
		return
	}
	row.Delay, row.HasDelay = int64(row.Begin-min(row.Begin, p.raised[row.Key])), true
	p.pending &^= 1 << row.Key
}

// timerRule returns the rule for started or cancelled hrtimers. Their times are in fields, since
// the clock of the recording may differ.
func (c *interrupts) timerRule(t *tracec.Type, cancels bool) rule {
	timer, expires := t.Index("hrtimer"), t.Index("expires")
	switch {
	case timer >= 0 && expires >= 0:
		return func(ev *tracec.Event) {
			c.timers.Begin(bitsAt(ev, timer), ev.Record, armed{int64(bitsAt(ev, expires)), c.w.extent.Losses})
		}
	case timer >= 0 && cancels:
		return func(ev *tracec.Event) { c.timers.End(bitsAt(ev, timer), ev.Record) }
	}
	c.w.note("%s has no fields hrtimer and expires: delays of timers are not known", t.Name)
	return nil
}

// expires sets the delay since a timer should have expired.
func (c *interrupts) expires(ev *tracec.Event, row *Interrupt, now int) {
	b, ok := c.timers.End(row.Key, ev.Record)
	if !ok || now < 0 {
		return
	}
	row.Delay, row.HasDelay = int64(bitsAt(ev, now))-b.Value.expires, true
	row.GapInside = b.Value.losses != c.w.extent.Losses
}
