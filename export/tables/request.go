package tables

import (
	"strconv"

	"github.com/tracec/tracec/runtime/render"
)

// A Request is a row of [BlockIO]: a request to a block device. It begins when it is issued to the
// device, and ends when the device has completed it. Its thread issued it.
type Request struct {
	Row
	Device  string // major and minor number of the device, such as 254:0
	Sector  uint64 // first sector; sectors have 512 bytes
	Sectors uint32
	Op      string // as recorded: R, W, D, F or N, and letters of flags
	Asker   *Thread
	Times   RequestTimes
	Merged  int32 // number of bios that were added to it
	Issues  int32 // number of times that it was issued
	Parts   int32 // number of parts in which it was completed
	Error   int32 // a negative errno; 0 for none
	// GapInside reports whether events were lost between its first event and its last.
	GapInside bool

	bytes  uint32 // as recorded when it was issued
	next   uint64 // first sector that is not completed
	left   uint32 // number of sectors that are not completed
	losses int64  // number of losses at its first event
}

// RequestTimes are further times of a request. They are 0 if they were not recorded.
type RequestTimes struct {
	Queued   uint64 // first event
	Inserted uint64 // when it was inserted into the scheduler of the device
	// Started and Done are the times when the kernel's statistics started and stopped counting it
	// (block_io_start, block_io_done).
	Started, Done uint64
}

// Bytes returns the size of the request in bytes.
func (r *Request) Bytes() uint64 {
	if r.bytes != 0 {
		return uint64(r.bytes)
	}
	return uint64(r.Sectors) * 512
}

// Operation returns read, write, discard, flush or other. An F before another letter requests a
// flush before the operation (blk_fill_rwbs in kernel/trace/blktrace.c). A write without sectors is
// only the flush.
func (r *Request) Operation() string {
	op := r.Op
	if len(op) > 1 && op[0] == 'F' && r.Sectors > 0 {
		op = op[1:]
	}
	switch {
	case op == "":
		return ""
	case op[0] == 'F', op[0] == 'W' && r.Sectors == 0:
		return "flush"
	case op[0] == 'R':
		return "read"
	case op[0] == 'W':
		return "write"
	case op[0] == 'D':
		return "discard"
	}
	return "other"
}

// BlockIO has a row for each request to a block device. A request that is passed to another device
// has another row there.
var BlockIO = &Table[Request]{
	name: "block_io",
	doc:  "requests to block devices, from issue to completion",
	need: []string{"block:block_rq_issue", "block:block_rq_complete", "block:block_io_start", "block:block_io_done"},
	also: []string{
		"block:block_bio_queue", "block:block_getrq", "block:block_rq_insert", "block:block_rq_requeue",
		"block:block_rq_merge", "block:block_bio_backmerge", "block:block_bio_frontmerge", "block:block_bio_remap",
	},
	columns: spans(func(r *Request) *Row { return &r.Row }, requestColumns...),
	collect: func(w *Walk, yield func(*Request) bool) collector { return newRequests(w, yield) },
}

var requestColumns = []column[Request]{
	{Column{"dev", "the device: major:minor", Text}, func(r *Request) Value { return text(r.Device) }},
	{
		Column{"sector", "the first sector, of 512 bytes", Integer},
		func(r *Request) Value { return integer(int64(r.Sector)) },
	},
	{Column{"sectors", "how many", Integer}, func(r *Request) Value { return integer(int64(r.Sectors)) }},
	{Column{"bytes", "how many", Integer}, func(r *Request) Value { return integer(int64(r.Bytes())) }},
	{Column{"rwbs", "the operation and its flags, as recorded", Text}, func(r *Request) Value { return text(r.Op) }},
	{
		Column{"operation", "read, write, discard, flush or other", Text},
		func(r *Request) Value { return text(r.Operation()) },
	},
	{
		Column{"error", "name of its error; NULL without one", Text},
		func(r *Request) Value { return text(errorName(int64(r.Error))) },
	},
	{Column{"asker_tid", "the thread that requested it", Integer}, func(r *Request) Value { return r.Asker.tid() }},
	{Column{"asker", "the name of that thread", Text}, func(r *Request) Value { return r.Asker.text() }},
	{Column{"queued", "time of its first event", Time}, func(r *Request) Value { return recorded(r.Times.Queued) }},
	{Column{"queue", "from queued to ts", Duration}, func(r *Request) Value { return r.until(r.Times.Queued) }},
	{
		Column{"scheduler", "from its insertion into the scheduler of the device to ts", Duration},
		func(r *Request) Value { return r.until(r.Times.Inserted) },
	},
	{
		Column{"started", "begin of its accounting: block_io_start", Time},
		func(r *Request) Value { return recorded(r.Times.Started) },
	},
	{
		Column{"done", "end of its accounting: block_io_done", Time},
		func(r *Request) Value { return recorded(r.Times.Done) },
	},
	{
		Column{"merged", "pieces that were added to it", Integer},
		func(r *Request) Value { return integer(int64(r.Merged)) },
	},
	{Column{"issues", "number of its issues", Integer}, func(r *Request) Value { return integer(int64(r.Issues)) }},
	{
		Column{"parts", "number of parts in which it was completed", Integer},
		func(r *Request) Value { return integer(int64(r.Parts)) },
	},
	{
		Column{"gap_inside", "events were lost between its first event and its last", Bool},
		func(r *Request) Value { return boolean(r.GapInside) },
	},
}

// errorName returns the name of an error result of the kernel, or its errno. It returns "" for 0.
func errorName(result int64) string {
	if name := string(render.ErrnoName(nil, nil, uint64(result))); name != "" || result == 0 {
		return name
	}
	return strconv.FormatInt(max(result, -result), 10)
}

// recorded returns a time. 0 is NULL: it was not recorded.
func recorded(time uint64) Value {
	if time == 0 {
		return null
	}
	return integer(int64(time))
}

// until returns the time from begin until the request was issued.
func (r *Request) until(begin uint64) Value {
	if begin == 0 || r.NoBegin != Known {
		return null
	}
	return integer(int64(r.Begin - min(r.Begin, begin)))
}
