package tables

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/render"
)

// hookHalf describes how a hook of AIX reports the begin or the end of a call, by the fields of its
// template (docs/spec/tables.md section 11).
type hookHalf struct {
	names  naming // names of calls
	calls  map[string]*call
	errno  int // the field with the number of the error; -1 for none
	errors map[uint64]string
}

// call returns the kind of the call of an event. All calls without a name have the same kind.
func (h *hookHalf) call(ev *tracec.Event) *call {
	name := h.names.of(ev)
	k := h.calls[name]
	if k == nil {
		k = &call{name: name}
		if len(h.calls) < maxNumbers {
			h.calls[name] = k
		}
	}
	return k
}

// error returns the name of the error of a call, or "".
func (h *hookHalf) error(ev *tracec.Event) string {
	n := bitsAt(ev, h.errno)
	if n == 0 {
		return ""
	}
	name := h.errors[n]
	if name == "" {
		name = string(render.AIXErrno(nil, nil, n))
		if len(h.errors) < maxNumbers {
			h.errors[n] = name
		}
	}
	return name
}

// hookRule returns the rule for a hook of AIX.
func (c *callers) hookRule(t *tracec.Type, id string) rule {
	if c.modes == nil && len(c.w.lacks(modeHooks)) == 0 {
		c.modes = newModes(c.w, c.runs)
		c.modes.quiet = true
	}
	calls := c.hookHalf(t, id)
	if c.modes == nil {
		return calls
	}
	modes := c.modes.rule(t)
	if calls == nil || modes == nil {
		return modes
	}
	return func(ev *tracec.Event) {
		modes(ev)
		calls(ev)
	}
}

// hookHalf returns the rule for a hook at the begin or the end of calls, or nil for others.
func (c *callers) hookHalf(t *tracec.Type, id string) rule {
	hook := &hookHalf{names: naming{field: -1}, calls: map[string]*call{}, errno: -1, errors: map[uint64]string{}}
	h := half{family: raw, number: -1, ret: -1, other: true, hook: hook}
	switch id {
	case "101":
		hook.names = naming{field: t.Index("svc"), numbers: true}
		return func(ev *tracec.Event) { c.enter(ev, &h) }
	case "104":
		h.ret, hook.errno = t.Index("ret"), t.Index("errno")
		return func(ev *tracec.Event) { c.leave(ev, &h) }
	}
	return nil
}

// runs adds the time of a mode to the open call of its thread.
func (c *callers) runs(row *Mode) bool {
	if row.Thread == nil {
		return true
	}
	s := c.at(row.Thread)
	dur, known := row.Dur()
	switch {
	case !s.open || s.row.OnCPU < 0:
	case row.NoEnd == OpenEnd: // the call also ends there
	case !known:
		s.row.OnCPU = -1
	case row.Mode == syscallMode:
		s.row.OnCPU += int64(dur)
	case row.Mode != flih && row.Mode != slih && row.Mode != dispatch:
		s.row.OnCPU = -1
	}
	return true
}

// onCPU returns the processor time of a call up to an event at its begin or its end.
func (c *callers) onCPU(ev *tracec.Event, time int64) int64 {
	if c.modes == nil || ev.CPU < 0 {
		return -1
	}
	return time
}
