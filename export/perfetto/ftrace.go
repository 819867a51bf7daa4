package perfetto

import (
	"errors"
	"io"
	"iter"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// eventWriter writes recordings of ftrace. It is for one goroutine.
type eventWriter struct {
	w       io.Writer
	rec     *ftrace.Recording
	symbol  func(addr uint64) (name string, ok bool)
	machine record.Machine
	buffers []buffer
	streams []int32       // by stream: the index of its buffer
	keys    keySet        // addresses with written symbols
	types   []bool        // types with written descriptions or names, by Type.Number
	stacks  []stackWriter // by buffer
	begun   bool
	failed  bool   // writing to w failed
	last    uint64 // time of the last event
	out     []byte // the packets of a block
	packet  []byte
	graph   graphWriter
	entry   []byte // bundle for entries of calls
}

// buffer is a buffer of the recording. Events of a buffer are a sequence of packets. An instance is
// a separate machine, since the trace processor would otherwise treat the switches of two buffers
// on a processor as switches of one.
type buffer struct {
	name     string
	sequence uint64
	machine  uint64 // 0 for the machine of the trace
	clock    string
	empty    bool // the buffer has no data
}

// writeEvents writes a recording of ftrace.
func writeEvents(to io.Writer, r *tracec.Reader, rec *ftrace.Recording, o Options) error {
	w := &eventWriter{w: to, rec: rec, machine: rec.Machine()}
	w.symbol = func(addr uint64) (string, bool) {
		name, _, _, _, ok := rec.Symbols().Lookup(addr)
		return name, ok
	}
	w.findBuffers(r.Records())
	workers := make([]*worker, o.Workers)
	twice := w.twice(r)
	for i := range workers {
		workers[i] = &worker{word: w.machine.WordSize, twice: twice, streams: w.streams,
			tasks: make([]taskSet, len(w.buffers))}
	}
	work := func(i int, events iter.Seq[*tracec.Event], b *block) (*block, error) {
		return workers[i].block(events, b), nil
	}
	err := tracec.Ordered(r, o.Workers, work, w.block)
	if ctx := r.Records().Context; w.failed || err != nil && ctx != nil && ctx.Err() != nil {
		return err
	}
	return errors.Join(w.finish(workers), err)
}

// findBuffers assigns streams to buffers. The first buffer with data belongs to the machine itself.
func (w *eventWriter) findBuffers(o record.Options) {
	first := true
	for i, b := range w.rec.Buffers() {
		to := buffer{name: b.Name, clock: b.Clock, sequence: uint64(i + 1)}
		has := false
		for j := range b.CPUs { // in the order of Recording.Streams
			if o.HasCPU(int32(b.CPUs[j].ID)) {
				w.streams = append(w.streams, int32(i))
				has = has || b.CPUs[j].Size > 0 || w.rec.Live() != nil
			}
		}
		if has && !first {
			to.machine = to.sequence
		}
		first, to.empty = first && !has, !has
		w.buffers = append(w.buffers, to)
	}
	if len(w.buffers) == 0 { // a recording with text instead of events
		w.buffers = []buffer{{sequence: 1}}
	}
	for range w.buffers {
		w.stacks = append(w.stacks, stackWriter{rec: w.rec})
	}
}

// block writes the result of a worker.
func (w *eventWriter) block(b *block) error {
	if b.events == 0 {
		return nil
	}
	w.out = w.out[:0]
	if !w.begun {
		w.begun = true
		w.begin(b.first)
	}
	w.last = max(w.last, b.last)
	w.describe(b)
	for i := range b.bundles {
		from := &b.bundles[i]
		w.bundle(&w.buffers[w.streams[from.stream]], from.events)
	}
	w.entries(b)
	for i := range b.samples {
		s := &b.samples[i]
		of := w.streams[s.stream]
		w.out = w.stacks[of].append(w.out, s, b.addresses[s.from:s.to], &w.buffers[of])
	}
	_, err := w.w.Write(w.out)
	w.failed = err != nil
	return err
}

// bundle appends the packet of a bundle.
func (w *eventWriter) bundle(b *buffer, content []byte) {
	tail := w.packet[:0]
	tail = b.identify(tail)
	tail = appendUint(tail, packetSequenceFlags, sequenceNeeds)
	size := protowire.SizeTag(packetFtraceEvents) + protowire.SizeBytes(len(content)) + len(tail)
	w.out = protowire.AppendVarint(protowire.AppendTag(w.out, tracePacket, protowire.BytesType), uint64(size))
	w.out = appendBytes(w.out, packetFtraceEvents, content)
	w.out = append(w.out, tail...)
	w.packet = tail
}

// identify appends the fields of a packet that identify its origin.
func (b *buffer) identify(dst []byte) []byte {
	return b.appendMachine(appendUint(dst, packetSequence, b.sequence))
}

func (b *buffer) appendMachine(dst []byte) []byte {
	if b.machine != 0 {
		dst = appendUint(dst, packetMachine, b.machine)
	}
	return dst
}

// describe appends the descriptions and symbols that a block needs and that are not yet written.
func (w *eventWriter) describe(b *block) {
	var descriptors, symbols, names []byte // fields of a bundle, of InternedData, of a SliceNameTranslationTable
	for _, t := range b.types {
		if w.isNew(t) {
			if descriptors == nil { // a bundle must have a processor
				descriptors = appendUint(descriptors, bundleCPU, uint64(b.cpu))
			}
			descriptors = appendDescriptor(descriptors, t, w.machine.WordSize)
		}
	}
	for _, c := range b.calls {
		if w.isNew(c.typ) {
			names = appendCall(names, c)
		}
	}
	for _, addr := range b.keys.list {
		if !w.keys.add(addr) {
			continue
		}
		if name, ok := w.symbol(addr); ok {
			var at int
			symbols, at = begin(symbols, internedKernelSymbols)
			symbols = appendText(appendUint(symbols, internedID, addr), internedText, name)
			symbols = end(symbols, at)
		}
	}
	for i := range w.buffers {
		to := &w.buffers[i]
		if to.empty {
			continue
		}
		if len(descriptors) > 0 {
			w.bundle(to, descriptors)
		}
		if len(names) > 0 {
			at := w.open()
			var table int
			w.out, table = begin(appendUint(w.out, packetTimestamp, b.first), packetTranslation)
			w.out = to.identify(end(appendBytes(w.out, translationSlices, names), table))
			w.close(at)
		}
		if len(symbols) > 0 {
			at := w.open()
			w.out = appendBytes(w.out, packetInternedData, symbols)
			w.out = appendUint(to.identify(w.out), packetSequenceFlags, sequenceNeeds)
			w.close(at)
		}
	}
}

// isNew reports whether a type was not written before, and notes it.
func (w *eventWriter) isNew(t *tracec.Type) bool {
	for t.Number >= len(w.types) {
		w.types = append(w.types, false)
	}
	was := w.types[t.Number]
	w.types[t.Number] = true
	return !was
}

// open and close append a packet around the data that is appended between them.
func (w *eventWriter) open() (at int) {
	w.out, at = begin(w.out, tracePacket)
	return at
}

func (w *eventWriter) close(at int) { w.out = end(w.out, at) }

// finish writes the names of threads.
func (w *eventWriter) finish(workers []*worker) error {
	w.out = w.out[:0]
	if !w.begun {
		w.begin(0)
	}
	for i := range w.buffers {
		var tasks taskSet
		for _, from := range workers {
			tasks.join(from.tasks[i])
		}
		for task := range tasks.all() {
			w.rename(&w.buffers[i], task)
		}
	}
	_, err := w.w.Write(w.out)
	return err
}

// rename appends the name of a thread, if the recording has it.
func (w *eventWriter) rename(b *buffer, task int32) {
	comm := w.rec.Comm(task)
	if task == 0 || comm == "<...>" {
		return
	}
	at := w.open()
	w.out = appendUint(w.out, packetTimestamp, w.last)
	var in int
	w.out, in = begin(w.out, packetGenericTaskRename)
	w.out = appendText(appendUint(w.out, renameTID, uint64(task)), renameComm, comm)
	w.out = b.identify(end(w.out, in))
	w.close(at)
}
