package tables

import "github.com/tracec/tracec"

// A Lock is a row of [Locks]: a thread waited for a lock, from the request until it got the lock or
// gave up.
type Lock struct {
	Row
	Address uint64
	// Type is the recorded name of the flags of the lock, such as SPIN, WRITE or MUTEX. The events
	// of lockdep have a Name instead. Their Type is try, read or "try read".
	Type, Name string
	Flags      uint64
	// Spun reports whether the thread first tried to get the lock without sleeping.
	Spun bool
	// Contended reports whether another thread held the lock. Only lockdep records uncontended
	// locks.
	Contended bool
	Ret       int32 // 0, or a negative errno if it did not get the lock
	// Held is the time that it held the lock, or -1 if not recorded. Only lockdep records it.
	Held int64
	// GapInside reports whether events were lost during the row.
	GapInside bool

	lockdep bool
	got     bool // it has got the lock: End is known
}

// Locks has a row for each wait for a lock of the kernel.
var Locks = &Table[Lock]{
	name: "locks",
	doc:  "waits of threads for locks of the kernel",
	need: []string{
		"lock:contention_begin", "lock:contention_end",
		"lock:lock_acquire", "lock:lock_acquired", "lock:lock_contended", "lock:lock_release",
	},
	columns: spans(func(l *Lock) *Row { return &l.Row },
		column[Lock]{Column{"address", "of the lock", Address},
			func(l *Lock) Value { return integer(int64(l.Address)) }},
		column[Lock]{
			Column{"type", "name in the recording: SPIN, READ, WRITE, MUTEX and others", Text},
			func(l *Lock) Value { return text(l.Type) },
		},
		column[Lock]{Column{"name", "of the lock, of lockdep", Text}, func(l *Lock) Value { return text(l.Name) }},
		column[Lock]{
			Column{"spun", "the thread tried to have it without sleeping first", Bool},
			func(l *Lock) Value { return boolean(l.Spun) },
		},
		column[Lock]{Column{"contended", "another thread had it", Bool},
			func(l *Lock) Value { return boolean(l.Contended) }},
		column[Lock]{Column{"ret", "0, or a negative errno if it did not get the lock; NULL if not known", Integer},
			func(l *Lock) Value {
				if l.NoEnd != Known || l.lockdep {
					return null
				}
				return integer(int64(l.Ret))
			}},
		column[Lock]{Column{"held", "time that it had the lock, of lockdep", Duration}, func(l *Lock) Value {
			if l.Held < 0 {
				return null
			}
			return integer(l.Held)
		}},
		column[Lock]{
			Column{"gap_inside", "events were lost in the row", Bool},
			func(l *Lock) Value { return boolean(l.GapInside) },
		},
	),
	collect: func(w *Walk, yield func(*Lock) bool) collector { return &locks{w: w, yield: yield} },
}

// locks makes the rows of Locks: docs/spec/tables.md section 7. A thread may wait for a lock while
// it waits for another, in an interrupt. So open rows are a stack for each thread. Package pair is
// not suitable, since the end of a thread ends all its open rows.
type locks struct {
	w       *Walk
	yield   func(*Lock) bool
	threads byThread[waits]
	row     Lock // for events that make a row by themselves
}

// waits holds the open rows of a thread.
type waits struct {
	thread *Thread // owner; another thread with its index has no open rows
	open   []Lock
	losses int64 // number of losses at its last event
}

// maxWaits bounds the open rows of a thread. Lockdep tracks 48 locks (MAX_LOCK_DEPTH).
const maxWaits = 64

// of returns the open rows of the thread of an event. After a loss, only the last one may still be
// open, if the event ends it.
func (c *locks) of(ev *tracec.Event, lock uint64, ends bool) *waits {
	th := c.w.current(ev)
	if th == nil {
		return nil
	}
	s := c.threads.at(th)
	if s.thread != th {
		*s = waits{thread: th, open: s.open[:0], losses: c.w.extent.Losses}
	}
	if s.losses == c.w.extent.Losses {
		return s
	}
	s.losses = c.w.extent.Losses
	kept := len(s.open) - 1
	if kept >= 0 && ends && s.open[kept].Address == lock {
		s.open[kept].GapInside = true
		last := s.open[kept]
		s.open = s.open[:kept]
		c.giveUp(s, 0, Lost)
		s.open = append(s.open, last)
		return s
	}
	c.giveUp(s, 0, Lost)
	return s
}

// giveUp gives up the open rows of a thread from an index on.
func (c *locks) giveUp(s *waits, from int, why Reason) {
	for i := len(s.open) - 1; i >= from; i-- {
		c.drop(s, i, why)
	}
}

// drop makes a row of an open one without a recorded end. If lockdep has recorded that the thread
// got the lock, the end is known.
func (c *locks) drop(s *waits, i int, why Reason) {
	row := &c.row
	*row = s.open[i]
	s.open = append(s.open[:i], s.open[i+1:]...)
	if !row.got {
		row.NoEnd = why
	}
	c.yield(row)
}

// find returns the index of the last open row of a lock, or -1.
func (s *waits) find(lock uint64, lockdep bool) int {
	for i := len(s.open) - 1; i >= 0; i-- {
		if s.open[i].Address == lock && s.open[i].lockdep == lockdep {
			return i
		}
	}
	return -1
}

// begin begins a row.
func (c *locks) begin(s *waits, row Lock) {
	if len(s.open) == maxWaits {
		c.drop(s, 0, Evicted)
	}
	s.open = append(s.open, row)
}

// start returns a row that begins or ends with an event.
func (s *waits) start(ev *tracec.Event, lock uint64) Lock {
	return Lock{Row: Row{CPU: ev.CPU, Thread: s.thread}, Address: lock, Held: -1}
}

// unseen returns the reason for a missing begin of a row. begins reports whether the recording
// describes begins.
func (c *locks) unseen(begins bool) Reason {
	switch {
	case !begins:
		return NotRecorded
	case c.w.extent.Losses > 0:
		return Lost
	}
	return OpenBegin
}

// lost implements collector. The next event of a thread decides which of its rows are still open.
func (c *locks) lost(int32, uint64) {}

// ended implements collector.
func (c *locks) ended(th *Thread, _ uint64) { c.finish(th.Index, Unpaired) }

// end implements collector.
func (c *locks) end(uint64) {
	for i := range c.threads {
		c.finish(i, OpenEnd)
	}
}

func (c *locks) finish(index int, why Reason) {
	if index >= len(c.threads) {
		return
	}
	s := &c.threads[index]
	if s.losses != c.w.extent.Losses && why == Unpaired {
		why = Lost
	}
	c.giveUp(s, 0, why)
}
