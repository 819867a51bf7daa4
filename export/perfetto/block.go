package perfetto

import (
	"iter"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec"
)

// block is the result of a worker for some thousand events, consecutive in time.
type block struct {
	bundles   []bundle
	byStream  []int32        // by stream: the current bundle; -1 without one
	types     []*tracec.Type // types of the self-describing events
	calls     []call         // system calls
	keys      keySet         // addresses with interned symbols
	samples   []sample
	graph     []graphEvent
	addresses []uint64 // addresses of samples
	cpu       uint32   // processor of the first event
	first     uint64   // times of the first and the last event
	last      uint64
	events    int
}

// bundle is the content of an FtraceEventBundle: events of one stream in their order.
type bundle struct {
	stream int32
	events []byte
}

func (b *block) reset() {
	b.bundles, b.types, b.calls, b.events = b.bundles[:0], b.types[:0], b.calls[:0], 0
	b.samples, b.addresses, b.graph = b.samples[:0], b.addresses[:0], b.graph[:0]
	for i := range b.byStream {
		b.byStream[i] = -1
	}
	b.keys.reset()
}

// bundle returns the bundle for an event.
func (b *block) bundle(stream, cpu int32, lost bool) *bundle {
	for int(stream) >= len(b.byStream) {
		b.byStream = append(b.byStream, -1)
	}
	if i := b.byStream[stream]; i >= 0 && !lost {
		return &b.bundles[i]
	}
	b.byStream[stream] = int32(len(b.bundles))
	if len(b.bundles) < cap(b.bundles) {
		b.bundles = b.bundles[:len(b.bundles)+1]
	} else {
		b.bundles = append(b.bundles, bundle{})
	}
	to := &b.bundles[len(b.bundles)-1]
	to.stream, to.events = stream, appendUint(to.events[:0], bundleCPU, uint64(uint32(cpu)))
	if lost {
		to.events = appendUint(to.events, bundleLost, 1)
	}
	return to
}

// worker makes blocks. It is for one goroutine at a time.
type worker struct {
	word     int        // bytes of a word of the machine
	twice    bool       // system calls have two events each
	encoders []*encoder // by Type.Number
	blocks   uint64     // number of blocks made
	streams  []int32    // by stream: the index of its buffer
	tasks    []taskSet  // by buffer: threads of its events
}

// block encodes events.
func (w *worker) block(events iter.Seq[*tracec.Event], b *block) *block {
	if b == nil {
		b = &block{}
	}
	b.reset()
	w.blocks++
	for ev := range events {
		if b.events == 0 {
			b.cpu, b.first, b.last = uint32(ev.CPU), ev.Time, ev.Time
		}
		b.first, b.last = min(b.first, ev.Time), max(b.last, ev.Time)
		b.events++
		w.tasks[w.streams[ev.Stream]].add(ev.Task)
		to := b.bundle(ev.Stream, ev.CPU, ev.Lost != 0)
		to.events = w.append(to.events, ev, b)
	}
	return b
}

// append appends an event to the content of a bundle.
func (w *worker) append(dst []byte, ev *tracec.Event, b *block) []byte {
	e := w.encoder(ev.Type)
	if e.marks >= 0 && !e.isMark(ev) {
		e = e.plain
	}
	if e.first && e.used != w.blocks {
		e.used = w.blocks
		e.introduce(ev, b)
	}
	if e.stack >= 0 {
		b.sample(ev, e.stack)
	}
	if e.graph != nil {
		b.graphEvent(ev, e.graph)
	}
	dst = append(dst, bundleEvent<<3|byte(protowire.BytesType), 0)
	at := len(dst)
	dst = protowire.AppendVarint(append(dst, eventTimestamp<<3), ev.Time)
	dst = protowire.AppendVarint(append(dst, eventPID<<3), uint64(uint32(ev.Task)))
	dst = append(protowire.AppendVarint(dst, e.tag), 0)
	inner := len(dst)
	dst = end(e.append(dst, ev, b), inner)
	return end(dst, at)
}

// introduce notes the data that must be written before the first event of the type.
func (e *encoder) introduce(ev *tracec.Event, b *block) {
	if e.generic {
		b.types = append(b.types, ev.Type)
		return
	}
	if n, ok := ev.Field("__syscall_nr"); ok {
		b.calls = append(b.calls, call{ev.Type, n.Uint()})
	}
}

func (w *worker) encoder(t *tracec.Type) *encoder {
	for t.Number >= len(w.encoders) {
		w.encoders = append(w.encoders, nil)
	}
	e := w.encoders[t.Number]
	if e == nil {
		e = newEncoder(t, w.word, w.twice)
		w.encoders[t.Number] = e
	}
	return e
}

// isMark reports whether the text of ftrace:print has the form of Android's atrace: B|1234|name,
// E|1234, C|1234|name|5. The trace processor makes slices and counters of these, and reports other
// texts as errors.
func (e *encoder) isMark(ev *tracec.Event) bool {
	v, _ := ev.At(e.marks)
	text := v.Bytes()
	if n := len(text); n > 0 && text[n-1] == '\n' {
		text = text[:n-1]
	}
	return isMark(text)
}
