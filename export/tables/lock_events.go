package tables

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
)

// lockFields holds the places of fields, -1 if missing.
type lockFields struct{ address, flags, ret int }

// rule implements collector.
func (c *locks) rule(t *tracec.Type) rule {
	f := lockFields{address: t.Index("lock_addr"), flags: t.Index("flags"), ret: t.Index("ret")}
	if f.address < 0 {
		f.address = t.Index("lockdep_addr")
	}
	var do rule
	switch t.Name {
	case "contention_begin":
		do = c.contentionBegin(f)
	case "contention_end":
		do = c.contentionEnd(f)
	case "lock_acquire":
		do = c.acquire(f, t.Index("name"))
	case "lock_contended":
		do = func(ev *tracec.Event) {
			if row := c.depend(ev, f); row != nil {
				row.Contended = true
			}
		}
	case "lock_acquired":
		do = func(ev *tracec.Event) {
			if row := c.depend(ev, f); row != nil && !row.got {
				row.End, row.got = max(ev.Time, row.Begin), true
			}
		}
	case "lock_release":
		do = c.release(f, t.Index("name"))
	}
	if system, _, _ := kernel.Title(t.System, t.Name); system != "lock" || do == nil {
		return nil
	}
	if f.address < 0 {
		c.w.note("%s has no address of a lock: it is not followed", t.Name)
		return nil
	}
	return do
}

// spin is the flag of a wait for a lock without sleeping: LCB_F_SPIN in
// include/trace/events/lock.h.
const spin = 1

// contentionBegin returns the rule for the begin of a wait. A thread that has tried to get a
// sleeping lock without sleeping begins again, with the same flags except spin.
func (c *locks) contentionBegin(f lockFields) rule {
	names := naming{field: f.flags}
	return func(ev *tracec.Event) {
		lock, flags := bitsAt(ev, f.address), bitsAt(ev, f.flags)
		s := c.of(ev, lock, false)
		if s == nil {
			return
		}
		name := names.of(ev)
		if flags == 0 && f.flags >= 0 {
			name = "semaphore" // a semaphore has no flag
		}
		if i := s.find(lock, false); i >= 0 {
			if row := &s.open[i]; row.Flags == flags|spin && flags&spin == 0 {
				row.Type, row.Flags, row.Spun = name, flags, true
				return
			}
			c.drop(s, i, Replaced)
		}
		row := s.start(ev, lock)
		row.Begin, row.Type, row.Flags, row.Contended = ev.Time, name, flags, true
		c.begin(s, row)
	}
}

func (c *locks) contentionEnd(f lockFields) rule {
	begins := c.w.has("lock:contention_begin")
	return func(ev *tracec.Event) {
		lock := bitsAt(ev, f.address)
		s := c.of(ev, lock, true)
		if s == nil {
			return
		}
		row, begun := c.take(s, ev, lock, false)
		if !begun {
			row.NoBegin, row.Contended = c.unseen(begins), true
		}
		row.End, row.Ret = max(ev.Time, row.Begin), int32(bitsAt(ev, f.ret))
		c.yield(row)
	}
}

// take moves the open row of a lock to c.row. Without an open row, c.row begins at the event, and
// begun is false.
func (c *locks) take(s *waits, ev *tracec.Event, lock uint64, lockdep bool) (row *Lock, begun bool) {
	i := s.find(lock, lockdep)
	if i < 0 {
		c.row = s.start(ev, lock)
		return &c.row, false
	}
	c.row = s.open[i]
	s.open = append(s.open[:i], s.open[i+1:]...)
	return &c.row, true
}

// acquire returns the rule for lockdep's event of a request for a lock. Flag 1 means only to try,
// flag 2 to read (include/trace/events/lock.h).
func (c *locks) acquire(f lockFields, name int) rule {
	names := naming{field: name}
	types := [4]string{"", "try", "read", "try read"}
	return func(ev *tracec.Event) {
		lock := bitsAt(ev, f.address)
		s := c.of(ev, lock, false)
		if s == nil {
			return
		}
		row := s.start(ev, lock)
		row.Flags = bitsAt(ev, f.flags)
		row.Begin, row.Name, row.Type, row.lockdep = ev.Time, names.of(ev), types[row.Flags&3], true
		c.begin(s, row)
	}
}

// depend returns the open row of lockdep for an event, or nil.
func (c *locks) depend(ev *tracec.Event, f lockFields) *Lock {
	lock := bitsAt(ev, f.address)
	s := c.of(ev, lock, true)
	if s == nil {
		return nil
	}
	if i := s.find(lock, true); i >= 0 {
		return &s.open[i]
	}
	return nil
}

// release returns the rule for a released lock. Kernels without statistics of locks do not record
// when a thread got the lock.
func (c *locks) release(f lockFields, name int) rule {
	names, begins := naming{field: name}, c.w.has("lock:lock_acquire")
	return func(ev *tracec.Event) {
		lock := bitsAt(ev, f.address)
		s := c.of(ev, lock, true)
		if s == nil {
			return
		}
		row, begun := c.take(s, ev, lock, true)
		if !begun {
			row.NoBegin, row.Name, row.lockdep = c.unseen(begins), names.of(ev), true
		}
		switch {
		case row.got:
			row.Held = int64(max(ev.Time, row.End) - row.End)
		case row.NoBegin != Known:
			row.NoEnd = row.NoBegin
		default:
			row.NoEnd = NotRecorded
		}
		c.yield(row)
	}
}
