package perfetto

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec"
)

// sampleWriter appends samples of perf. The samples of each event are a sequence of their own, with
// the name of the event.
type sampleWriter struct {
	events []*sampled // by Type.Number
	count  uint64     // number of sequences
	frames []tracec.Frame
}

// sampled is the state of the samples of an event.
type sampled struct {
	callstacks
	sequence uint64
	name     string
	counts   []uint64 // sum of periods by processor + 1
}

// append appends the packet of a sample.
func (w *sampleWriter) append(dst []byte, ev *tracec.Event) []byte {
	w.frames = ev.AppendFrames(w.frames[:0])
	return w.of(ev).append(dst, ev, w.frames)
}

// lost appends the packet of a loss before an event.
func (w *sampleWriter) lost(dst []byte, ev *tracec.Event) []byte { return w.of(ev).lost(dst, ev) }

// of returns the state for the type of an event.
func (w *sampleWriter) of(ev *tracec.Event) *sampled {
	for ev.Type.Number >= len(w.events) {
		w.events = append(w.events, nil)
	}
	s := w.events[ev.Type.Number]
	if s == nil {
		name := ev.Type.Name
		if ev.Type.System != "" {
			name = ev.Type.System + ":" + name
		}
		w.count++
		s = &sampled{name: name, sequence: stackSequence + w.count}
		w.events[ev.Type.Number] = s
	}
	return s
}

// begin begins the packet of a sample.
func (s *sampled) begin(dst []byte, ev *tracec.Event) (_ []byte, packet, sample int) {
	flags := uint64(sequenceNeeds)
	first := !s.begun
	if s.full() {
		flags |= sequenceCleared
		s.clear()
	}
	dst, packet = begin(dst, tracePacket)
	dst = appendUint(appendUint(dst, packetTimestamp, ev.Time), packetSequence, s.sequence)
	dst = appendUint(dst, packetSequenceFlags, flags)
	if flags&sequenceCleared != 0 {
		if first {
			dst = appendUint(dst, packetFirstOnSequence, 1)
		}
		var defaults, of, base int
		dst, defaults = begin(dst, packetDefaults)
		dst, of = begin(dst, defaultsPerfSample)
		dst, base = begin(dst, sampleTimebase)
		dst = end(end(end(appendText(dst, timebaseName, s.name), base), of), defaults)
	}
	dst, sample = begin(dst, packetPerfSample)
	if hasCPU(ev) {
		dst = appendUint(dst, sampleCPU, uint64(ev.CPU))
	}
	return dst, packet, sample
}

func (s *sampled) append(dst []byte, ev *tracec.Event, frames []tracec.Frame) []byte {
	dst, packet, sample := s.begin(dst, ev)
	if pid := ev.Process(); pid >= 0 {
		dst = appendUint(dst, samplePID, uint64(pid))
	}
	if ev.Task >= 0 {
		dst = appendUint(dst, sampleTID, uint64(ev.Task))
	}
	if len(frames) > 0 {
		mode := uint64(modeUser)
		if frames[0].Kernel {
			mode = modeKernel
		}
		dst = appendUint(appendUint(dst, sampleCallstack, s.stack(frames)), sampleMode, mode)
	}
	if period, ok := ev.Period(); ok {
		i := 0 // the processor is unknown
		if hasCPU(ev) {
			i = int(ev.CPU) + 1
		}
		for i >= len(s.counts) {
			s.counts = append(s.counts, 0)
		}
		s.counts[i] += period
		dst = appendUint(dst, sampleCount, s.counts[i])
	}
	return end(s.intern(end(dst, sample)), packet)
}

// stack returns the number of a stack, and interns it.
func (s *sampled) stack(frames []tracec.Frame) uint64 {
	s.key, s.list = s.key[:0], s.list[:0]
	for i := range frames {
		f := &frames[i]
		key := frameKey{addr: f.Addr, offset: f.FileOffset, function: f.Function, file: f.File}
		if f.File == "" {
			key.offset = f.Addr
		}
		id := s.frames[key]
		if id == 0 {
			id = s.addFrame(key, f.Name())
		}
		s.list = append(s.list, id)
		s.key = binary.LittleEndian.AppendUint64(s.key, id)
	}
	if id, ok := s.stacks[string(s.key)]; ok {
		return id
	}
	return s.addStack()
}

// lost appends the number of lost records.
func (s *sampled) lost(dst []byte, ev *tracec.Event) []byte {
	dst, packet, sample := s.begin(dst, ev)
	n := uint64(1) // or more, if the number is unknown
	if ev.Lost > 0 {
		n = uint64(ev.Lost)
	}
	dst = protowire.AppendVarint(protowire.AppendTag(dst, sampleLost, protowire.VarintType), n)
	return end(s.intern(end(dst, sample)), packet)
}
