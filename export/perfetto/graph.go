package perfetto

import (
	"github.com/tracec/tracec"
)

// A call of function_graph may have begun before the recording, or among lost events. Then only its
// exit is recorded, with the time of the call. The trace processor makes no slice of an exit
// without an entry, so each such exit gets an entry.

// graphFields are the fields of an entry or an exit; -1 if the type lacks one.
type graphFields struct {
	exit                       bool
	function, depth, call, ret int
}

// newGraphFields returns the fields of a type, or nil if it is not an event of function_graph.
func newGraphFields(t *tracec.Type) *graphFields {
	exit := t.Name == "funcgraph_exit"
	if t.System != "ftrace" || !exit && t.Name != "funcgraph_entry" && t.Name != "fgraph_retaddr_entry" {
		return nil
	}
	g := &graphFields{exit, t.Index("func"), t.Index("depth"), t.Index("calltime"), t.Index("rettime")}
	if g.function < 0 || g.depth < 0 || exit && (g.call < 0 || g.ret < 0) {
		return nil
	}
	return g
}

// graphEvent is an entry or an exit.
type graphEvent struct {
	begin    uint64 // for an exit, the begin of the call; 0 if unknown
	function uint64
	stream   int32
	cpu      uint32
	task     int32
	depth    int32
	exit     bool
}

// graphEvent notes an event of function_graph.
func (b *block) graphEvent(ev *tracec.Event, g *graphFields) {
	depth, ok := ev.Bits(g.depth)
	if !ok {
		return
	}
	fn, _ := ev.Bits(g.function)
	x := graphEvent{function: fn, stream: ev.Stream, cpu: uint32(ev.CPU), task: ev.Task, depth: int32(depth),
		exit: g.exit}
	if g.exit {
		call, _ := ev.Bits(g.call)
		if ret, ok := ev.Bits(g.ret); ok && call != 0 && ret >= call && ret-call < ev.Time {
			x.begin = ev.Time - (ret - call)
		}
	}
	b.graph = append(b.graph, x)
}

// graphKey identifies a thread of a buffer. Idle threads are identified by their processor.
type graphKey struct {
	buffer, task int32
	cpu          uint32
}

// openCall is a call with a recorded entry.
type openCall struct {
	function uint64
	depth    int32
}

// maxOpen bounds the open calls of a thread. The kernel has room for some hundred.
const maxOpen = 1 << 10

// graphWriter follows the calls of threads.
type graphWriter struct {
	threads map[graphKey]*[]openCall
	last    *[]openCall // calls of lastKey
	lastKey graphKey
	message *message // message of an entry
}

// follow reports whether an event is the exit of a call without a recorded entry.
func (w *graphWriter) follow(x *graphEvent, buffer int32) bool {
	key := graphKey{buffer, x.task, 0}
	if x.task == 0 {
		key.cpu = x.cpu
	}
	if w.last == nil || key != w.lastKey {
		if w.threads == nil {
			w.threads = map[graphKey]*[]openCall{}
		}
		open := w.threads[key]
		if open == nil {
			open = &[]openCall{}
			w.threads[key] = open
		}
		w.last, w.lastKey = open, key
	}
	list := *w.last
	n := len(list)
	for n > 0 && list[n-1].depth > x.depth {
		n--
	}
	same := n > 0 && list[n-1].depth == x.depth
	known := same && list[n-1].function == x.function
	if same {
		n--
	}
	list = list[:n]
	if !x.exit && n < maxOpen {
		list = append(list, openCall{x.function, x.depth})
	}
	*w.last = list
	return x.exit && !known
}

// entries appends bundles with the missing entries for exits of a block.
func (w *eventWriter) entries(b *block) {
	for i := range b.graph {
		x := &b.graph[i]
		of := w.streams[x.stream]
		if !w.graph.follow(x, of) || x.begin == 0 {
			continue
		}
		if w.graph.message == nil {
			w.graph.message = messageOf("funcgraph_entry")
		}
		w.entry = appendUint(w.entry[:0], bundleCPU, uint64(x.cpu))
		var event, entry int
		w.entry, event = begin(w.entry, bundleEvent)
		w.entry = appendUint(appendUint(w.entry, eventTimestamp, x.begin), eventPID, uint64(uint32(x.task)))
		m := w.graph.message
		w.entry, entry = begin(w.entry, m.number)
		w.entry = appendUint(w.entry, m.fields["depth"].number, uint64(x.depth))
		w.entry = appendUint(w.entry, m.fields["func"].number, x.function)
		w.entry = end(end(w.entry, entry), event)
		w.bundle(&w.buffers[of], w.entry)
	}
}
