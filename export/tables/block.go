package tables

import (
	"fmt"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/internal/kernel"
	"github.com/tracec/tracec/runtime/pair"
)

// requests makes the rows of BlockIO: docs/spec/tables.md section 6. A request is queued, issued
// and completed. It is then kept until the kernel's statistics have counted it.
type requests struct {
	w      *Walk
	yield  func(*Request) bool
	asked  pair.Table[place, asker]
	ends   pair.Table[place, uint64] // first sectors of queued requests, by their end
	queued chains
	issued chains
	held   chains
	counts bool // the recording has events of requests in the statistics
	issues bool // the recording has events of issued requests
	devs   map[uint32]string
	free   []*Request // requests for reuse by start
}

// asker is the thread that submitted a bio, and the time.
type asker struct {
	thread *Thread
	time   uint64
	sent   bool // the bio came from another device
}

func newRequests(w *Walk, yield func(*Request) bool) *requests {
	c := &requests{w: w, yield: yield, devs: map[uint32]string{}}
	c.asked.AcrossLost, c.ends.AcrossLost = true, true
	c.queued.init(c.leave)
	c.issued.init(func(q *Request, why Reason) {
		q.NoEnd = why
		c.emit(q)
	})
	c.held.init(func(q *Request, _ Reason) { c.emit(q) })
	return c
}

// emit makes a row of a request, and forgets the request.
func (c *requests) emit(q *Request) {
	q.GapInside = q.losses != c.w.extent.Losses
	c.yield(q)
	c.free = append(c.free, q)
}

// leave makes a row of a queued request without a recorded end. If it was never issued, it also has
// no begin.
func (c *requests) leave(q *Request, why Reason) {
	if q.NoEnd = why; q.Issues == 0 {
		q.NoBegin = why
	}
	c.emit(q)
}

// start returns a request for its first event.
func (c *requests) start(ev *blockEvent) *Request {
	name, ok := c.devs[ev.dev]
	if !ok {
		// MINORBITS is 20 (include/linux/kdev_t.h).
		name = fmt.Sprintf("%d:%d", ev.dev>>20, ev.dev&(1<<20-1))
		if len(c.devs) < maxNames {
			c.devs[ev.dev] = name
		}
	}
	if len(c.free) == 0 {
		c.free = append(c.free, new(Request))
	}
	last := len(c.free) - 1
	q := c.free[last]
	c.free = c.free[:last]
	*q = Request{Device: name, Sector: ev.sector, Sectors: ev.count, Op: ev.op(), losses: c.w.extent.Losses}
	q.CPU = -1
	return q
}

// queue handles the creation of a request for a bio.
func (c *requests) queue(ev *blockEvent) {
	q := c.start(ev)
	q.Times.Queued, q.Asker = ev.Time, c.w.current(ev.Event)
	if b, ok := c.asked.End(ev.place(), ev.Record); ok {
		q.Times.Queued, q.Asker = b.Value.time, b.Value.thread
	}
	c.wait(ev, q)
}

// wait puts a request into the queue.
func (c *requests) wait(ev *blockEvent, q *Request) {
	if !c.queued.push(ev.place(), ev.Record, q) {
		c.leave(q, Evicted)
		return
	}
	if ev.count > 0 {
		c.ends.Begin(placeOf(ev.dev, sectors, ev.sector+uint64(ev.count)), ev.Record, ev.sector)
	}
}

// doBioQueue handles a submitted bio. A bio from another device keeps its asker.
func (c *requests) doBioQueue(ev *blockEvent) {
	at := ev.place()
	if b := c.asked.Last(at, ev.Record); b != nil && b.Value.sent {
		b.Value.sent = false
		return
	}
	c.asked.Begin(at, ev.Record, asker{thread: c.w.current(ev.Event), time: ev.Time})
}

// doRemap handles a bio that is passed to another device.
func (c *requests) doRemap(ev *blockEvent) {
	old := placeOf(uint32(bitsAt(ev.Event, ev.f.oldDev)), ev.place().kind(), bitsAt(ev.Event, ev.f.oldSector))
	b := c.asked.Last(old, ev.Record)
	if b != nil {
		c.asked.Begin(ev.place(), ev.Record, asker{b.Value.thread, b.Value.time, true})
	}
}

func (c *requests) doStart(ev *blockEvent) {
	q := c.queued.last(ev.place(), ev.Record)
	if q == nil || q.Times.Started != 0 {
		c.queue(ev)
		q = c.queued.last(ev.place(), ev.Record)
	}
	q.Times.Started, c.counts = ev.Time, true
}

func (c *requests) doInsert(ev *blockEvent) {
	q := c.queued.last(ev.place(), ev.Record)
	if q == nil {
		q = c.start(ev)
		q.Times.Queued, q.Times.Inserted = ev.Time, ev.Time
		c.wait(ev, q)
		return
	}
	if q.Times.Inserted == 0 {
		q.Times.Inserted = ev.Time
	}
}

// doBackMerge adds a bio to the request that ends at its begin.
func (c *requests) doBackMerge(ev *blockEvent) {
	c.asked.End(ev.place(), ev.Record)
	c.grow(ev, ev.count, 1)
}

// grow adds sectors to the request that ends at an event's sector. merged is the number of their
// bios.
func (c *requests) grow(ev *blockEvent, count uint32, merged int32) {
	b, ok := c.ends.End(placeOf(ev.dev, sectors, ev.sector), ev.Record)
	if !ok {
		return
	}
	if q := c.queued.last(placeOf(ev.dev, sectors, b.Value), ev.Record); q != nil {
		q.Sectors += count
		q.Merged += merged
		c.ends.Begin(placeOf(ev.dev, sectors, ev.sector+uint64(count)), ev.Record, b.Value)
	}
}

// doFrontMerge adds a bio to the request that begins at its end.
func (c *requests) doFrontMerge(ev *blockEvent) {
	c.asked.End(ev.place(), ev.Record)
	q := c.queued.take(placeOf(ev.dev, sectors, ev.sector+uint64(ev.count)), ev.Record)
	if q == nil {
		return
	}
	q.Sector, q.Sectors = ev.sector, q.Sectors+ev.count
	q.Merged++
	ev.count = q.Sectors
	c.wait(ev, q)
}

// doMerge adds a request to the request that ends at its begin.
func (c *requests) doMerge(ev *blockEvent) {
	if q := c.queued.take(ev.place(), ev.Record); q != nil {
		c.ends.End(placeOf(ev.dev, sectors, q.Sector+uint64(q.Sectors)), ev.Record)
		c.grow(ev, q.Sectors, 1+q.Merged)
		c.free = append(c.free, q)
	}
}

// doIssue handles a request that is issued to the device. The kernel's own flush of a device is
// never queued.
func (c *requests) doIssue(ev *blockEvent) {
	at := ev.place()
	if at.kind() == sectors {
		if q := c.issued.take(at, ev.Record); q != nil {
			q.NoEnd = Replaced
			c.emit(q)
		}
	}
	var q *Request
	if at.kind() != flush {
		q = c.queued.take(at, ev.Record)
	}
	if q == nil {
		q = c.start(ev)
	}
	c.ends.End(placeOf(ev.dev, sectors, ev.sector+uint64(ev.count)), ev.Record)
	if q.Issues == 0 {
		q.Begin, q.CPU, q.Thread = ev.Time, ev.CPU, c.w.current(ev.Event)
		q.Op, q.Sector, q.Sectors, q.bytes = ev.op(), ev.sector, ev.count, uint32(bitsAt(ev.Event, ev.f.bytes))
	}
	q.Issues++
	q.left, q.next = ev.count, ev.sector
	c.send(at, ev, q)
}

// send notes a request at the device.
func (c *requests) send(at place, ev *blockEvent, q *Request) {
	if !c.issued.push(at, ev.Record, q) {
		q.NoEnd = Evicted
		c.emit(q)
	}
}

// doRequeue handles a request that the device did not accept.
func (c *requests) doRequeue(ev *blockEvent) {
	q := c.issued.take(ev.place(), ev.Record)
	if q == nil {
		q = c.start(ev)
		q.NoBegin, q.Issues = c.unseen(ev), 1
	}
	c.wait(ev, q)
}

// doComplete handles the completion of a request, or of a part of it.
func (c *requests) doComplete(ev *blockEvent) {
	at := ev.place()
	q := c.issued.take(at, ev.Record)
	if q != nil {
		if q.Parts++; ev.count < q.left {
			q.left -= ev.count
			q.next = ev.sector + uint64(ev.count)
			at.sector = q.next
			c.send(at, ev, q)
			return
		}
	} else {
		q = c.notIssued(at, ev)
	}
	q.End, q.Error = max(ev.Time, q.Begin), int32(bitsAt(ev.Event, ev.f.err))
	if q.Times.Started == 0 && (at.kind() != flush || !c.counts) || !c.held.push(heldAt(ev, q.next), ev.Record, q) {
		c.emit(q)
	}
}

// notIssued returns the request that an event completes, if it was not recorded as issued.
func (c *requests) notIssued(at place, ev *blockEvent) (q *Request) {
	if at.kind() != flush {
		q = c.queued.take(at, ev.Record)
	}
	switch {
	case q == nil:
		q = c.start(ev)
		q.NoBegin = c.unseen(ev)
	case q.Issues > 0: // and was queued again
	case at.kind() == empty: // and waited for the kernel's own flush
		q.NoBegin = Unpaired
	default:
		q.NoBegin = c.why(q)
	}
	q.Parts, q.next = q.Parts+1, ev.sector
	return q
}

// heldAt returns the place of a completed request. The event of the statistics does not have its
// number of sectors.
func heldAt(ev *blockEvent, sector uint64) place {
	if ev.place().kind() == flush {
		return placeOf(ev.dev, flush, sector)
	}
	return placeOf(ev.dev, sectors, sector)
}

// doDone handles a request that has been counted. Without its completion, its end is unknown.
func (c *requests) doDone(ev *blockEvent) {
	at := heldAt(ev, ev.sector)
	if q := c.held.take(at, ev.Record); q != nil {
		q.Times.Done = ev.Time
		c.emit(q)
		return
	}
	for _, list := range [...]*chains{&c.issued, &c.queued} {
		for _, p := range [...]place{at, placeOf(ev.dev, empty, ev.sector)} {
			if q := list.take(p, ev.Record); q != nil {
				q.Times.Done = ev.Time
				c.leave(q, c.why(q))
				return
			}
		}
	}
}

// why returns the reason for a missing event of a request.
func (c *requests) why(q *Request) Reason {
	if q.losses != c.w.extent.Losses {
		return Lost
	}
	return NotRecorded
}

// unseen returns the reason for missing events of a request before an event.
func (c *requests) unseen(ev *blockEvent) Reason {
	switch {
	case !c.issues:
		return NotRecorded
	case ev.place().kind() == empty:
		return Unpaired
	case c.w.extent.Losses > 0:
		return Lost
	}
	return OpenBegin
}

// lost implements collector. Sectors identify requests even after losses.
func (c *requests) lost(int32, uint64) {}

// ended implements collector.
func (c *requests) ended(*Thread, uint64) {}

// end implements collector.
func (c *requests) end(uint64) {
	c.held.Finish()
	c.issued.Finish()
	c.queued.Finish()
}

// rule implements collector.
func (c *requests) rule(t *tracec.Type) rule {
	do := map[string]func(*blockEvent){
		"block_bio_queue": c.doBioQueue, "block_bio_remap": c.doRemap, "block_getrq": c.queue,
		"block_io_start": c.doStart, "block_io_done": c.doDone, "block_rq_insert": c.doInsert,
		"block_bio_backmerge": c.doBackMerge, "block_bio_frontmerge": c.doFrontMerge, "block_rq_merge": c.doMerge,
		"block_rq_issue": c.doIssue, "block_rq_requeue": c.doRequeue, "block_rq_complete": c.doComplete,
	}[t.Name]
	if system, _, _ := kernel.Title(t.System, t.Name); system != "block" || do == nil {
		return nil
	}
	c.issues = c.w.has("block:block_rq_issue")
	return blockRule(c, t, do)
}
