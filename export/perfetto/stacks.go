package perfetto

import (
	"encoding/binary"
	"math"
	"strconv"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/ftrace"
)

// sample is a stack of the kernel in an event.
type sample struct {
	time     uint64
	stream   int32
	cpu      uint32
	task     int32
	from, to int // range of its addresses in the block
}

// sample adds the stack of an event, from field i of its type.
func (b *block) sample(ev *tracec.Event, i int) {
	v, ok := ev.At(i)
	if !ok {
		return
	}
	s := sample{time: ev.Time, stream: ev.Stream, cpu: uint32(ev.CPU), task: ev.Task, from: len(b.addresses)}
	for j := range v.Len() {
		addr := v.Elem(j).Uint()
		if addr == math.MaxUint64 || addr == math.MaxUint32 { // end mark of a stack before Linux 5.2: a long of ones
			break
		}
		if addr != 0 { // old kernels fill the array with 0
			b.addresses = append(b.addresses, addr)
		}
	}
	if s.to = len(b.addresses); s.to > s.from {
		b.samples = append(b.samples, s)
	}
}

// stackWriter appends stacks of a buffer as instants with a call stack, on a track for each
// processor. They are a packet sequence of their own.
type stackWriter struct {
	callstacks
	rec    *ftrace.Recording // its symbols are read at the first stack
	tracks []bool            // by stream: the track is described
}

// Numbers for the sequence of stacks.
const (
	stackSequence = 1 << 20
	firstStack    = 1 << 33 // uuid
	stackName     = 1
	threadNameID  = 1
)

// kernelFile is the mapping of the kernel.
const kernelFile = "[kernel]"

// append appends the packets of a sample.
func (w *stackWriter) append(dst []byte, s *sample, addresses []uint64, in *buffer) []byte {
	dst = w.describe(dst, s, in)
	flags := uint64(sequenceNeeds)
	if w.full() {
		flags |= sequenceCleared
		w.clear()
		w.fresh = appendInterned(w.fresh, internedEventNames, stackName, "kernel_stack")
		w.fresh = appendInterned(w.fresh, internedAnnotationNames, threadNameID, "tid")
	}
	id := w.stack(addresses)
	dst, packet := begin(dst, tracePacket)
	dst = appendUint(appendUint(dst, packetTimestamp, s.time), packetSequence, stackSequence+in.sequence)
	dst = in.appendMachine(appendUint(dst, packetSequenceFlags, flags))
	dst, event := begin(dst, packetTrackEvent)
	dst = appendUint(appendUint(dst, eventType, typeInstant), eventTrack, firstStack+uint64(s.stream))
	dst = appendUint(appendUint(dst, eventName, stackName), eventCallstack, id)
	dst, thread := begin(dst, eventAnnotation)
	dst = end(appendUint(appendUint(dst, annotationNameID, threadNameID), annotationInt, uint64(int64(s.task))), thread)
	dst = end(dst, event)
	return end(w.intern(dst), packet)
}

// describe appends the descriptor of a track on first use.
func (w *stackWriter) describe(dst []byte, s *sample, in *buffer) []byte {
	for int(s.stream) >= len(w.tracks) {
		w.tracks = append(w.tracks, false)
	}
	if w.tracks[s.stream] {
		return dst
	}
	w.tracks[s.stream] = true
	dst, packet := begin(dst, tracePacket)
	dst = in.appendMachine(appendUint(dst, packetSequence, stackSequence+in.sequence))
	dst, track := begin(dst, packetTrackDescriptor)
	dst = appendUint(dst, descriptorUUID, firstStack+uint64(s.stream))
	dst = appendText(dst, descriptorTrackName, "CPU "+strconv.FormatUint(uint64(s.cpu), 10)+" kernel stacks")
	return end(end(dst, track), packet)
}

// stack returns the number of a stack, and interns it.
func (w *stackWriter) stack(addresses []uint64) uint64 {
	w.key = w.key[:0]
	for _, addr := range addresses {
		w.key = binary.LittleEndian.AppendUint64(w.key, addr)
	}
	if id, ok := w.stacks[string(w.key)]; ok {
		return id
	}
	w.list = w.list[:0]
	for _, addr := range addresses {
		key := frameKey{addr: addr, offset: addr, file: kernelFile}
		if w.frames[key] == 0 {
			w.addFrame(key, w.name(addr))
		}
		w.list = append(w.list, w.frames[key])
	}
	return w.addStack()
}

// name returns the name of the function that holds an address.
func (w *stackWriter) name(addr uint64) string {
	name, _, _, _, ok := w.rec.Symbols().Lookup(addr)
	if !ok {
		name = "0x" + strconv.FormatUint(addr, 16)
	}
	return name
}
