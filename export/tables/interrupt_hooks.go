package tables

import "github.com/tracec/tracec"

// The kinds of interrupt handlers of AIX: docs/spec/tables.md section 11.
const (
	flihKind = "flih"
	slihKind = "slih"
)

// hookRule returns the rule for a hook of AIX.
func (c *interrupts) hookRule(t *tracec.Type, id string) rule {
	do := c.handlersRule(t, id)
	if do == nil {
		return nil
	}
	return func(ev *tracec.Event) {
		if c.w.placed(ev) {
			do(ev)
		}
	}
}

func (c *interrupts) handlersRule(t *tracec.Type, id string) rule {
	switch id {
	case "100":
		return c.handlerRule(t, flihKind, "type")
	case "102":
		return c.handlerRule(t, slihKind, "handler")
	case "103":
		return c.handled
	case "200":
		return func(ev *tracec.Event) { // without an open handler, the hook is about something else
			p := c.at(ev.CPU)
			if i := p.find(flihKind, 0, false); i >= 0 {
				c.finish(p, i, ev.Time, -1)
			}
		}
	case "106", "10C": // the processor leaves all handlers
		return func(ev *tracec.Event) {
			if p := c.at(ev.CPU); len(p.open) > 0 && p.open[0].Kind == flihKind {
				c.finish(p, 0, ev.Time, -1)
			} else {
				c.cut(p, 0, Unpaired)
			}
		}
	}
	return nil
}

// handlerRule returns the rule for the begin of handlers.
func (c *interrupts) handlerRule(t *tracec.Type, kind, field string) rule {
	names := naming{field: t.Index(field), numbers: true}
	return func(ev *tracec.Event) {
		row := newInterrupt(Row{Begin: ev.Time, CPU: ev.CPU, Thread: c.w.current(ev)}, kind, names.of(ev), 0)
		c.push(c.at(ev.CPU), row)
	}
}

// handled handles the return of second level handlers.
func (c *interrupts) handled(ev *tracec.Event) {
	p := c.at(ev.CPU)
	if i := p.find(slihKind, 0, false); i >= 0 {
		c.finish(p, i, ev.Time, -1)
		return
	}
	c.row = newInterrupt(Row{End: ev.Time, NoBegin: p.missing, CPU: ev.CPU, Thread: c.w.current(ev)}, slihKind, "", 0)
	c.row.Context = p.context(&c.row)
	c.around(p, &c.row)
	c.yield(&c.row)
}
