package perfetto

import (
	"io"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/runtime/ftrace"
)

// tracing is a recording of perf. The descriptions of its kernel events are as in ftrace.
type tracing interface{ Tracing() *ftrace.Recording }

// perfWriter writes recordings of perf. Events of the kernel become events of ftrace, and stacks
// become samples. Other records become instants of their threads.
type perfWriter struct {
	tracks  *trackWriter // also holds all output
	kernel  eventWriter
	worker  worker
	block   block
	known   map[uint64]string // names of addresses in block.keys
	sought  int               // number of addresses whose names were looked up
	samples sampleWriter
}

// kernelSequence is the packet sequence of the events of ftrace.
const kernelSequence = 2

// maxCPUs is the number of processors that the trace processor of release 55 supports. It loads no
// trace with a larger number, which damaged data may have.
const maxCPUs = 1024

// hasCPU reports whether an event has a supported processor.
func hasCPU(ev *tracec.Event) bool { return ev.CPU >= 0 && ev.CPU < maxCPUs }

// batchEvents is the number of events of ftrace that are written together.
const batchEvents = 1024

// writeSamples writes a recording of perf.
func writeSamples(to io.Writer, r *tracec.Reader) error {
	tl, err := timeline.New(r)
	if err != nil {
		return err
	}
	w := newPerfWriter(to, r)
	for it := range tl.All() {
		if it.Event == nil || it.Again {
			continue
		}
		w.item(it)
		if len(w.tracks.out) >= flushBytes {
			if err = w.tracks.flush(); err != nil {
				return err
			}
		}
	}
	if !w.tracks.begun {
		w.tracks.begin(0)
	}
	w.flush()
	if err = w.tracks.flush(); err != nil {
		return err
	}
	return tl.Err()
}

func newPerfWriter(to io.Writer, r *tracec.Reader) *perfWriter {
	m := r.Recording().Machine()
	w := &perfWriter{tracks: newTrackWriter(to, m, clockBoottime), known: map[uint64]string{}}
	if id := clockIDs[m.Clock]; id != clockBoottime && !m.HasWall {
		w.tracks.also = id
	}
	w.kernel = eventWriter{machine: m, buffers: []buffer{{sequence: kernelSequence}}}
	w.kernel.symbol = func(addr uint64) (string, bool) {
		name, ok := w.known[addr]
		return name, ok
	}
	w.worker = worker{word: m.WordSize, twice: bothCalls(r), blocks: 1}
	w.block.reset()
	return w
}

// bothCalls reports whether system calls are recorded both as events of syscalls and of
// raw_syscalls: see eventWriter.twice. The events that a recording of perf describes are recorded.
func bothCalls(r *tracec.Reader) bool {
	raw, named := false, false
	r.Names(func(system, name, alias string) {
		if r.Chooses(system, name, alias) {
			raw, named = raw || system == "raw_syscalls", named || system == "syscalls"
		}
	})
	return raw && named
}

// item writes an event. An event of the kernel without its processor or its thread is an instant.
func (w *perfWriter) item(it *timeline.Item) {
	ev := it.Event
	if !w.tracks.begun {
		w.tracks.begin(it.Time)
		w.kernel.out = w.kernel.out[:0]
		w.kernel.start(&w.kernel.buffers[0])
		w.tracks.out = append(w.tracks.out, w.kernel.out...)
	}
	sampled := ev.Type.Stack() == tracec.CallChain
	traced := ev.Type.System != "" && hasCPU(ev) && ev.Task >= 0
	if it.Track.Kind == timeline.Thread && it.Track.Process >= 0 {
		w.tracks.describe(it.Track)
	}
	switch {
	case traced: // the bundle of the event reports losses
		w.trace(ev)
	case it.Lost != 0 && hasCPU(ev):
		w.tracks.out = w.samples.lost(w.tracks.out, ev)
	}
	if sampled {
		w.tracks.out = w.samples.append(w.tracks.out, ev)
	}
	if !sampled && !traced && it.Time > 0 {
		w.tracks.item(&timeline.Item{Time: it.Time, Track: it.Track, Name: it.Name, Event: ev, Lost: it.Lost})
	}
}

// trace adds an event of ftrace.
func (w *perfWriter) trace(ev *tracec.Event) {
	b := &w.block
	if b.events == 0 {
		b.cpu, b.first = uint32(ev.CPU), ev.Time
	}
	b.events++
	to := b.bundle(ev.CPU, ev.CPU, ev.Lost != 0)
	to.events = w.worker.append(to.events, ev, b)
	for ; w.sought < len(b.keys.list); w.sought++ {
		addr := b.keys.list[w.sought]
		if name, _, ok := ev.Symbol(addr); ok {
			w.known[addr] = name
		}
	}
	if b.events >= batchEvents {
		w.flush()
	}
}

// flush writes the events of ftrace.
func (w *perfWriter) flush() {
	b := &w.block
	if b.events == 0 {
		return
	}
	k := &w.kernel
	k.out = k.out[:0]
	k.describe(b)
	for i := range b.bundles {
		k.bundle(&k.buffers[0], b.bundles[i].events)
	}
	w.tracks.out = append(w.tracks.out, k.out...)
	b.reset()
	w.sought = 0
	clear(w.known)
	w.worker.blocks++
}
