package callstack

import (
	"math"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// maxPending limits the calls of a thread that wait for their exit. More calls than the recorder's
// depth limit are damage. They are then shown.
const maxPending = 1 << 16

// queue passes on the records of a thread that pass filters on single calls: -t, -Z, -C. Only the
// exit of a call shows whether it is long enough, or calls a selected function. So its entry waits
// until then, and all later records also wait. The waiting records are the open calls that have not
// been shown yet: one record per level.
type queue struct {
	uftrace.Reader
	p        *Player
	task     *Task
	read     bool // a call was read
	timeOnly bool // calls are left out only for their duration
	lost     bool // records are missing before the next one
	// first is the time from which elapsed bounds of the range count after a loss.
	first uint64

	// batch is the batch of the reader. n of its records pass so far. They are moved together in
	// its memory.
	batch record.Batch[uftrace.Entry]
	n     int
	// late are records that have waited since an earlier batch, and pass. They come before the n
	// records. None of these has passed when a late record does.
	late struct {
		recs []record.Record
		ents []uftrace.Entry
		data []byte // their payloads
	}
	waiting []waiting
	err     error // of the reader, for the next call

	limits  []limit // open time= triggers
	minTime uint64
	sizes   []limit
	minSize uint64

	passed uint64              // time of the last record that passed
	kernel map[int32][]minimum // of a kernel file: see kernelLimits; nil for other queues
	notes  *minimums           // of a queue that kernelLimits reads; nil for other queues
}

// waiting is an entry whose call may be left out.
type waiting struct {
	rec *record.Record // record of the batch; nil if it is a copy
	ent *uftrace.Entry

	ownRec record.Record
	ownEnt uftrace.Entry
	data   []byte // its payload
}

// record returns the entry.
func (w *waiting) record() (*record.Record, *uftrace.Entry) {
	if w.rec != nil {
		return w.rec, w.ent
	}
	return &w.ownRec, &w.ownEnt
}

// limit is the state before a trigger.
type limit struct {
	depth  uint16
	before uint64
}

// newQueue wraps the records of a thread.
func (p *Player) newQueue(t *Task, r uftrace.Reader) *queue {
	l := &p.opts.Limits
	q := &queue{
		Reader: r, p: p, task: t, minTime: l.Time, minSize: l.Size,
		timeOnly: p.filter.actions.all == 0 && l.Size == 0,
	}
	if t == nil {
		q.kernel = p.kernel
	}
	return q
}

// Next implements uftrace.Reader. A batch is the rest of a batch of the thread, or records that
// waited for it.
func (q *queue) Next() (record.Batch[uftrace.Entry], error) {
	for q.n == 0 {
		if err := q.err; err != nil {
			q.err = nil
			return record.Batch[uftrace.Entry]{}, err
		}
		q.sift()
		if l := &q.late; len(l.recs) > 0 {
			late := record.Batch[uftrace.Entry]{Records: l.recs, Entries: l.ents}
			l.recs, l.ents, l.data = l.recs[:0], l.ents[:0], l.data[:0]
			return late, nil
		}
	}
	n := q.n
	q.n = 0
	return record.Batch[uftrace.Entry]{Records: q.batch.Records[:n], Entries: q.batch.Entries[:n]}, nil
}

// sift reads a batch and decides about its records.
func (q *queue) sift() {
	q.batch, q.err = q.Reader.Next()
	recs, ents := q.batch.Records, q.batch.Entries
	if read := q.p.opts.Hooks.Read; read != nil && q.task != nil && len(recs) > 0 {
		read(q.task.Index, recs, ents)
	}
	for i := 0; i < len(recs); i++ {
		if q.timeOnly && q.read {
			if i += q.byTime(recs[i:], ents[i:]); i == len(recs) {
				break
			}
		}
		q.take(&recs[i], &ents[i])
		if q.notes != nil && q.passed != q.notes.until {
			q.notes.add(q.minTime, q.passed)
		}
	}
	if q.err != nil {
		q.flush()
	}
	q.keep()
}

// pass passes a record of the batch. The records before it wait no longer.
func (q *queue) pass(r *record.Record, e *uftrace.Entry) {
	if to := &q.batch.Records[q.n]; to != r {
		*to = *r
		q.batch.Entries[q.n] = *e
	}
	q.n++
	q.passed = max(q.passed, r.Time)
}

// flush passes all waiting records.
func (q *queue) flush() {
	for i := range q.waiting {
		if w := &q.waiting[i]; w.rec != nil {
			q.pass(w.rec, w.ent)
		} else {
			q.passLate(w)
		}
	}
	q.waiting = q.waiting[:0]
}

// passLate passes a copied record.
func (q *queue) passLate(w *waiting) {
	l, r := &q.late, w.ownRec
	if len(w.data) > 0 {
		if len(l.data)+len(w.data) > cap(l.data) {
			// Payloads that were passed on stay in the old array.
			l.data = make([]byte, 0, max(2*cap(l.data), len(w.data), 4096))
		}
		n := len(l.data)
		l.data = append(l.data, w.data...)
		r.Data = l.data[n:len(l.data):len(l.data)]
	}
	l.recs, l.ents = append(l.recs, r), append(l.ents, w.ownEnt)
}

// wait makes an entry wait.
func (q *queue) wait(r *record.Record, e *uftrace.Entry) {
	if len(q.waiting) >= maxPending {
		q.flush()
	}
	n := len(q.waiting)
	if n < cap(q.waiting) {
		q.waiting = q.waiting[:n+1]
	} else {
		q.waiting = append(q.waiting, waiting{})
	}
	w := &q.waiting[n]
	w.rec, w.ent = r, e
}

// keep copies the records that wait longer than their batch is valid.
func (q *queue) keep() {
	for i := len(q.waiting) - 1; i >= 0 && q.waiting[i].rec != nil; i-- {
		w := &q.waiting[i]
		w.ownRec = *w.rec
		w.ownEnt = *w.ent
		w.data = append(w.data[:0], w.rec.Data...)
		w.rec, w.ent = nil, nil
	}
}

// take decides about one record.
func (q *queue) take(r *record.Record, e *uftrace.Entry) {
	if e.Kind >= uftrace.Lost {
		q.takeOther(r, e)
		return
	}
	if q.outside(r) {
		q.p.window.reads(r.Time)
		return
	}
	a := q.p.filter.actions.of(e.Sym)
	var do actionFlags
	if a != nil {
		do = a.flags
	}
	if e.Kind == uftrace.Enter {
		q.openLimits(a, e)
	}
	first := !q.read
	q.read = true
	if first {
		q.p.window.reads(r.Time)
	}
	minSize := q.minSize
	if do&doSize != 0 {
		minSize = a.size // also for a second exit caused by setjmp
	}
	if minSize > 0 && e.Sym != nil && e.Sym.Size < minSize {
		if e.Kind == uftrace.Enter && first && q.task != nil && !q.task.placed && !q.p.window.late() {
			q.p.place(q.task, e) // a function that is left out also begins the indentation
		}
		if e.Kind == uftrace.Leave {
			q.closeLimits(e)
		}
		return
	}
	waits := q.minTime > 0 || q.p.filter.callers || q.kernel != nil || q.notes != nil
	switch {
	case e.Kind == uftrace.Leave:
		q.leave(r, e, do)
		q.closeLimits(e)
	case !waits || do&doTrace != 0:
		q.flush()
		q.pass(r, e)
	default:
		q.wait(r, e)
	}
}

// outside reports whether a call begins or ends outside of the range. As in uftrace, the queue does
// not see such records: of a call that the range cuts, it sees one end.
func (q *queue) outside(r *record.Record) bool {
	w := &q.p.window
	if !w.on {
		return false
	}
	from, to := w.from, w.to
	if q.lost {
		q.lost, q.first = false, r.Time
	}
	if q.first > 0 {
		from, to = w.bounds(q.first)
	}
	return r.Time < from || r.Time > to
}

// byTime decides about calls that depend only on their duration, as take does. It stops before the
// first record that needs more checks, and returns the number of records handled.
func (q *queue) byTime(recs []record.Record, ents []uftrace.Entry) int {
	ents = ents[:len(recs)]
	for i := 0; i < len(recs); i++ {
		from, r, e := i, &recs[i], &ents[i]
		switch e.Kind {
		case uftrace.Enter:
			if len(q.waiting) >= maxPending {
				return i
			}
			if i+1 == len(recs) || ents[i+1].Kind != uftrace.Leave {
				q.wait(r, e)
				continue
			}
			if i++; recs[i].Time-r.Time < q.minTime {
				continue
			}
		case uftrace.Leave:
			if n := len(q.waiting) - 1; n >= 0 {
				begin, e := q.waiting[n].record()
				if e.Kind != uftrace.Enter {
					return i
				}
				if r.Time-begin.Time < q.minTime {
					q.waiting = q.waiting[:n]
					continue
				}
			}
		default:
			return i
		}
		q.flush()
		for j := from; j <= i; j++ {
			q.pass(&recs[j], &ents[j])
		}
	}
	return len(recs)
}

// takeOther decides about a record that is not a call. Events that the recorder made at a function
// stay with it. Events of the program are always shown.
func (q *queue) takeOther(r *record.Record, e *uftrace.Entry) {
	if e.Kind == uftrace.Event && r.ID < UserEvents && len(q.waiting) > 0 {
		q.wait(r, e)
		return
	}
	if e.Kind == uftrace.Lost {
		if q.p.window.late() { // its time is 0
			return
		}
		q.lost = true // elapsed times restart
	}
	q.flush()
	q.pass(r, e)
}

// leave ends the last call that waits, or a call that has passed.
func (q *queue) leave(r *record.Record, e *uftrace.Entry, do actionFlags) {
	n := len(q.waiting) - 1
	var enter *record.Record
	for ; n >= 0; n-- {
		var e *uftrace.Entry
		if enter, e = q.waiting[n].record(); e.Kind == uftrace.Enter {
			break
		}
	}
	if n < 0 {
		q.flush()
		q.pass(r, e)
		return
	}
	keep := r.Time-enter.Time >= q.minimum(r.Task)
	if q.p.filter.callers && do&doCaller == 0 {
		keep = false
	}
	if !keep && do&doTrace == 0 { // calls with trace are shown, even if longjmp ends them a second time
		q.waiting = q.waiting[:n]
		return
	}
	q.flush()
	q.pass(r, e)
}

// openLimits follows the triggers of a function that change the limits below it.
func (q *queue) openLimits(a *action, e *uftrace.Entry) {
	if a == nil {
		return
	}
	if a.flags&doTime != 0 && len(q.limits) < math.MaxUint16 {
		q.limits = append(q.limits, limit{e.Depth, q.minTime})
		q.minTime = a.time
	}
	if a.flags&doSize != 0 && len(q.sizes) < math.MaxUint16 {
		q.sizes = append(q.sizes, limit{e.Depth, q.minSize})
		q.minSize = a.size
	}
}

// closeLimits restores the limits that the call of an exit has changed. A call that longjmp leaves
// keeps its limit until an exit of its depth.
func (q *queue) closeLimits(e *uftrace.Entry) {
	for n := len(q.limits); n > 0 && q.limits[n-1].depth == e.Depth; n-- {
		q.minTime, q.limits = q.limits[n-1].before, q.limits[:n-1]
	}
	for n := len(q.sizes); n > 0 && q.sizes[n-1].depth == e.Depth; n-- {
		q.minSize, q.sizes = q.sizes[n-1].before, q.sizes[:n-1]
	}
}
